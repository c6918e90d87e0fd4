r"""Lines of Lemma 5 with its best stepsize: for :math:`f` smooth on all of :math:`\mathbb R^n` it holds up to :math:`\rho\alpha=\sqrt2`.

Smoothness enters once, as the interpolation inequality between :math:`x_k` and :math:`x_{k+1}`, which is all that it says about two
points; the paper uses it three times.  Two lines cover the range, up to 1 and beyond; the parabola shows that it is the whole range.
"""

from shbcore.claims.writing import *
from shbcore.claims.appendix_c_phi import W, smooth_f, smoothness
from shbcore.claims.appendix_c_z import GRADIENT_ORACLE, SMOOTH, noise_k, step_noise, turn, virtual_distance, x_virtual

f = smooth_f
s = sp.Symbol("s")
STRETCH = (1 + 2 * s - s**2) / (1 + s**2)
r""":math:`\rho\alpha` beyond 1: as :math:`s` runs through :math:`(0,1]` it takes every value from 1 to :math:`\sqrt2` and no other."""
ROOM = (1 - 2 * s - s**2) / (1 + s**2)
r"""The root of :math:`2-\rho^2\alpha^2`."""
BEYOND = ADMISSIBLE.also(positive(rho), between(s, 0, 1), defined(alpha, STRETCH / rho), defined(nu, beta / alpha))
EVERYWHERE_ORACLE = (on.SMOOTH_EVERYWHERE, on.A1, on.A3)
W_NOISE = constants.W_noise(weak_convexity=rho, alpha=alpha, beta=beta)


@cache
def turn_noise(share: Any = 1, domain: Domain = SMOOTH) -> Line:
    r"""Old noise against the turn of the gradient, by the virtual iterate."""
    away, size = f.slope(x_virtual) - f.slope(x_next), rho * alpha * beta
    terms = [
        1 * young(noise_k, away, 1 / size),
        1 / (2 * size) * lipschitz_gradient(f, x_next, x_virtual),
        rho / (2 * alpha * beta) * virtual_distance(),
        size * variance(g_k),
    ]
    claim = -(noise_k @ turn) <= Number(share * size * sigma2)
    name = "old noise against the turn of the gradient, by the virtual iterate"
    return line(claim, terms, PAST, domain=domain, assumes=GRADIENT_ORACLE, scope=Scope.STEP, name=name)


def _lemma_W_sharp(share: Any, domain: Domain, rest: Any) -> Line:
    terms = [
        1 / (nu * alpha**2) * smoothness(z=z_k),
        3 / (nu * alpha**2) * projection(x_next, trial, x_k),
        2 * interpolation(f, x_next, x_k),
        alpha * (1 - beta) / 2 * square(d_k - d_next + turn),
        alpha * beta / 2 * variance(g_next),
        alpha * beta / 2 * variance(g_k),
        beta * step_noise(),
        alpha * beta * turn_noise(domain=domain),
    ]
    right = W(0) - alpha * d_next**2 + Number(share * W_NOISE * nu * alpha**2 * sigma2)
    claim, name = W(1) <= right, "Lemma 5 with less noise"
    return line(claim, [*terms, *rest], PAST, domain=domain, assumes=EVERYWHERE_ORACLE, scope=Scope.STEP, name=name)


@cache
def lemma_W_sharp(share: Any = 1) -> Line:
    r"""For :math:`\rho\alpha\le1`."""
    step = rho * alpha
    rest = [alpha * (1 / step - 1) / 2 * square(turn), alpha * (1 - step / 2) * square(d_next)]
    return _lemma_W_sharp(share, SMOOTH, rest)


@cache
def lemma_W_beyond(share: Any = 1) -> Line:
    r"""For :math:`1\le\rho\alpha\le\sqrt2`."""
    step = rho * alpha
    rest = [alpha * (1 - 1 / step) / 2 * lipschitz_gradient(f, x_next, x_k), alpha / 2 * square(ROOM * d_next)]
    return _lemma_W_sharp(share, BEYOND, rest)


@cache
def beyond_range(two: Any = 2) -> Line:
    r"""Why ``BEYOND`` reaches :math:`\sqrt2` and not further."""
    return equal_numbers(two - (rho * alpha) ** 2, ROOM**2, domain=BEYOND)


@cache
def parabola(half: Any = HALF) -> Line:
    r"""What is missing on :math:`f=\frac\rho2x^2` without noise, at :math:`\beta=1`, :math:`k=0`, :math:`x_0=1`: beyond
    :math:`\rho\alpha=\sqrt2` it is positive.  There :math:`x_1=1-\rho\alpha`, and :math:`\varphi_k=\frac{\alpha^2}2z_k^2`."""
    weights = constants.W_weights(alpha=alpha, beta=1, nu=1 / alpha)
    x_0, x_1 = sp.Integer(1), 1 - rho * alpha
    values = [weights.f * rho * at**2 / 2 + weights.phi * (alpha * rho * at) ** 2 / 2 for at in (x_0, x_1)]
    excess = values[1] - values[0] + alpha * ((x_0 - x_1) / alpha) ** 2
    return equal_numbers(excess, rho**2 * alpha * (half * (rho * alpha) ** 2 - 1))
