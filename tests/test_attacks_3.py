"""False claims about stepsizes that change from step to step: each must be refused, for its own reason.

Same style as ``test_attacks.py``.  The comment at a row names a model in which the claim is false.  The lines on which the attacks are
built are right, and accepted: a kernel that refuses everything would not pass.
"""

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from shbcore.claims.beyond import almost_surely as steps
from shbcore.claims.beyond.schedule_steps import NOISE_ANY, any_step
from shbcore.proof import *
from shbcore.proof.foundations import ROBBINS_SIEGMUND
from shbcore.proof.kernel import Term
from shbcore.proof.language import Series, at_start, moved, of_step, sequence
from shbcore.proof.letters import x
from shbcore.proof.lines import first_term
from shbcore.proof.scheduled import ahead, bar, d, stepsize, trial_at, z
from shbcore.proof.surely import AlmostSurely
from tests.test_attacks import Attack, _refusal

ATTACKS: list[Attack] = []
al, al_next, al_prev = (stepsize(j) for j in (0, 1, -1))
S, S_next = ahead(), ahead(1)
c_k, c_next, nu_0 = sequence("c"), sequence("c", 1), sp.Symbol("nu")
ORACLE = (A2,)
ANY = Domain(positive(al_prev), positive(al), positive(al_next), between(beta, 0, 1), nonnegative(L2), nonnegative(rho))
FALLING = ANY.also(between(al_next, 0, al))
RUN = ANY.also(*ANY.started())
d_k, d_next, z_k = d(0), d(1), z(0)
trial = trial_at(z_k)


def attacks(kind: str, *rows: tuple[str, str, Any]) -> None:
    for what, reason, build in rows:
        ATTACKS.append(Attack(kind, what, build, reason))


# --- right lines


def shorter(domain: Domain = ANY, at: Any = trial) -> Line:
    """|d_{k+1}|^2 <= beta L^2 + (1 - beta) |d_k|^2."""
    terms = [
        1 / al**2 * nonexpansive(x_next, at, x_k),
        1 * square_convexity(g_k, d_k, beta),
        beta * second_moment(g_k),
    ]
    claim = d_next**2 <= beta * Number(L2) + (1 - beta) * d_k**2
    return line(claim, terms, TOTAL, domain=domain, assumes=ORACLE, scope=Scope.STEP)


def weighted(weight: Any = al * beta, domain: Domain = FALLING, potential: Any = None, noise: Any = None) -> Summation:
    """sum alpha_k beta |d_k|^2 <= sum alpha_k beta L^2 for stepsizes that do not grow, with alpha_k |d_k|^2 as the potential."""
    kept = al * d_next**2 <= al * d_k**2 - al * beta * d_k**2 + al * beta * Number(L2)
    line_k = line(kept, [al * shorter(domain)], TOTAL, domain=domain, assumes=ORACLE, scope=Scope.STEP)
    after = al_next * d_next**2 <= al * d_k**2 - al * beta * d_k**2 + al * beta * Number(L2)
    fallen = line(
        after, [1 * line_k, (al - al_next) * square(d_next)], TOTAL, domain=domain, assumes=ORACLE, scope=Scope.STEP
    )
    own = al * d_k**2 if potential is None else potential
    return Summation(fallen, own, d_k**2, weight, al * beta * L2 if noise is None else noise)


def summed(claim: Any, domain: Domain = FALLING, **how: Any) -> Line:
    where = domain.also(*domain.started())
    terms = [1 * weighted(domain=domain, **how), al * square(d_k)]
    return line(claim, terms, TOTAL, domain=where, assumes=ORACLE, scope=Scope.RUN)


SUM = Series(al * beta * d_k**2)
COST = Series(Number(al * beta * L2))


def test_the_lines_under_attack_are_right() -> None:
    for one in (shorter(), weighted(), summed(SUM <= COST)):
        assert check(one).passed, check(one).detail


def test_parameters_of_a_step_move_and_others_do_not() -> None:
    assert of_step(al_next) == ("alpha", 1)
    assert of_step(sp.Symbol("alpha_0")) is of_step(beta) is None
    assert moved(al * beta + al_prev, 1) == al_next * beta + al
    assert moved(al + al_prev, first=True) == sp.Symbol("alpha_0") + sp.Symbol("alpha_{-1}")
    assert shifted(al * d_k**2) == al_next * d_next**2
    assert at_start(al * d_next**2) == sp.Symbol("alpha_0") * d(1, first=True) ** 2


# --- stepsizes
def _wrong_step() -> Line:
    return shorter(at=x_k - al_next * z_k)


def _called_d() -> Line:
    return line((Named("d_k", (x_prev - x_k) / al, "", 0) ** 2).equals(d_k**2), domain=ANY, scope=Scope.EVERY)


def _called_bar() -> Line:
    """The extrapolated point of a constant stepsize under the name of the one that looks ahead."""
    paper = Named(r"\bar x_k", x_k + (1 - beta) / beta * (x_k - x_prev), "", 0)
    where = ANY.also(nonnegative(S_next), defined(S, al + (1 - beta) * S_next))
    return line((paper**2).equals(bar(0) ** 2), domain=where, scope=Scope.EVERY)


def _constant_below() -> Line:
    low = line(
        (x_k - x_next) ** 2 <= alpha**2 * z_any**2,
        [1 * nonexpansive(x_next, x_k - alpha * z_any, x_k)],
        domain=Domain(positive(alpha)),
        scope=Scope.EVERY,
    )
    return line((x_k - x_next) ** 2 <= al**2 * z_any**2, [1 * low], domain=ANY, scope=Scope.EVERY)


def _fixed_below() -> Line:
    """An earlier line about the first step fixes its stepsize, of which the later one does not speak."""
    x_0, x_1, z_0 = x(0, True), x(1, True), z(0, True)
    first = {"assumes": (), "scope": Scope.FIRST_REPAIRED}
    where = ANY.also(*ANY.started(), defined(sp.Symbol("alpha_0"), 1))
    claim = (x_0 - x_1) ** 2 <= z_0**2
    low = line(claim, [1 * nonexpansive(x_1, trial_at(z_0, 0, True), x_0)], domain=where, **first)
    return line(claim, [1 * low], domain=ANY.also(positive(sp.Symbol("alpha_{-1}"))), **first)


def _moving_envelope() -> Line:
    own = Function("F_c", role="envelope", of=f, envelope=c_k)
    where = ANY.also(defined(rho, 0), positive(c_k), positive(c_next))
    return line(
        own(x_next) <= f(x_next),
        [1 * envelope_infimum(own, x_next, x_next)],
        domain=where,
        assumes=(WEAKLY_CONVEX,),
        scope=Scope.EVERY,
    )


attacks(
    "stepsizes",
    ("growing stepsizes used as falling", "non-negative", lambda: sign(al - al_next, domain=ANY)),  # alpha = 1, 2
    ("a weight that grows telescopes", "non-negative", lambda: weighted(domain=ANY)),  # alpha = 1, 2, and d != 0
    ("the step is made with alpha_{k+1}", "not the direction", _wrong_step),  # alpha_{k+1} = 2 alpha_k
    ("d_k with alpha_k", "d_k", _called_d),  # alpha_k = 2 alpha_{k-1}
    ("the paper's extrapolated point", "x_bar_k", _called_bar),  # alpha_{k-1} = 1, alpha_k = 2
    ("alpha is alpha_k", "alpha", _constant_below),  # alpha = 2 alpha_k
    ("both stepsizes in one domain", "two methods", lambda: shorter(ANY.also(positive(alpha)))),  # which one?
    ("alpha_0 = 1 in an earlier line only", "alpha_0", _fixed_below),  # alpha_0 = 2
    ("nu = beta / alpha_k without an index", "index", lambda: shorter(ANY.also(defined(nu_0, beta / al)))),
    ("an envelope that moves with the step", "envelope", _moving_envelope),
)


# --- sums
def _outside() -> Line:
    return summed(al * beta * Series(d_k**2) <= COST)


def _count() -> Line:
    where = FALLING.also(at_least(N, 1))
    return summed(SUM <= N**2 * Number(al * beta * L2), domain=where)


def _from_one() -> Line:
    """The sum from 1, claimed of the potential at 0."""
    total = weighted()
    late = Summation(total.line, total.potential, total.measure, total.weight, total.noise, first=1)
    where = FALLING.also(*FALLING.started(), *FALLING.started(1))
    claim = Series(al * beta * d_k**2, 1) <= Series(Number(al * beta * L2), 1)
    return line(claim, [1 * late, al * square(d_k)], TOTAL, domain=where, assumes=ORACLE, scope=Scope.RUN)


def _first_of_it() -> Line:
    """The first term of a sum with the stepsize of step k."""
    of = al * d_next**2
    claim = Series(of).equals(al * E(d(1, True) ** 2) + Series(of, 1))
    return line(claim, [1 * first_term(of)], TOTAL, domain=RUN, scope=Scope.RUN_ANY)


def _endless() -> Line:
    return line(Series(al * d_k**2, 0, "oo").equals(Series(al * d_k**2, 0, "oo")), domain=ANY, scope=Scope.RUN)  # type: ignore[arg-type]


def _empty_class() -> Summation:
    return weighted(domain=ANY.also(at_least(al, 1), between(al_next, 0, al / 2)))


def _two_meanings() -> Summation:
    where = FALLING.also(defined(c_k, al), defined(c_next, 0))
    kept = c_next * d_next**2 <= c_k * d_k**2 + al * beta * Number(L2)
    terms = [al * shorter(where), al * beta * square(d_k), al * square(d_next)]
    step = line(kept, terms, TOTAL, domain=where, assumes=ORACLE, scope=Scope.STEP)
    return Summation(step, c_k * d_k**2, d_k**2, 0, al * beta * L2)


def _start_of_it() -> Line:
    """x_{-1} = x_0, but nothing is said of alpha_{-1}: a potential that has it begins with it."""
    grown = line(
        Number(al) <= Number(al_prev),
        [1 * number(al_prev - al)],
        domain=FALLING.also(between(al, 0, al_prev)),
        scope=Scope.EVERY,
    )
    total = Summation(grown, Number(al_prev), Number(sp.S.Zero), 0, 0)
    where = FALLING.also(between(al, 0, al_prev), at_least(N, 1))
    return line(
        Number(al_prev) <= Number(sp.Symbol("alpha_0")),
        [1 * total],
        TOTAL,
        domain=where.also(*where.started()),
        scope=Scope.RUN_ANY,
    )


attacks(
    "sums",
    ("the weight before the sum", "identity", _outside),  # alpha_{K+1} is not alpha_k
    ("K + 1 times the noise of one step", "identity", _count),  # alpha_{K+1} small, alpha_0 large
    ("a potential whose weight does not move", "form", lambda: weighted(potential=beta * d_k**2)),
    ("the weight of the step after", "form", lambda: weighted(weight=al_next * beta)),
    ("a weight of the wrong sign", "form", lambda: weighted(weight=-al * beta)),
    ("the noise of the step after", "form", lambda: weighted(noise=al_next * beta * L2)),
    ("half of the noise", "form", lambda: weighted(noise=al * beta * L2 / 2)),
    ("a sum from 1 begins at 0", "identity", _from_one),  # the potential at 1 is left out: alpha_1 |d_1|^2 > 0
    ("the first term with the stepsize of step k", "identity", _first_of_it),  # alpha_0 != alpha_{K+1}
    ("an endless sum", "oo", _endless),
    ("a class without members", "agree", _empty_class),  # alpha_k >= 1 and alpha_{k+1} <= alpha_k / 2
    ("a sequence with two meanings", "agree", _two_meanings),  # c_k = alpha_k and c_k = 0
    ("alpha_{-1} is alpha_0", "identity", _start_of_it),  # alpha_{-1} = 2, alpha_k = 1
)


# --- other joins
def _from_a_fixed_start() -> Induction:
    """alpha_k <= 1 for every k, from alpha_{-1} = 1."""
    where = Domain(positive(al_prev), between(al, 0, al_prev))
    relation = Number(al_prev) <= Number(sp.S.One)
    fixed = Domain(defined(sp.Symbol("alpha_{-1}"), 1), positive(sp.Symbol("alpha_0")))
    base = line(
        at_start(relation.left) <= at_start(relation.right),
        [1 * number(1 - sp.Symbol("alpha_{-1}"))],
        TOTAL,
        domain=fixed,
    )
    own = hypothesis(relation)
    (mark,) = own.unfolded.foundations
    step = line(
        shifted(relation.left) <= shifted(relation.right),
        [Term(sp.S.One, own), 1 * number(al_prev - al)],
        TOTAL,
        domain=where,
        assumes=(mark,),
        scope=Scope.EVERY,
    )
    second = line(
        Number(sp.Symbol("alpha_0")) <= Number(sp.S.One),
        [1 * number(1 - sp.Symbol("alpha_0"))],
        TOTAL,
        domain=Domain(between(sp.Symbol("alpha_0"), 0, 1)),
        scope=Scope.FIRST,
    )
    return Induction(relation, base, step, second)


attacks(
    "other joins",
    ("an induction from a fixed start", "non-negative", _from_a_fixed_start),  # alpha = 2, 2, 2, ...
    ("a line moved on", "moved", lambda: Later(shorter())),  # its domain would be about step k + 1
    ("a limit of a stepsize", "limit", lambda: Limit(shorter(), al)),
)


# --- almost surely
def _surely(**change: Any) -> AlmostSurely:
    """The right one, changed."""
    own = steps.rough_paths(what=change.pop("what", "liminf"))
    return replace(own, **change)


def _in_total() -> AlmostSurely:
    """The line for any schedule is in total expectation: its noise was averaged, and nothing is known of single paths."""
    return _surely(line=any_step(), potential=F_env(bar(0)), noise=NOISE_ANY, what="rest")


def _moving_floor() -> AlmostSurely:
    own = steps.rough_paths()
    says = own.lower.statement
    low = line(
        -1 / al * f_star - 1 / al * (-1 * f_star) + f_star - al * Number(sp.S.One) <= says.relation.right,
        [1 * own.lower, 1 * number(al)],
        domain=says.domain,
        assumes=says.assumes,
        scope=says.scope,
    )
    return _surely(lower=low)


def _used() -> Line:
    own = steps.smooth_paths()
    return line(own.statement.relation, [1 * own], domain=own.statement.domain, assumes=own.statement.assumes)


attacks(
    "almost surely",
    ("a line in total expectation", "given the past", _in_total),  # rare large jumps, whose mean is small
    ("a noise that is not summable", "summable", lambda: _surely(factor=L2 / lam / 2)),
    (
        "a factor that grows with the step",
        "depends on the step",
        lambda: _surely(factor=L2 / (lam * al)),
    ),  # alpha_k = 1/k
    ("a floor that falls with the step", "depends on the step", _moving_floor),
    ("a potential of the next step", "S_{k+2}", lambda: _surely(potential=shifted(steps.H_k))),
    ("weights that may have a finite sum", "infinite sum", lambda: _surely(least=0)),  # weights 1/k^2
    ("weights compared with the step", "depends on the step", lambda: _surely(least=al)),
    ("a limit from a lower limit", "how fast", lambda: _surely(what="lim")),  # a path that swings ever more slowly
    ("a rate that depends on the step", "depends on the step", lambda: replace(steps.limit_zero(), rate=L2 / al)),
    (
        "a slow change of another vector",
        "measure",
        lambda: replace(steps.limit_zero(), slow=steps.moves_slowly(), rate=steps.REACH),
    ),
    ("a measure that is no square", "square", lambda: _surely(measure=grad_in(), what="rest")),
    ("a statement about paths in a line", "", _used),
    ("another word", "lemma", lambda: _surely(what="limsup")),
)


def grad_in() -> Any:
    from shbcore.proof.scheduled import gradient

    return gradient(0) @ gradient(0).of


def test_what_is_attacked_almost_surely_is_right() -> None:
    assert check(steps.rough_paths(what="liminf")).passed
    assert check(steps.limit_zero()).passed
    found = check(steps.smooth_paths()).foundations
    assert ROBBINS_SIEGMUND in found
    assert {A2, BOUNDED_GRADIENT}.isdisjoint(found)


@pytest.mark.parametrize("one", ATTACKS, ids=lambda one: f"{one.kind}: {one.what}")
def test_a_false_claim_is_refused_with_its_reason(one: Attack) -> None:
    refusal = _refusal(one)
    assert refusal is not None, "a false claim was accepted"
    assert one.reason in refusal, refusal


def test_the_class_is_always_printed() -> None:
    words = summed(SUM <= COST).statement.words
    assert r"\alpha_{k+1}\in(0,\alpha_{k}]" in words
    assert r"\sum_{k=0}^{K}\alpha_{k} \beta\,\mathbb{E}\|d_k\|^2\le \sum_{k=0}^{K}" in words
