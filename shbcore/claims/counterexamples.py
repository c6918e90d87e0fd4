r"""Exact counterexamples to printed lines, each as simple as could be found: a reader can check them by hand.

Every function returns a :class:`~shbcore.claims.evidence.Counterexample`: the instance in words, the printed line with both sides
as exact numbers, the repaired line at the same instance, and the numbers on the way.  :data:`ALL` lists them.
"""

from fractions import Fraction
from typing import Any

from shbcore.claims import counterexamples_rare as rare
from shbcore.claims import counterexamples_theorem3 as third
from shbcore.claims.evidence_old import Against, Counterexample, Line, against, refuted
from shbcore.claims.ledger import Check
from shbcore.model import constants
from shbcore.model.parameters import Parameters
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.numerics import slack
from shbcore.numerics.expectation import tree
from shbcore.numerics.solver import Past, Start

F = Fraction
MODULUS = RationalProblem((PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1),))
PARABOLA = RationalProblem((PiecewiseQuadratic.build((), [1]),))
SHAKEN = RationalProblem(tuple(PiecewiseQuadratic((), ((F(1), s, F(0)),)) for s in (F(1, 2), F(-1, 2))))


@against("eqn:objective/weak-convexity")
def weak_convexity_definition() -> Counterexample:
    """the definition with rho |x|^2 admits f = -x^2, for which Lemma 1 fails"""
    f_x, f_y = F(0), F(-1)
    return Counterexample(
        "f(x) = -x^2, rho = 1, x = 0, y = 1, g = 0",
        r"f(x)+\langle g,y-x\rangle-\tfrac{\rho}{2}\|y-x\|^2\le f(y)",
        printed=Line(f_x - F(1, 2), f_y),
        repaired=Line(f_x - F(2, 2), f_y),
        numbers={"f + rho x^2": "0, convex: the printed definition holds with rho = 1", "rho that Lemma 1 needs": 2},
    )


@against("eq:prox", "lem:moreau:env")
def prox_not_attained() -> Counterexample:
    """without closedness the prox need not exist: f = 0 on (0, 1], infinite elsewhere"""
    y = F(1)
    return Counterexample(
        "f = 0 on (0,1] and +inf elsewhere, lambda = 1, x = 0; y = 1 (any y in (0,1] behaves alike)",
        r"f(y)+\tfrac{1}{2\lambda}\|x-y\|^2\le f(y/2)+\tfrac{1}{2\lambda}\|x-y/2\|^2\quad\text{for the minimiser }y",
        printed=Line(y**2 / 2, (y / 2) ** 2 / 2),
        repaired=Line(F(0), (y / 2) ** 2 / 2),
        numbers={"infimum": F(0), "value at y": y**2 / 2, "value at y/2": (y / 2) ** 2 / 2, "closure": "[0,1], prox 0"},
    )


@against("lem:xdiff:non-smooth/x_hat")
def envelope_constant() -> Counterexample:
    """Lemma 2 cannot be cited for lambda > 1/(2 rho): its item 2 fails there (its item 1 does not)"""
    lam = F(2, 3)
    envelope = PiecewiseQuadratic.build((), [-1]).moreau(REAL_LINE, envelope=lam)
    return Counterexample(
        "f(x) = -x^2/2, rho = 1, lambda = 2/3 (so 1/lambda = 3/2 < 2 rho), x = 0, y = 1",
        r"|F_\lambda(y)-F_\lambda(x)-\langle\nabla F_\lambda(x),y-x\rangle|\le\tfrac{1}{2\lambda}\|y-x\|^2",
        printed=Line(abs(envelope.value(F(1))), 1 / (2 * lam)),
        repaired=Line(abs(envelope.value(F(1))), 1 / (1 - lam) / 2),
        numbers={"what follows": "Lemma 2 cannot be cited there; the gradient formula of its item 1 is true all the same",
                 "F_lambda(x)": "-3x^2/2", "rho/(1 - lambda rho)": 1 / (1 - lam), "1/lambda": 1 / lam},
    )  # fmt: skip


@against("alg:iters:def/start", "lem:xdiff:non-smooth", "eq:proof:lem:1:norm:final")
def start_lemma_3() -> Counterexample:
    """with the printed start z_0 = g_0 Lemma 3 fails at k = 0"""
    q = Parameters(F(1, 4), F(1, 2))
    printed = slack.lemma_3(slack.nonsmooth(MODULUS, REAL_LINE, q, start="g0"), Past(0, F(1), F(1)))
    repaired = slack.lemma_3(slack.nonsmooth(MODULUS, REAL_LINE, q), Past(0, F(1), F(1)))
    return Counterexample(
        "f(x) = |x|, x_0 = 1, alpha = 1/4, nu = 2 (beta = 1/2), k = 0, z_0 = g_0 = 1",
        r"(1-\beta)f(x_0)+\tfrac{\nu}{2}\|p_1\|^2\le(1-\beta)f(x_{-1})+\tfrac{\nu}{2}\|p_0\|^2-\alpha\|d_1\|^2+\alpha^2\nu L^2",
        printed=Line(printed.lhs, printed.rhs),
        repaired=Line(repaired.lhs, repaired.rhs),
        numbers={"x_1": F(3, 4), "p_1": F(-1, 4), "d_1": F(1), "x_1 with z_0 = beta g_0": F(7, 8)},
    )


@against("alg:iters:def/start", "lem:Vfunc:non-smooth")
def start_lemma_4() -> Counterexample:
    """with the printed start z_0 = g_0 Lemma 4 fails at k = 0"""
    q, past = Parameters(F(1, 4), F(1, 4)), Past(0, F(0), F(0))
    problem = RationalProblem((PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1, at_kinks=[1]),))
    printed = slack.lemma_4(slack.nonsmooth(problem, REAL_LINE, q, envelope=F(1), start="g0"), past)
    repaired = slack.lemma_4(slack.nonsmooth(problem, REAL_LINE, q, envelope=F(1)), past)
    return Counterexample(
        "f(x) = |x|, x_0 = 0, g_0 = 1, alpha = beta = 1/4 (nu = 1, xi = 3/4), lambda = 1, k = 0, z_0 = g_0 = 1 (V_0 = 0, rho = 0)",
        r"V_1\le V_0-\tfrac{\alpha}{2}\|\nabla F_\lambda(x_0)\|^2+\tfrac{\gamma\alpha^2L^2}{2\lambda}\text{ with the right }\gamma",
        printed=Line(printed.lhs, printed.rhs),
        repaired=Line(repaired.lhs, repaired.rhs),
        numbers={"x_1": F(-1, 4), "d_1": F(1), "x_bar_1": F(-1), "F_lambda(x_bar_1)": F(1, 2), "gamma": F(25, 16)},
    )


@against("alg:iters:def/start")
def start_identity() -> Counterexample:
    """with z_0 = g_0 the step from z_k to the extrapolated point fails at k = 0"""
    alpha, beta, g_0 = F(1, 4), F(1, 2), F(1)
    return Counterexample(
        "f(x) = |x|, x_0 = 1, alpha = 1/4, beta = 1/2, z_0 = g_0 = 1, no constraint",
        r"\bar x_1=\bar x_0-\alpha g_0",
        printed=Line(1 - alpha * g_0 - (1 - beta) / beta * alpha * g_0, 1 - alpha * g_0, "="),
        repaired=Line(1 - alpha * beta * g_0 - (1 - beta) / beta * alpha * beta * g_0, 1 - alpha * g_0, "="),
        numbers={"x_1": F(3, 4), "x_bar_1": F(1, 2), "x_0 - alpha g_0": F(3, 4)},
    )


@against("alg:iters:def/start", "lem:Wfunc:smooth")
def start_W() -> Counterexample:
    """with the printed start z_0 = g_0 the W lemma fails at k = 0, even in total expectation"""
    alpha = beta = F(1, 4)
    nu, xi = F(1), F(3, 4)

    def sides(z_0: Fraction) -> Line:
        """E W_1 and the right side, for f = 0, g = +-1 and |z_0| given: W = z^2/(2 nu) + xi d^2/2, d_1 = z_0."""
        W_1 = (beta**2 + (1 - beta) ** 2 * z_0**2) / (2 * nu) + xi / 2 * z_0**2
        return Line(W_1, z_0**2 / (2 * nu) - alpha * z_0**2 + 4 * nu * alpha**2)

    return Counterexample(
        "f = 0, f'(x,S) = +-1 with probability 1/2 (sigma = 1), X = R, rho = 1, alpha = beta = 1/4, nu = 1, k = 0, z_0 = g_0",
        r"\mathrm{E}[W_1]\le\mathrm{E}[W_0-\alpha\|d_1\|^2]+4\nu\alpha^2\sigma^2,\text{ that is }1-\beta\le6\beta^2",
        printed=sides(F(1)),
        repaired=sides(beta),
        numbers={"W_0": F(1, 2), "d_1^2": F(1), "E z_1^2": F(5, 8)},
    )


def sawtooth(start: Start = "g0") -> tuple[slack.Setting, Past]:
    r"""The instance behind the printed :math:`\gamma`: two kinks, one at 0 and one at :math:`x_0`, where the method starts, and
    curvature :math:`-\rho` between them; either start leads from one to the other."""
    q = Parameters(F(2, 5), F(4, 5))
    x_0 = q.alpha if start == "g0" else q.alpha * q.beta
    f = PiecewiseQuadratic.build([0, x_0], [0, -1, 0], [2, x_0], slope=-1, at_kinks=[1, 1])
    return slack.nonsmooth(RationalProblem((f,)), REAL_LINE, q, envelope=F(1, 2), start=start), Past(1, x_0, F(0))


GAMMA_LINES = (
    *("lem:Vfunc:non-smooth/gamma", "lem:Vfunc:non-smooth", "eq:lem:Vfunc:non-smooth"),
    *("eq:proof:thrm:1:evn:3/gamma", "eq:proof:thrm:1:evn:3/telescoping"),
)
TWO_KINKS = (
    "f(x) = -x for x <= 0, x - x^2/2 on [0, {0}], slope 1 beyond; no noise; rho = L = 1, lambda = 1/2, alpha = 2/5, "
    "beta = 4/5 (nu = 2, xi = 1/10), x_0 = {0} with {1}, so x_1 = 0 with g_1 = 1; k = 1"
)
AS_PRINTED = TWO_KINKS.format("2/5", "z_0 = g_0 = 1 as printed")
LEMMA_4 = r"V_2\le V_1-\tfrac{\alpha}{2}\|\nabla F_\lambda(\bar x_1)\|^2+\tfrac{\gamma\alpha^2L^2}{2\lambda}"


@against(*GAMMA_LINES)
def printed_gamma() -> Counterexample:
    """the printed gamma, with rho xi/2 in place of rho xi, is refuted by two kinks; rho xi is attained there"""
    setting, past = sawtooth()
    printed, repaired = slack.lemma_4(setting, past, "printed"), slack.lemma_4(setting, past, "repaired")
    return Counterexample(
        AS_PRINTED,
        LEMMA_4,
        printed=Line(printed.lhs, printed.rhs),
        repaired=Line(repaired.lhs, repaired.rhs),
        numbers={"x_bar_1": F(-1, 10), "x_hat_1": F(0), "x_bar_2": F(-1, 2), "x_hat_2": F(0), "d_1": F(1), "d_2": F(1),
                 "f(x_0)": F(8, 25), "with rho xi": "both sides are equal: no smaller factor is right"},
    )  # fmt: skip


@against(*GAMMA_LINES)
def printed_gamma_repaired_start() -> Counterexample:
    """the printed gamma is refuted with z_0 = beta g_0 too"""
    setting, past = sawtooth("beta_g0")
    printed, repaired = slack.lemma_4(setting, past, "printed"), slack.lemma_4(setting, past, "repaired")
    return Counterexample(
        TWO_KINKS.format("8/25", "z_0 = beta g_0 = 4/5"),
        LEMMA_4,
        printed=Line(printed.lhs, printed.rhs),
        repaired=Line(repaired.lhs, repaired.rhs),
        numbers={"x_bar_1": F(-2, 25), "x_hat_1": F(0), "x_bar_2": F(-12, 25), "x_hat_2": F(0), "d_1": F(4, 5),
                 "d_2": F(24, 25), "f(x_0)": F(168, 625)},
    )  # fmt: skip


@against("eq:proof:thrm:1:evn:3")
def printed_evn_3() -> Counterexample:
    """eq:proof:thrm:1:evn:3 with rho (1-beta)/(2 nu) is refuted by two kinks"""
    setting, past = sawtooth()
    q, lam, x_0 = setting.parameters, F(1, 2), past.x_prev
    d_1, f_0 = x_0 / q.alpha, setting.problem.value(x_0)
    left = (q.xi * d_1 + q.alpha) ** 2 / (2 * lam)
    rest = (q.xi * d_1) ** 2 / (2 * lam) + q.xi / lam * f_0

    def noise(share: Fraction) -> Fraction:
        return Fraction(q.alpha**2 * (share * q.xi + 1) / (2 * lam))

    return Counterexample(
        f"{AS_PRINTED}; F_lambda(x_bar) = x_bar^2 near 0, since x_hat stays at the kink 0",
        r"F_\lambda(\bar x_2)+\tfrac{\xi}{\lambda}f(x_1)\le F_\lambda(\bar x_1)+\tfrac{\xi}{\lambda}f(x_0)"
        r"-\tfrac{\alpha}{2}\|\nabla F_\lambda(\bar x_1)\|^2+\tfrac{\alpha\xi^2}{2\lambda^2}\|d_1\|^2"
        r"+\alpha^2\bigl(\tfrac{\rho\xi}{2}+1\bigr)\tfrac{L^2}{2\lambda}",
        printed=Line(left, rest + noise(F(1, 2))),
        repaired=Line(left, rest + noise(F(1))),
        numbers={"the gradient and the d_1 terms": "cancel, because x_hat_1 = x_1", "d_1^2": d_1**2},
    )


@against("eq:lem:Vfunc:non-smooth", "lem:Vfunc:non-smooth")
def conditional_lemma_4() -> Counterexample:
    """Lemma 4 given the past is false, even with the right gamma"""
    q, w = Parameters(F(1, 4), F(2, 3)), F(1, 10)
    x_0 = q.alpha * 2

    def sample(tilt: Fraction) -> PiecewiseQuadratic:
        kinks = [1 + tilt, 1 + tilt]
        return PiecewiseQuadratic.build([0, x_0], [0, -1, 0], [2, x_0], slope=tilt - 1, at_kinks=kinks)

    problem = RationalProblem((sample(F(1)), sample(-w / (1 - w))), (w, 1 - w))
    setting = slack.nonsmooth(problem, REAL_LINE, q, envelope=F(1, 2), start="g0")
    printed = slack.lemma_4(setting, Past(1, x_0, F(0)), "repaired")
    repaired = slack.lemma_4(setting, Past(1, x_0, F(0)), "conditional")
    return Counterexample(
        "f(x) = -x for x <= 0, x - x^2/2 on [0, 1/2], slope 1 beyond; f(x;S) = f(x) + x with probability 1/10, else f(x) - x/9; "
        "rho = 1, L^2 = 10/9, lambda = 1/2, alpha = 1/4, beta = 2/3, x_0 = 1/2; the rare sample came first: z_0 = g_0 = 2 as "
        "printed, x_1 = 0; k = 1; even with the repaired gamma",
        r"\mathrm{E}[V_2|\mathcal F_0]\le V_1-\tfrac{\alpha}{2}\|\nabla F_\lambda(\bar x_1)\|^2+\tfrac{\gamma\alpha^2L^2}{2\lambda}"
        r"\text{ with the right }\gamma",
        printed=Line(printed.lhs, printed.rhs),
        repaired=Line(repaired.lhs, repaired.rhs),
        numbers={
            "xi": F(1, 8),
            "d_1": F(2),
            "d_1^2 > L^2": F(4),
            "x_bar_1": F(-1, 4),
            "repaired": "the form given F_{k-1}",
        },
    )


@against("eq:proof:thrm:1:evn:1:1")
def index_of_x_hat() -> Counterexample:
    """eq:proof:thrm:1:evn:1:1 prints f(x_hat_{k+1}) in place of f(x_hat_k)"""
    x_bar, next_bar = F(2), F(1)
    x_hat, next_hat = x_bar - 1, next_bar - 1
    rest = (x_bar - x_hat - 1) ** 2 / 2
    return Counterexample(
        "f(x) = x, lambda = alpha = beta = 1, x_bar_k = x_k = 2",
        r"F_\lambda(\bar x_{k+1})\le f(\hat x_{k+1})+\tfrac{1}{2\lambda}\|\bar x_k-\hat x_k-\alpha g_k\|^2",
        printed=Line(next_hat + F(1, 2), next_hat + rest),
        repaired=Line(next_hat + F(1, 2), x_hat + rest),
        numbers={"x_hat_k": x_hat, "x_bar_{k+1}": next_bar, "x_hat_{k+1}": next_hat, "F_lambda(x_bar_{k+1})": F(1, 2)},
    )


@against("thrm:non-smooth:complexity/proof-sum")
def sum_from_the_printed_start() -> Counterexample:
    """Lemma 4 summed from k = 0 is false with the printed start z_0 = g_0, even with the right gamma"""
    q, tilts = Parameters(F(1, 2), F(1, 2)), (F(4), F(-4))
    noisy = RationalProblem(tuple(PiecewiseQuadratic.build([0], [0, 0], [2], slope=t - 1) for t in tilts))

    def line(start: Start) -> Line:
        """The four steps of Lemma 4 added up: the sides differ by the sum of the four slacks."""
        s = slack.nonsmooth(noisy, REAL_LINE, q, envelope=F(8), start=start)
        steps = [slack.total(s, level, slack.lemma_4) for level in tree(noisy, REAL_LINE, q, F(0), 3, start=start)]
        return Line(steps[-1].lhs, steps[-1].lhs + sum(step.slack for step in steps))

    return Counterexample(
        "f(x;S) = |x| +- 4x with probability 1/2 (L^2 = 17, rho = 0), x_0 = 0, alpha_0 = 1, K = 3 (alpha = beta = xi = 1/2, nu = 1), "
        "lambda = 8, z_0 = g_0 as printed",
        r"\mathrm{E}[V_4]\le V_0-\tfrac{\alpha}{2}\sum_{k=0}^{3}\mathrm{E}\|\nabla F_\lambda(\bar x_k)\|^2"
        r"+\tfrac{\gamma L^2\alpha_0^2}{2\lambda}",
        printed=line("g0"),
        repaired=line("beta_g0"),
    )


@against("eq:thrm:1", "thrm:non-smooth:complexity")
def theorem_1_alpha_0() -> Counterexample:
    """eq:thrm:1 lacks alpha_0^2 on the noise"""
    of: dict[str, Any] = {"alpha_0": F(4), "K": 0, "envelope": F(1)}
    printed = slack.theorem_1(MODULUS, REAL_LINE, F(1), form="printed", **of)
    repaired = slack.theorem_1(MODULUS, REAL_LINE, F(1), form="repaired", **of)
    return Counterexample(
        "f(x) = |x|, x_0 = 1, lambda = 1, K = 0, alpha_0 = 4 (so beta = 1, xi = 0, gamma = gamma_1 = 1, Delta = L = 1)",
        r"\mathrm{E}\|\nabla F_\lambda(\bar x_{k^*})\|^2\le2\,\frac{\gamma_1\Delta+\gamma L^2/(2\lambda)}{\alpha_0\sqrt{K+1}}",
        printed=Line(printed.lhs, printed.rhs),
        repaired=Line(repaired.lhs, repaired.rhs),
        numbers={"x_hat_0": F(0), "gradient": F(1)},
    )


@against("thrm:smooth:complexity/bound", "thrm:smooth:complexity")
def theorem_2_alpha_0() -> Counterexample:
    """the first display of Theorem 2 lacks alpha_0^2 on the noise"""
    of: dict[str, Any] = {"alpha_0": F(9), "K": 0, "envelope": F(1, 2), "bounded": "sigma2+G2"}
    X = Interval(-1, 1)
    printed = slack.theorem_1(SHAKEN, X, F(1), form="printed", **of)
    repaired = slack.theorem_1(SHAKEN, X, F(1), form="repaired", **of)
    return Counterexample(
        "f(x) = x^2/2 on [-1, 1], f'(x,S) = x +- 1/2 with probability 1/2 (sigma^2 = 1/4), G = rho = 1, lambda = 1/2, x_0 = 1, K = 0, "
        "alpha_0 = 9 (gamma = gamma_1 = 1)",
        r"\mathrm{E}\|\nabla F_\lambda(\bar x_{k^*})\|^2\le2\,\frac{\gamma_1\Delta+\gamma(\sigma^2+G^2)/(2\lambda)}{\alpha_0\sqrt{K+1}}",
        printed=Line(printed.lhs, printed.rhs),
        repaired=Line(repaired.lhs, repaired.rhs),
        numbers={"x_hat_0": F(2, 3), "gradient": F(2, 3), "Delta": F(1, 2)},
    )


@against("thrm:non-smooth:complexity/gamma_1")
def gamma_bounds_need_lambda() -> Counterexample:
    """the bounds on gamma and gamma_1 hold at lambda = 1/(2 rho), not for every smaller lambda"""
    of = {"beta": F(1, 2), "nu": F(1)}
    bound = constants.gamma_1_bound(weak_convexity=1, alpha_0=1)
    return Counterexample(
        "rho = alpha_0 = 1, K = 3 (beta = 1/2, nu = 1, xi = 1/2), lambda = 1/8 (admissible: 1/lambda = 8 >= 2 rho)",
        r"\gamma_1\le2\rho^2\alpha_0^2+2\rho\alpha_0+1",
        printed=Line(constants.gamma_1(envelope=F(1, 8), **of), bound),
        repaired=Line(constants.gamma_1(envelope=F(1, 2), **of), bound),
        numbers={"gamma_1 at lambda = 1/2": constants.gamma_1(envelope=F(1, 2), **of)},
    )


@against("thrm:non-smooth:complexity/gamma")
def gamma_bound_needs_lambda() -> Counterexample:
    """the bound on gamma holds at lambda = 1/(2 rho), not for every smaller lambda"""
    of = {"weak_convexity": F(1), "beta": F(1, 2), "nu": F(1)}
    bound = constants.gamma_bound(weak_convexity=1, alpha_0=1)
    return Counterexample(
        "rho = alpha_0 = 1, K = 3 (beta = 1/2, nu = 1, xi = 1/2), lambda = 1/16 (admissible: 1/lambda = 16 >= 2 rho)",
        r"\gamma\le\rho^2\alpha_0^2+3\rho\alpha_0+1",
        printed=Line(constants.gamma_printed(envelope=F(1, 16), **of), bound),
        repaired=Line(constants.gamma(envelope=F(1, 2), **of), bound),
        numbers={"gamma at lambda = 1/2": constants.gamma(envelope=F(1, 2), **of)},
    )


@against("thrm:non-smooth:complexity/remark-ii-default")
def pytorch_default() -> Counterexample:
    """PyTorch's SGD has no momentum by default"""
    return Counterexample(
        "torch.optim.SGD(params, lr=..., momentum=0, dampening=0, ...): the documented default of momentum is 0",
        r"1-\beta=0.9\text{ is the default}",
        printed=Line(F(9, 10), F(0), "="),
        repaired=Line(F(9, 10), F(9, 10), "="),
        numbers={"a customary value": F(9, 10)},
    )


@against("thrm:non-smooth:complexity/remark-ii-smaller")
def smaller_momentum() -> Counterexample:
    """0.99 is called the smaller of 0.9 and 0.99"""
    return Counterexample(
        "1 - beta = 0.99 beside 1 - beta = 0.9",
        r"0.99\le0.9",
        printed=Line(F(99, 100), F(9, 10)),
        repaired=Line(F(1, 100), F(1, 10)),
        numbers={"what is smaller": "beta = 0.01 than beta = 0.1"},
    )


@against("fig:1/subdifferential")
def phase_sign() -> Counterexample:
    """the printed subdifferential has sign(<a,x> - b)^2 in place of sign(<a,x>^2 - b)"""
    x, b = F(1, 2), F(1)
    sign = {True: F(1), False: F(-1)}
    slope = (abs((x + F(1, 100)) ** 2 - b) - abs((x - F(1, 100)) ** 2 - b)) / F(2, 100)
    return Counterexample(
        "g(x) = |x^2 - 1| (a = b = 1) at x = 1/2, where g = 1 - x^2 has slope -1",
        r"g'(x)=2\langle a,x\rangle a\cdot\mathrm{sign}(\langle a,x\rangle-b)^2",
        printed=Line(slope, 2 * x * sign[x - b > 0] ** 2, "="),
        repaired=Line(slope, 2 * x * sign[x * x - b > 0], "="),
        numbers={"sign(x - b)^2": F(1), "sign(x^2 - b)": F(-1)},
    )


@against("fig:epochs2eps:corrupted")
def beta_above_one() -> Counterexample:
    """with beta = 1/(alpha_0 sqrt K) a small initial stepsize puts beta above 1"""
    K, alpha_0 = 400 * 300, F(1, 400)
    return Counterexample(
        "K = 400 m = 120000, alpha_0 = 1/400: beta^2 = 1/(alpha_0^2 K)",
        r"\beta^2\le1",
        printed=Line(1 / (alpha_0**2 * K), F(1)),
        repaired=Line(1 / (F(1, 300) ** 2 * K), F(1)),
        numbers={"beta <= 1 needs alpha_0 >=": "1/sqrt(120000) = 0.00289"},
    )


ALL: tuple[Against, ...] = (
    *(found for found in list(globals().values()) if isinstance(found, Against)),
    *rare.ALL,
    *third.ALL,
)
"""Every counterexample; call one to build it."""

CHECKS: dict[str, list[Check]] = {}
"""Refutations by label, for the ledger."""
for _one in ALL:
    for _label in _one.labels:
        CHECKS.setdefault(_label, []).append(refuted(_one))
