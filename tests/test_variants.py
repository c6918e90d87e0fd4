"""Methods of one's own, beside those of the chapter 'Verify your own': each certified, with a control a tenth away."""

from dataclasses import replace
from fractions import Fraction as Q
from typing import Any

import pytest
import sympy as sp

from shbcore.proof import *

MORE, LESS = sp.Rational(11, 10), sp.Rational(9, 10)
w, b = sp.symbols("w b")
u = vector("u", inside=True)


def weight_decay(noise: Any = 1) -> Statement:
    step = x_k - alpha * (g_k + w * x_k)
    gap = f(x_k) - f(u) + w / 2 * (x_k**2 - u**2)
    right = (1 + alpha * (rho - w)) * (x_k - u) ** 2 - 2 * alpha * gap + 2 * alpha**2 * (w**2 * x_k**2 + noise * L2)
    domain = ADMISSIBLE.also(nonnegative(w))
    return Statement((step - u) ** 2 <= right, PAST, domain, (WEAKLY_CONVEX, A1, A2), Scope.EVERY)


def test_weight_decay() -> None:
    facts = [weak_convexity(f, x_k, u), second_moment(g_k), square(g_k - w * x_k)]
    assert check(find(weight_decay(), facts)).passed
    with pytest.raises(NotFound, match="no non-negative multipliers"):
        find(weight_decay(LESS), facts)


x, x_plus = vector("x", inside=True), vector("x^+", NOW)
g = f.sample(x, "g")
r = Function("r", role="convex", of=f)


def proximal_step(noise: Any = 1) -> tuple[Statement, list[Any]]:
    slope = (x - alpha * g - x_plus) / alpha
    prox_of_r, own = assume(r(x_plus) + slope @ (u - x_plus) <= r(u), "$x^+$ is the prox of $r$")
    gap = f(x) + r(x_plus) - f(u) - r(u)
    right = (1 + alpha * rho) * (x - u) ** 2 - 2 * alpha * gap + noise * alpha**2 * L2
    says = Statement((x_plus - u) ** 2 <= right, TOTAL, ADMISSIBLE, (WEAKLY_CONVEX, A1, A2, own))
    return says, [prox_of_r, weak_convexity(f, x, u), second_moment(g), square(x - x_plus - alpha * g)]


def test_a_proximal_step() -> None:
    says, facts = proximal_step()
    assert check(find(says, facts)).passed
    with pytest.raises(NotFound):
        find(*proximal_step(LESS))


OPTIMAL = r"the prox of $r$ is nonexpansive, and $f'(\hat x)$ is the subgradient by which $\hat x$ is optimal"


def composite_envelope(fall: Any = 1) -> tuple[Statement, list[Any]]:
    hat, before, after = vector(r"\hat x", inside=True), Quantity("F_r(x)"), Quantity(r"\mathrm{E}F_r(x^+)")
    g_hat, t = f.sample(hat, r"\hat g"), 1 - alpha / lam
    moved = t * (x - hat) - alpha * (g - f.slope(hat))
    firm, one = assume((x_plus - hat) ** 2 <= moved**2, OPTIMAL)
    least, two = assume(after <= before + E((x_plus - hat) ** 2 - (x - hat) ** 2) / (2 * lam), "$F_r$ is an infimum")
    measure = alpha / lam * (1 / lam - alpha / (2 * lam**2) - t * rho) * (x - hat) ** 2
    right = before - fall * measure + 2 * alpha**2 * L2 / lam
    domain = Domain(nonnegative(rho), inverse_at_least(lam, 2 * rho), between(alpha, 0, lam), nonnegative(L2))
    facts = [firm, least, weak_convexity(f, x, hat), weak_convexity(f, hat, x), square(g + f.slope(hat))]
    facts += [second_moment(g), second_moment(g_hat), square(g_hat - f.slope(hat))]
    return Statement(after <= right, TOTAL, domain, (WEAKLY_CONVEX, A1, A2, one, two)), facts


def test_a_composite_envelope() -> None:
    assert check(find(*composite_envelope())).passed
    with pytest.raises(NotFound):
        find(*composite_envelope(MORE))


def look_ahead(share: Any = 1) -> tuple[Statement, list[Any]]:
    g = f.sample(x_bar, r"f'(\bar x_k,S_k)")
    y = Named("y_{k+1}", x_bar - alpha * g)
    fall = share * alpha * (1 - lam * rho) * grad_env**2
    claim = F_env(y) <= F_env(x_bar) - fall + alpha**2 * L2 / (2 * lam)
    says = Statement(claim, PAST, ADMISSIBLE, (WEAKLY_CONVEX, A1, A2, WHOLE_SPACE), Scope.EVERY)
    facts = [envelope_infimum(F_env, y, x_hat), envelope_attained(F_env, x_hat), weak_convexity(f, x_bar, x_hat)]
    return says, [*facts, prox_strong_convexity(x_hat, x_bar), second_moment(g)]


def test_look_ahead() -> None:
    assert check(find(*look_ahead())).passed
    with pytest.raises(NotFound):
        find(*look_ahead(MORE))


def mini_batch(noise: Any = 1) -> tuple[Statement, list[Any]]:
    spread = E((g_next - f.slope(x_next)) ** 2, NOW)
    batch, own = assume(spread <= Number(sigma2 / b), "mini-batches of size $b$")
    right = beta * (noise * sigma2 / b + G2) + (1 - beta) * z_any**2
    domain = ADMISSIBLE.also(at_least(b, 1))
    says = Statement(z_next**2 <= right, NOW, domain, (SMOOTH, A1, BOUNDED_GRADIENT, own), Scope.EVERY)
    steps = [square_convexity(g_next, d_next, beta), nonexpansive(x_next, trial_at(z_any), x_k)]
    return says, [*steps, batch, bounded_gradient(f, x_next)]


def test_a_mini_batch() -> None:
    assert check(find(*mini_batch())).passed
    with pytest.raises(NotFound):
        find(*mini_batch(LESS))


# --- two that are not in the chapter


def anchored(noise: Any = 1) -> tuple[Statement, list[Any]]:
    """Each step is drawn back towards a fixed point."""
    t, anchor = sp.Symbol("t"), vector("x_a", inside=True)
    after = (1 - t) * (x - alpha * g) + t * anchor
    step = (1 + alpha * rho) * (x - u) ** 2 - 2 * alpha * (f(x) - f(u)) + noise * alpha**2 * L2
    claim = (after - u) ** 2 <= (1 - t) * step + t * (anchor - u) ** 2
    says = Statement(claim, TOTAL, ADMISSIBLE.also(between(t, 0, 1)), (WEAKLY_CONVEX, A1, A2))
    return says, [weak_convexity(f, x, u), second_moment(g), square(x - alpha * g - anchor)]


def injected_noise(noise: Any = 1) -> tuple[Statement, list[Any]]:
    """Noise of one's own is added to each step, with mean zero and independent of the sample."""
    e, n = vector("e", NOW), sp.Symbol("n")
    pairs = [assume(E(e @ one, PAST).equals(0), f"the noise {i}") for i, one in enumerate((x_k - u, g_k))]
    size, small = assume(E(e**2, PAST) <= Number(n), "its size")
    right = (1 + alpha * rho) * (x_k - u) ** 2 - 2 * alpha * (f(x_k) - f(u)) + alpha**2 * L2 + noise * Number(n)
    assumes = (WEAKLY_CONVEX, A1, A2, small, *(mark for _, mark in pairs))
    says = Statement(
        (x_k - alpha * g_k + e - u) ** 2 <= right, PAST, ADMISSIBLE.also(nonnegative(n)), assumes, Scope.EVERY
    )
    return says, [weak_convexity(f, x_k, u), second_moment(g_k), size, *(use for use, _ in pairs)]


@pytest.mark.parametrize("variant", [anchored, injected_noise])
def test_variants_that_are_not_in_the_chapter(variant: Any) -> None:
    assert check(find(*variant())).passed
    with pytest.raises(NotFound):
        find(*variant(LESS))


def test_clipping_is_no_example() -> None:
    """The mean of a clipped sample is no subgradient: the kernel keeps it apart, and a line of numbers breaks the claim."""
    clipped = vector(r"\mathrm{clip}(g)", NOW)
    claim = (x - alpha * clipped - u) ** 2 <= (1 + alpha * rho) * (x - u) ** 2 - 2 * alpha * (
        f(x) - f(u)
    ) + alpha**2 * L2
    says = Statement(claim, TOTAL, ADMISSIBLE, (WEAKLY_CONVEX, A1, A2))
    facts = [weak_convexity(f, x, u), second_moment(g)]
    plain = replace(says, relation=claim.map(lambda side: _with(side, clipped, g)))
    assert check(find(plain, facts)).passed  # the same with the sample itself
    short, own = assume(clipped**2 <= g**2, "clipping shortens")
    with pytest.raises(NotFound, match="clip") as told:
        find(replace(says, assumes=(*says.assumes, own)), [*facts, short])
    assert told.value.kind == "infeasible"
    slopes, weights = (Q(3), Q(-1)), (Q(1, 4), Q(3, 4))  # f_1 = 3x and f_2 = -x: f = 0
    mean = sum(p * max(min(s, 1), -1) for p, s in zip(weights, slopes, strict=True))
    assert (sum(p * s for p, s in zip(weights, slopes, strict=True)), mean) == (0, Q(-1, 2))


def _with(node: Any, old: Any, new: Any) -> Any:
    from shbcore.proof.language import substituted

    return substituted(node, lambda one: new if one == old else None)
