"""The closed list of what may be used without proof, word for word: whoever changes an axiom has to change it here too.

Each is also evaluated on exact instances where it speaks of one step; and which earlier lines a scope may use is derived from its meaning.
"""

from typing import Any

import pytest
import sympy as sp

from shbcore.claims.falsify import contradicted
from shbcore.proof import *
from shbcore.proof import facts, foundations, lines
from shbcore.proof.language import at_start
from shbcore.proof.statement import USABLE

u, v, y = vector("u", inside=True), vector("v", inside=True), vector("y")
phi, w = lines.convex_function(f), sp.Symbol("w")
e = g_k**2
STEEP = f.slope(v) - f.slope(u)
LINEAR = sp.Symbol("L_h") * sp.Symbol("L_c")
a, b = vector("a"), vector("b")
V, IMAGE, ERROR = facts.composition(a, b)
on = foundations

# kind, arguments, what it says, what it rests on, and what must hold for it: signs, points of X, projections, scopes
LIST: list[tuple[str, tuple[Any, ...], Relation, tuple[Any, ...], dict[str, Any]]] = [
    ("square", (v,), Number(0) <= v**2, (), {}),
    ("number", (w,), Number(0) <= Number(w), (), {"nonnegative": (w,)}),
    (
        *("weak_convexity", (f, u, v), f(u) + f.slope(u) @ (v - u) - rho / 2 * (v - u) ** 2 <= f(v)),
        *((on.WEAKLY_CONVEX,), {"inside": (u, v)}),
    ),
    (
        *("convex_part", (f, phi, u), phi(u).equals(f(u) + rho / 2 * u**2)),
        *((on.WEAKLY_CONVEX,), {"inside": (u,)}),
    ),
    (
        *("tangent", (f, phi, u, v), phi(u) + (f.slope(u) + rho * u) @ (v - u) <= phi(v)),
        *((on.WEAKLY_CONVEX, on.TANGENT), {"inside": (u, v)}),
    ),
    (
        *("jensen", (phi, u, v, w), phi(w * u + (1 - w) * v) <= w * phi(u) + (1 - w) * phi(v)),
        *((on.WEAKLY_CONVEX,), {"inside": (u, v), "nonnegative": (w, 1 - w)}),
    ),
    (
        *("outer_tangent", (f, a, b), f(a) + V @ Named("c(b)-c(a)", IMAGE + ERROR) <= f(b)),
        *((on.LIPSCHITZ_OUTER,), {}),
    ),
    (
        *("linearisation", (a, b), -(V @ ERROR) <= LINEAR / 2 * (b - a) ** 2),
        *((on.LIPSCHITZ_OUTER, on.LIPSCHITZ_JACOBIAN), {"nonnegative": (sp.Symbol("L_h"), sp.Symbol("L_c"))}),
    ),
    (
        *("smooth_above", (f, u, v), f(v) <= f(u) + f.slope(u) @ (v - u) + rho / 2 * (v - u) ** 2),
        *((SMOOTH, on.DESCENT), {"nonnegative": (rho,), "inside": (u, v)}),
    ),
    (
        *("lipschitz_gradient", (f, u, v), (f.slope(u) - f.slope(v)) ** 2 <= rho**2 * (u - v) ** 2),
        *((SMOOTH,), {"nonnegative": (rho,), "inside": (u, v)}),
    ),
    (
        *("interpolation", (f, u, v)),
        f(v) >= f(u) + f.slope(u) @ (v - u) + STEEP @ (v - u) / 2 + STEEP**2 / (4 * rho) - rho / 4 * (v - u) ** 2,
        *((SMOOTH_EVERYWHERE, on.COCOERCIVITY), {"positive": (rho,)}),
    ),
    (
        *("projection_minimises", (p_k, y, u), (p_k - y) ** 2 <= (u - y) ** 2),
        *((on.PROJECTION,), {"inside": (u,), "projections": ((p_k, y),)}),
    ),
    (
        *("conjugate_value", (h_star, p_k, y), h_star(y).equals(y @ p_k - p_k**2 / 2)),
        *((on.CONJUGATE, on.PROJECTION), {"projections": ((p_k, y),)}),
    ),
    ("whole_space", (p_k, y, v), ((p_k - y) @ v).equals(0), (WHOLE_SPACE,), {"projections": ((p_k, y),)}),
    (
        *("prox_minimises", (x_hat, u)),
        f(x_hat) + (x_hat - x_bar) ** 2 / (2 * lam) <= f(u) + (u - x_bar) ** 2 / (2 * lam),
        *((on.PROX,), {"positive": (lam,), "inside": (u,)}),
    ),
    (
        *("envelope_attained", (F_env, x_hat), F_env(x_bar).equals(f(x_hat) + (x_hat - x_bar) ** 2 / (2 * lam))),
        *((on.PROX,), {"positive": (lam,)}),
    ),
    (
        *("envelope_infimum", (F_env, y, u), F_env(y) <= f(u) + (u - y) ** 2 / (2 * lam)),
        *((on.PROX,), {"positive": (lam,), "inside": (u,)}),
    ),
    (
        *("free_prox", (x_hat, v), ((f.slope(x_hat) - (x_bar - x_hat) / lam) @ v).equals(0)),
        *((SMOOTH, WHOLE_SPACE, on.STATIONARY_PROX, on.PROX), {"positive": (lam,)}),
    ),
    ("second_moment", (g_k,), E(e, PAST) <= Number(L2), (A2,), {"nonnegative": (L2,), "inside": (x_k,)}),
    (
        "variance",
        (g_k,),
        E((g_k - f.slope(x_k)) ** 2, PAST) <= Number(sigma2),
        (A3,),
        {"nonnegative": (sigma2,), "inside": (x_k,)},
    ),
    ("sure_bound", (g_k,), e <= Number(L2), (SURE,), {"nonnegative": (L2,), "inside": (x_k,)}),
    (
        "bounded_gradient",
        (f, u),
        f.slope(u) ** 2 <= Number(G2),
        (BOUNDED_GRADIENT,),
        {"nonnegative": (G2,), "inside": (u,)},
    ),
    ("infimum", (f, u), f_star <= f(u), (BOUNDED_BELOW,), {"inside": (u,)}),
    ("first_term", (e, "K"), Series(e, 0, "K").equals(E(at_start(e)) + Series(e, 1, "K")), (on.SUMMATION,), {}),
    (
        *("last_term", (e, True), Series(e, 0, "K").equals(Series(e, 0, "K-1") + E(shifted(e, -1)))),
        *((on.SUMMATION,), {"scopes": (Scope.RUN, Scope.RUN_PRINTED, Scope.RUN_ANY)}),
    ),
    (
        *("last_term", (e, False), Series(e, 0, "K").equals(Series(e, 0, "K-1") + E(e))),
        *((on.SUMMATION,), {"scopes": (Scope.SHORT_RUN,)}),
    ),
    (
        "uniform",
        (e, False),
        (N**2 * RandomIndex(e, False)).equals(Series(e, 0, "K")),
        (on.UNIFORM,),
        {"positive": (N,)},
    ),
    (
        *("uniform", (e, True), (N**2 * RandomIndex(e, True)).equals(E(at_start(e)) + Series(e, 0, "K-1"))),
        *((on.UNIFORM,), {"positive": (N,)}),
    ),
]
EMPTY = {"positive": (), "nonnegative": (), "inside": (), "projections": (), "scopes": ()}


@pytest.mark.parametrize(
    ("kind", "arguments", "says", "rests", "needs"), LIST, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_fact_says_this_and_presupposes_that(kind: str, arguments: Any, says: Any, rests: Any, needs: Any) -> None:
    found = facts.Fact(kind, arguments).unfolded
    assert found.relation == says
    assert found.foundations == rests
    assert {name: getattr(found, name) for name in EMPTY} == {**EMPTY, **needs}


def test_the_list_is_closed() -> None:
    assert {one[0] for one in LIST} | {"assumed"} == set(facts.KINDS)
    with pytest.raises(ValueError, match="unknown"):
        facts.Fact("triangle", (u, v))


WRONG: list[tuple[str, tuple[Any, ...], str]] = [
    ("weak_convexity", (F_env, u, v), "not the objective"),
    ("convex_part", (f, f, u), "not declared as the convex function"),
    ("convex_part", (f, F_env, u), "not declared as the convex function"),
    ("convex_part", (f, lines.convex_function(F_env), u), "not declared as the convex function"),
    ("tangent", (f, h_star, u, v), "not declared as the convex function"),
    ("tangent", (f, F_env, u, v), "not declared as the convex function"),
    ("tangent", (f, lines.convex_function(F_env), u, v), "not declared as the convex function"),
    ("jensen", (h_star, u, v, w), "not the convex function of the objective"),
    ("jensen", (lines.convex_function(F_env), u, v, w), "not the convex function of the objective"),
    ("conjugate_value", (f, p_k, y), "not the conjugate"),
    ("envelope_infimum", (f, y, u), "no envelope"),
    ("envelope_attained", (Function("F_2", role="envelope", of=f, envelope=2 * lam), x_hat), "not a prox point of"),
    ("second_moment", (x_k,), "no oracle's sample"),
    ("first_term", (e, "K-1"), "may be empty"),
    ("outer_tangent", (f, x_k, a), "two given points"),
    ("outer_tangent", (f, a, x_k), "two given points"),
    ("outer_tangent", (f, a, u), "do not say that these lie in X"),
    ("linearisation", (u, a), "do not say that these lie in X"),
    ("linearisation", (a, vector("q", PAST)), "two given points"),
    ("linearisation", (vector("q", PAST), vector("r", PAST)), "two given points"),
    ("assumed", (u**2 <= v**2, "(A2)", "mine"), "name of an assumption of the paper"),
]


@pytest.mark.parametrize(("kind", "arguments", "why"), WRONG, ids=lambda one: one if isinstance(one, str) else "")
def test_a_fact_about_something_else_is_refused(kind: str, arguments: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        _ = facts.Fact(kind, arguments).unfolded


def test_assumptions_of_ones_own_are_told_apart_by_what_they_say() -> None:
    one, two = (facts.Fact("assumed", (u**2 <= c * v**2, "mine", "m")).unfolded.foundations[0] for c in (1, 2))
    assert one != two
    assert one.kind == "own"


def test_the_facts_about_a_step_hold_on_exact_instances() -> None:
    tried = (
        *(weak_convexity(f, x_k, x_next), second_moment(g_k), variance(g_k), envelope_attained(F_env, x_hat)),
        *(envelope_infimum(F_env, x_bar, x_k), infimum(f, x_k), square(g_k - d_k)),
    )
    for use in tried:
        relation = use.fact.unfolded.relation
        assert not contradicted(Statement(relation, NOW, ADMISSIBLE, (WEAKLY_CONVEX,), Scope.EVERY))
    for wrong in (E(e, PAST) <= Number(L2 / 2), F_env(x_bar) <= f(x_hat), f(x_k) <= f(x_next)):
        assert contradicted(Statement(wrong, NOW, ADMISSIBLE, (WEAKLY_CONVEX,), Scope.EVERY))


# --- which earlier lines may be used, from what the scopes mean

STEPS = [(k, start) for k in (0, 1, 2) for start in ("printed", "repaired")]
HOLDS = {
    Scope.EVERY: set(STEPS),
    Scope.STEP: {one for one in STEPS if one[0] >= 1 or one[1] == "repaired"},
    Scope.LATE: {one for one in STEPS if one[0] >= 1},
}
BEGIN = {Scope.FIRST: {"printed"}, Scope.FIRST_REPAIRED: {"repaired"}, Scope.FIRST_ANY: {"printed", "repaired"}}
RUNS = {Scope.RUN: {"repaired"}, Scope.RUN_PRINTED: {"printed"}, Scope.RUN_ANY: {"printed", "repaired"}}
SHORT = {Scope.SHORT_RUN: {"repaired"}}


def usable(by: Scope, earlier: Scope) -> bool:
    """A line may use another that holds wherever it is asked for; the letters of a run are those of the step after its last one."""
    if by in (Scope.PRINTED, Scope.SURELY):  # what is printed, and what a rule alone concludes
        return False
    if earlier in (Scope.ANY, Scope.INHERITED):
        return True
    at_last = {**{one: {(k, s) for k, s in STEPS if k and s in starts} for one, starts in RUNS.items()}}
    at_last |= {one: {(k, s) for k, s in STEPS if s in starts} for one, starts in SHORT.items()}
    asked = HOLDS.get(by) or at_last.get(by)
    if earlier in HOLDS:
        return asked is not None and asked <= HOLDS[earlier]
    starts = BEGIN.get(by) or RUNS.get(by) or SHORT.get(by)
    if earlier in BEGIN:
        return starts is not None and starts <= BEGIN[earlier]
    for kind in (RUNS, SHORT):
        if earlier in kind:
            return by in kind and kind[by] <= kind[earlier]
    return False


def test_what_may_be_used_follows_from_what_the_scopes_mean() -> None:
    derived = {by: frozenset(one for one in Scope if usable(by, one)) for by in USABLE}
    assert derived == USABLE
    assert set(USABLE) == set(Scope) - {Scope.INHERITED}
