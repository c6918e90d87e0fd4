"""The lemmas that are used everywhere and the letters of the method, word for word; and that the data of a proof cannot be changed."""

import dataclasses
import importlib
import inspect
import pkgutil
from typing import Any

import pytest
import sympy as sp

import shbcore.proof
from shbcore.proof import *
from shbcore.proof import letters, lines, scheduled
from shbcore.proof.facts import Fact
from shbcore.proof.kernel import Context
from shbcore.proof.language import Iterate, Node, Proximal, Slope, at_start, indexed, known, moved, of_step, walk
from shbcore.proof.letters import meaning, sample, x
from shbcore.proof.statement import canonical

a, b, t = sp.symbols("a b t")
u, v = vector("u"), vector("v")
y, w = vector("y", inside=True), vector("w", inside=True)
P, Q = Projected("P", u), Projected("Q", v)
HAT = F_env.prox(u, "q")
WHERE = ADMISSIBLE.also(between(a, 0, 1), positive(b))
half = sp.Rational(1, 2)


# --- lemmas

LEMMAS: list[tuple[Any, Relation, tuple[Any, ...]]] = [
    (lambda: young(u, v, b), u @ v <= 1 / (2 * b) * u**2 + b / 2 * v**2, ()),
    (lambda: square_convexity(u, v, a), (a * u + (1 - a) * v) ** 2 <= a * u**2 + (1 - a) * v**2, ()),
    (lambda: projection(P, u, y), 0 <= (P - u) @ (y - P) + 0 * (y - P) ** 2, ()),
    (lambda: nonexpansive(P, u, y), (P - y) ** 2 <= (u - y) ** 2, ()),
    (lambda: nonexpansive_pair(P, u, Q, v), (P - Q) ** 2 <= (u - v) ** 2, ()),
    (
        lambda: chord(f, y, w, a),
        f(a * y + (1 - a) * w) <= a * f(y) + (1 - a) * f(w) + rho * a * (1 - a) / 2 * (y - w) ** 2,
        (WEAKLY_CONVEX,),
    ),
    (
        lambda: prox_strong_convexity(HAT, y),
        (1 / lam - rho) / 2 * (y - HAT) ** 2 <= f(y) + (y - u) ** 2 / (2 * lam) - f(HAT) - (HAT - u) ** 2 / (2 * lam),
        (WEAKLY_CONVEX,),
    ),
    (
        lambda: prox_optimality(HAT, y),
        0 <= (f.slope(HAT) + (HAT - u) / lam) @ (y - HAT) + 0 * (y - HAT) ** 2,
        (WEAKLY_CONVEX, SMOOTH),
    ),
    (
        lambda: conjugate_smooth(h_star, P, u, Q, v),
        h_star(v) <= h_star(u) + P @ (v - u) + (v - u) ** 2 / 2,
        (),
    ),
    (lambda: sign(1 + rho, less=half), Number(half) <= Number(1 + rho), ()),
    (lambda: equal_numbers(nu * alpha, beta), Number(nu * alpha).equals(Number(beta)), ()),
    (lambda: identity((u - v) ** 2, u**2 - 2 * u @ v + v**2), ((u - v) ** 2).equals(u**2 - 2 * (u @ v) + v**2), ()),
]


@pytest.mark.parametrize(("lemma", "claim", "assumes"), LEMMAS, ids=range(len(LEMMAS)))
def test_a_lemma_says_this_and_is_proved(lemma: Any, claim: Relation, assumes: tuple[Any, ...]) -> None:
    lemma = lemma()
    used = line(claim, [1 * lemma], domain=WHERE, assumes=assumes)
    assert check(used).passed, check(used).detail
    context = Context(WHERE, Scope.ANY, assumes)
    own = lemma.statement.relation
    assert own.sense == claim.sense
    assert [context.form(side) for side in (own.left, own.right)] == [
        context.form(side) for side in (claim.left, claim.right)
    ]


def test_a_lemma_along_a_segment_is_proved_for_every_t() -> None:
    where = ADMISSIBLE.also(between(t, 0, 1))
    first = lines.projection_segment(P, u, y)
    claim = 0 <= (P - u) @ (y - P) + t / 2 * (y - P) ** 2
    assert check(line(claim, [1 * first], domain=where)).passed
    assert not check(line(claim, [1 * lines.projection_segment(P, u, y, sp.Rational(2, 5))], domain=where)).passed
    grows = lines.prox_segment(HAT, y)
    right = f(y) + (y - u) ** 2 / (2 * lam) - f(HAT) - (HAT - u) ** 2 / (2 * lam)
    claim = (1 - t) * (1 / lam - rho) / 2 * (y - HAT) ** 2 <= right
    assert check(line(claim, [1 * grows], domain=where, assumes=(WEAKLY_CONVEX,))).passed
    steep = lines.prox_segment(HAT, y, 1 / lam)
    assert not check(line(claim, [1 * steep], domain=where, assumes=(WEAKLY_CONVEX,))).passed


def test_a_fact_is_written_by_the_function_of_its_name() -> None:
    phi = lines.convex_function(f)
    assert (phi.role, phi.of, phi.name) == ("convex", f, r"\phi")
    written = {
        lines.convex_part(f, phi, y): ("convex_part", (f, phi, y)),
        lines.tangent(f, phi, y, w): ("tangent", (f, phi, y, w)),
        lines.jensen(phi, y, w, a): ("jensen", (phi, y, w, a)),
        lines.outer_tangent(f, u, v): ("outer_tangent", (f, u, v)),
        lines.linearisation(u, v): ("linearisation", (u, v)),
        lines.nearest(P, u, y): ("projection_minimises", (P, u, y)),
        lines.uniform(u**2): ("uniform", (u**2, False)),
        lines.uniform(u**2, shift=True): ("uniform", (u**2, True)),
        lines.first_term(u**2): ("first_term", (u**2, "K")),
        lines.last_term(u**2): ("last_term", (u**2, True)),
        lines.last_term(u**2, ended=False): ("last_term", (u**2, False)),
    }
    for use, (kind, arguments) in written.items():
        assert use.fact == Fact(kind, arguments)
        assert (a * use).multiplier == a
    use, own = assume(u**2 <= 1, "short")
    assert (own.kind, own.name) == ("own", "short")
    assert own.meaning.startswith("short [")
    assert use.fact.unfolded.foundations == (own,)
    assert assume(u**2 <= 1, "short", "it is short")[1].meaning.startswith("it is short [")


def test_the_facts_of_a_line_are_added_up_once() -> None:
    low = line(0 <= 2 * u**2, [2 * square(u)], domain=Domain(positive(a)))
    whole = line(
        0 <= 5 * u**2 + a * (u**2 + v**2 - 2 * (u @ v)),
        [1 * low, 3 * square(u), a * square(u - v)],
        domain=Domain(positive(a)),
    )
    found = lines.flat(whole)
    assert check(found).passed
    assert [(one.multiplier, one.source) for one in found.terms] == [(5, square(u).fact), (a, square(u - v).fact)]
    kept = line(u @ v <= u**2 + v**2 / 4, [1 * young(u, v, half)], domain=Domain())
    assert [one.source for one in lines.flat(kept).terms] == [kept.terms[0].source]


# --- letters

INDICES = [(-1, False), (0, False), (1, False), (2, False), (0, True), (1, True), (3, True)]


def before(index: int, first: bool) -> Iterate:
    """The iterate before, with x_{-1} = x_0 at the first step."""
    return Iterate(0, True) if (index, first) == (0, True) else Iterate(index - 1, first)


@pytest.mark.parametrize(("index", "first"), INDICES)
def test_the_letters_of_the_method(index: int, first: bool) -> None:
    here, late = Iterate(index, first), before(index, first)
    d = (late - here) / alpha
    p = (1 - beta) / beta * (here - late)
    wanted = {letters.d: ("d", d), letters.p: ("p", p), letters.bar: (r"\bar x", here + p)}
    _named(wanted, index, first)
    g = letters.sample(index, first)
    assert (g.name, g.at, g.function) == (indexed("g", index, first), here, f)
    z = letters.z(index, first)
    assert z.of == beta * g + (1 - beta) * letters.d(index, first)
    assert (z.name, z.because, z.index, z.first) == (indexed("z", index, first), "recursion", index, first)
    _envelope(letters, index, first)
    assert letters.trial_at(u, index, first) == here - alpha * u
    assert letters.stepsize(index, first) == alpha


@pytest.mark.parametrize(("index", "first"), INDICES)
def test_the_letters_with_a_stepsize_for_each_step(index: int, first: bool) -> None:
    here, late = Iterate(index, first), before(index, first)
    al, al_prev = (sp.Symbol(indexed("alpha", i, first)) for i in (index, index - 1))
    ahead = sp.Symbol(indexed("S", index, first))
    assert (scheduled.stepsize(index, first), scheduled.ahead(index, first)) == (al, ahead)
    d = (late - here) / al_prev
    own = scheduled.d(index, first)
    _named({scheduled.d: ("d", d), scheduled.bar: (r"\bar x", here - (1 - beta) * ahead * own)}, index, first)
    z = scheduled.z(index, first)
    assert z.of == beta * sample(index, first) + (1 - beta) * own
    assert (z.name, z.because, z.index, z.first) == (indexed("z", index, first), "recursion", index, first)
    _envelope(scheduled, index, first)
    assert scheduled.trial_at(u, index, first) == here - al * u


def _named(wanted: dict[Any, tuple[str, Node]], index: int, first: bool) -> None:
    for make, (name, of) in wanted.items():
        found = make(index, first)
        assert (found.name, found.of) == (indexed(name, index, first), of)
        assert (found.index, found.first, found.because) == (index, first, "")
        module = inspect.getmodule(make)
        assert meaning(found, module.MEANING) == found.of  # type: ignore[union-attr]


def _envelope(module: Any, index: int, first: bool) -> None:
    bar, hat, slope = (make(index, first) for make in (module.bar, module.prox, module.gradient))
    assert (hat.name, hat.of, hat.envelope, hat.function) == (indexed(r"\hat x", index, first), bar, lam, f)
    assert slope.name == rf"\nabla F_\lambda({bar.name})"
    assert (slope.of, slope.index, slope.first) == ((bar - hat) / lam, index, first)
    assert meaning(slope, module.MEANING) == slope.of


def test_the_letters_without_an_index_are_those_of_step_k() -> None:
    for module in (letters, scheduled):
        for make in (module.d, module.bar, module.z, module.prox, module.gradient, module.recursion):
            assert make() == make(0, False) != make(1)
        assert module.trial_at(u) == module.trial_at(u, 0, False)
    assert (scheduled.ahead(), scheduled.stepsize()) == (sp.Symbol("S_k"), sp.Symbol("alpha_k"))
    assert letters.x() == Iterate(0, False)
    assert letters.sample() == letters.g_k == f.sample(Iterate(0))
    named = {
        "x_prev x_k x_next": [x(-1), x(0), x(1)],
        "g_k g_next d_k d_next": [sample(0), sample(1), letters.d(0), letters.d(1)],
        "p_k p_next z_k z_next": [letters.p(0), letters.p(1), letters.z(0), letters.z(1)],
        "x_bar x_bar_next x_hat x_hat_next": [letters.bar(0), letters.bar(1), letters.prox(0), letters.prox(1)],
    }
    for names, nodes in named.items():
        assert [getattr(letters, name) for name in names.split()] == nodes
    assert letters.z_printed == Named("z_0", f.sample(Iterate(0, True)), "printed start", 0, True)
    assert letters.meaning(Named("d_k", u)) is letters.meaning(Named("q_k", u, "", 0)) is None


def test_the_usual_ranges() -> None:
    found = {one.symbol: one for one in ADMISSIBLE.entries}
    assert found[rho] == nonnegative(rho)
    assert (found[nu].lower, found[nu].strict) == (0, True)
    assert (found[beta].lower, found[beta].upper) == (0, 1)
    assert (found[lam].lower, found[lam].inverse, found[lam].strict) == (2 * rho, True, False)
    assert all(found[one].lower == 0 and not found[one].strict for one in (L2, sigma2, G2))
    assert [one.formula for one in ADMISSIBLE.definitions] == [beta / nu, (1 - beta) / nu]
    assert len(found) == 9


# --- trees at other steps


@pytest.mark.parametrize(
    ("tree", "after", "at_0"),
    [
        (x_k, "x_{k+1}", "x_0"),
        (x_prev, "x_k", "x_0"),
        (x_next, "x_{k+2}", "x_1"),
        (x(2, True), "x_2", "x_2"),
        (z_any, "z_{k+1}", "z_0"),
        (g_k, "g_{k+1}", "g_0"),
        (x_hat, r"\hat x_{k+1}", r"\hat x_0"),
        (d_k, "d_{k+1}", "d_0"),
        (letters.d(12), "d_{k+13}", "d_{12}"),
        (grad_env, r"\nabla F_\lambda(\bar x_{k+1})", r"\nabla F_\lambda(\bar x_0)"),
        (u, "u", "u"),
        (f.slope(x_k), "f'(x_{k+1})", "f'(x_0)"),
        (Named("q", u), "q", "q"),
        (Named("q_k", x_k, "", 0), "q_{k+1}", "q_0"),
        (E(d_k**2, PAST), r"\mathbb{E}\left[\|d_{k+1}\|^2\,\middle|\,\mathcal{F}_k\right]", None),
        (sp.Symbol("a_k") * u, "a_{k+1} u", "a_{0} u"),
        (Number(sp.Symbol("a_{k-1}")), "a_{k}", "a_{-1}"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_tree_at_the_next_step_and_at_the_first(tree: Node, after: str, at_0: str | None) -> None:
    assert str(shifted(tree)) == after
    assert shifted(shifted(tree), -1) == tree == shifted(tree, 0)
    if at_0 is not None:
        assert str(at_start(tree)) == at_0
        assert at_start(at_start(tree)) == at_start(tree)
        assert not any(getattr(one, "first", True) is False for one in walk(at_start(tree)) if isinstance(one, Iterate))


def test_when_a_tree_is_known() -> None:
    fields = {x_prev: -2, x_k: -1, x_next: 0, z_any: 0, g_k: 0, d_k: -1, u: TOTAL, vector("q", 3): 3}
    fields |= {x(0, True): TOTAL, x(1, True): 0, sample(0, True): 0, f.sample(u, "g"): 0, f.slope(x_next): 0}
    fields |= {E(g_k**2, PAST): -1, E(x_prev**2, PAST): -2, E(g_k**2): TOTAL, x_prev @ g_k: 0, Number(1): TOTAL}
    for node, at in fields.items():
        assert known(node) == at


def test_members_of_a_sequence() -> None:
    assert [of_step(sp.Symbol(name)) for name in ("a_k", "a_{k+2}", "a_{k-1}", "a_0", "a", "a_{k}b")] == [
        *(("a", 0), ("a", 2), ("a", -1)),
        *(None, None, None),
    ]
    assert [indexed("a", i) for i in (-1, 0, 1)] == ["a_{k-1}", "a_k", "a_{k+1}"]
    assert [indexed("a", i, True) for i in (-1, 0, 9, 10)] == ["a_{-1}", "a_0", "a_9", "a_{10}"]
    value = sp.Symbol("a_k") + b * sp.Symbol("c_{k+1}")
    assert moved(value) == value
    assert moved(value, 1) == sp.Symbol("a_{k+1}") + b * sp.Symbol("c_{k+2}")
    assert moved(value, first=True) == sp.Symbol("a_0") + b * sp.Symbol("c_1")


# --- the data of a proof


def classes() -> list[Any]:
    found = []
    for one in pkgutil.iter_modules(shbcore.proof.__path__):
        module = importlib.import_module(f"shbcore.proof.{one.name}")
        found += [one for _, one in inspect.getmembers(module, inspect.isclass) if dataclasses.is_dataclass(one)]
    return [
        one for one in dict.fromkeys(found) if one.__module__.startswith("shbcore.proof") and one.__name__ != "_Gram"
    ]


def test_what_the_kernel_has_read_cannot_be_changed_afterwards() -> None:
    """A line is verified once and remembered: nothing in it may change."""
    assert len(classes()) > 30
    for one in classes():
        assert one.__dataclass_params__.frozen, one  # type: ignore[attr-defined]
    for thing, name in ((u, "name"), (x_k, "index"), (line(0 <= u**2, [1 * square(u)]), "terms"), (HAT, "of")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, name, None)


def test_lines_are_told_apart_by_what_they_are_and_data_by_what_they_say() -> None:
    single = {"Line", "Term", "Limit", "Later", "Induction", "Summation", "AlmostSurely", "Template"}
    for one in classes():
        eq = one.__dataclass_params__.eq  # type: ignore[attr-defined]
        assert eq == (one.__name__ not in single and one.__module__ != "shbcore.proof.lyapunov"), one
    assert line(0 <= u**2, [1 * square(u)]) != line(0 <= u**2, [1 * square(u)])
    assert (Number(0) <= u**2) == Relation(Number(0), u**2) == (u**2 >= 0)
    assert ((u**2 >= 0).turned, (Number(0) <= u**2).turned) == (True, False)
    assert vector("u") == u != vector("u", PAST) != vector("u", PAST, inside=True)


def test_fingerprints_see_everything_that_is_said() -> None:
    one = Statement(0 <= u**2, PAST, Domain(positive(a)), (A1,), Scope.EVERY)
    others = [
        dataclasses.replace(one, **change)
        for change in (
            *({"relation": 0 <= v**2}, {"relation": (u**2).equals(0)}, {"given": NOW}, {"domain": Domain()}),
            *({"assumes": (A2,)}, {"assumes": ()}, {"scope": Scope.STEP}),
        )
    ]
    prints = [each.fingerprint for each in (one, *others)]
    assert len(set(prints)) == len(prints)
    assert all(len(each) == 16 for each in prints)
    assert dataclasses.replace(one, relation=u**2 >= 0).fingerprint == one.fingerprint
    assert canonical((u, Scope.STEP, a)) == (f"(Free(name='u',known={TOTAL},inside=False),STEP,Symbol('a'))")
    assert canonical(Proximal) == repr(Proximal)
    assert str(dataclasses.replace(one, relation=Number(0) <= u**2, scope=Scope.ANY)) == "0 <= |u|^2"
    assert str(one).endswith(", for every k>=0, with either start")
    assert Slope(f, x_k).name == "f'(x_k)"
