r"""Counterexamples to Theorem 3's second display and to lines of Appendix E, and what its sum does at :math:`k=-1`."""

from fractions import Fraction

from gmpy2 import mpq

from shbcore.claims.evidence_old import Against, Counterexample, Line, against
from shbcore.model import constants
from shbcore.model.constants import Number
from shbcore.numerics.solver import Start

F = Fraction


def random_walk_of_the_parabola(alpha_0: Number, root: int, start: Start = "beta_g0") -> Number:
    r""":math:`\mathrm E\|\nabla F_{1/2}(\bar x_{k^*})\|^2` for :math:`f=x^2/2`, noise of variance 1, :math:`x_0=0`, ``root``
    :math:`=\sqrt{K+1}=1/\beta`.

    Since :math:`x_{k+1}=(2-\beta-\alpha\beta)x_k-(1-\beta)x_{k-1}-\alpha\beta\,\Delta_k`, the second moments obey a linear
    recursion; :math:`\nabla F_{1/2}(x)=\tfrac23x`, and :math:`k^*` is uniform on :math:`-1,\dots,K-1`.  With the start ``g0`` the first
    step is :math:`x_1=-\alpha\,\Delta_0`.
    """
    alpha, beta = alpha_0 / root, 1 / mpq(root)
    stay, back, ratio = 2 - beta - alpha * beta, -(1 - beta), (1 - beta) / beta
    old, mixed, new, total = mpq(0), mpq(0), mpq(0), mpq(0)
    for k in range(root * root - 1):
        weight = 1 if k == 0 and start == "g0" else beta
        total += (1 + ratio) ** 2 * new - 2 * (1 + ratio) * ratio * mixed + ratio**2 * old
        ahead = stay**2 * new + 2 * stay * back * mixed + back**2 * old + (alpha * weight) ** 2
        old, mixed, new = new, stay * new + back * mixed, ahead
    return mpq(4, 9) * total / root**2


PARABOLA = (
    "f(x) = x^2/2, f'(x,S) = x +- 1 (sigma = rho = 1), x_0 = 0 (Delta = 0), lambda = 1/2, alpha_0 = 1/1000, K + 1 = 400"
)


@against("thrm:smooth:unconstrained:complexity/second", "thrm:smooth:unconstrained:complexity")
def theorem_3_cube() -> Counterexample:
    """alpha_0^3 in the second display of Theorem 3 must be alpha_0^2"""
    alpha_0, root = mpq(1, 1000), 20
    left = random_walk_of_the_parabola(alpha_0, root)
    right = constants.theorem_3_bound(gap=0, sigma2=1, weak_convexity=1, envelope=mpq(1, 2), alpha_0=alpha_0, root=root)
    return Counterexample(
        f"{PARABOLA}, z_0 = beta g_0; the second moments by their linear recursion",
        r"\mathrm{E}\|\nabla F_{1/2}(\bar x_{k^*})\|^2\le4\,\frac{(\rho+16\alpha_0\rho^2)\sigma^2\alpha_0^3}{\alpha_0\sqrt{K+1}}",
        printed=Line(left, alpha_0 * right),
        repaired=Line(left, right),
        numbers={"left": float(left), "printed right": float(alpha_0 * right), "repaired right": float(right)},
    )


@against("thrm:smooth:unconstrained:complexity/second", "thrm:smooth:unconstrained:complexity")
def theorem_3_cube_printed_start() -> Counterexample:
    """alpha_0^3 is refuted with the printed start z_0 = g_0 too"""
    alpha_0, root = mpq(1, 1000), 20
    of = {"weak_convexity": 1, "envelope": mpq(1, 2)}
    left = random_walk_of_the_parabola(alpha_0, root, "g0")
    right = constants.theorem_3_bound(gap=0, sigma2=1, alpha_0=alpha_0, root=root, **of)
    alpha, beta, nu = alpha_0 / root, 1 / mpq(root), 1 / alpha_0
    jump = constants.start_excess_3(alpha=alpha, beta=beta, nu=nu, **of)
    rest = jump + alpha * constants.xi(beta=beta, nu=nu) ** 2 / (2 * of["envelope"] ** 2)
    more = constants.c_theorem_3(**of) * rest / (alpha_0 * root)
    return Counterexample(
        f"{PARABOLA}, z_0 = g_0; repaired, the bound has alpha_0^2 and the price (J + alpha xi^2/(2 lambda^2)) sigma^2 of that start",
        r"\mathrm{E}\|\nabla F_{1/2}(\bar x_{k^*})\|^2\le4\,\frac{(\rho+16\alpha_0\rho^2)\sigma^2\alpha_0^3}{\alpha_0\sqrt{K+1}}",
        printed=Line(left, alpha_0 * right),
        repaired=Line(left, right + more),
        numbers={"left": float(left), "printed right": float(alpha_0 * right), "repaired right": float(right + more)},
    )


@against("eq:proof:thrm:3:evn:1/square")
def equality_of_the_variance() -> Counterexample:
    """= where (A3) gives <=: sigma^2 is only a bound of the variance"""
    alpha, lam, x = F(1, 4), F(1, 2), F(3)
    hat = x / (1 + lam)
    delta = 1 - alpha / lam
    exact = delta**2 * (x - hat) ** 2 - 2 * alpha * delta * (x - hat) * (x - hat) + alpha**2 * (x - hat) ** 2
    return Counterexample(
        "f(x) = x^2/2 without noise, so (A3) holds with sigma = 1; lambda = 1/2, alpha = 1/4, x_k = x_bar_k = 3 (k = 0)",
        r"\|\bar x_k-\hat x_k-\alpha g_k\|^2=\delta^2\|\bar x_k-\hat x_k\|^2-2\alpha\delta\langle\cdot,\cdot\rangle"
        r"+\alpha^2\|\nabla f(x_k)-\nabla f(\hat x_k)\|^2+\alpha^2\sigma^2",
        printed=Line((x - hat - alpha * x) ** 2, exact + alpha**2, "="),
        repaired=Line((x - hat - alpha * x) ** 2, exact + alpha**2),
        numbers={"x_hat_k": hat, "delta": delta},
    )


@against("eq:proof:thrm:3:evn:2/weight")
def missing_factor() -> Counterexample:
    """the last term of the identity lacks a factor 1/lambda"""
    alpha, lam, rho = F(1, 4), F(1, 2), F(1)
    delta = 1 - alpha / lam
    left = (alpha * delta * rho + alpha**2 * rho**2) / lam
    return Counterexample(
        "rho = 1, lambda = 1/2, alpha = 1/4 (delta = 1/2)",
        r"\frac{\alpha\delta\rho+\alpha^2\rho^2}{\lambda}=\frac{\alpha\rho}{\lambda}+\alpha^2(\rho^2-\rho\lambda^{-1})",
        printed=Line(left, alpha * rho / lam + alpha**2 * (rho**2 - rho / lam), "="),
        repaired=Line(left, alpha * rho / lam + alpha**2 * (rho**2 - rho / lam) / lam, "="),
        numbers={"delta": delta},
    )


@against("eq:proof:thrm:3:evn:4/sum", "appendix:proof:thrm:smooth:unconstrained:complexity")
def sum_from_minus_one() -> Counterexample:
    """the sum from k = -1 to K-1 is false at K = 0: nothing moved yet, but a decrease is claimed"""
    x_0, lam, alpha_0 = F(1), F(1, 2), F(1, 4)
    envelope, gradient, c = x_0**2 / (2 * (1 + lam)), x_0 / (1 + lam), F(4)
    decrease = alpha_0 / c * gradient**2
    return Counterexample(
        "f(x) = x^2/2 without noise (sigma may be taken as small as one likes; here 1/8), rho = 1, lambda = 1/2, x_0 = 1, K = 0, "
        "alpha_0 = 1/4 (beta = 1, xi = 0), so V_0 = V_{-1} = F_lambda(x_0)",
        r"V_0\le V_{-1}-\tfrac{\alpha_0}{c}\|\nabla F_\lambda(\bar x_0)\|^2+\tfrac{\sigma^2\alpha^2}{2\lambda}",
        printed=Line(envelope, envelope - decrease + alpha_0**2 * F(1, 64)),
        repaired=Line(envelope, x_0**2 / 2 - decrease + alpha_0**2 * F(1, 64)),
        numbers={"F_lambda(x_0)": envelope, "gradient": gradient, "f(x_0), which may stand for V_{-1}": F(1, 2)},
    )


ALL: tuple[Against, ...] = tuple(found for found in list(globals().values()) if isinstance(found, Against))
