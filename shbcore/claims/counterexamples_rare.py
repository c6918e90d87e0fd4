r"""Counterexamples to the smooth half, and to every line that holds in expectation only: a rare large sample is enough.

Most of them share one instance: :math:`f=0` on the real line, :math:`f'(x,S)\in\{4,-4,0\}` with probabilities 1/32, 1/32, 15/16,
so :math:`L=\sigma=1`; :math:`\alpha=1/4,\ \beta=3/4` (:math:`\nu=3,\ \xi=1/12`), :math:`x_0=0`.  The first sample was 0, so that
:math:`z_0=0` and :math:`x_1=x_0` whichever start one takes; the second was 4.  Then :math:`z_1=d_2=3,\ x_2=-3/4`, and
:math:`z_2=\tfrac34g_2+\tfrac34`.  A line that conditions on :math:`S_1` must survive this draw; averaged over :math:`S_1` the same
line holds, and that is the repair.
"""

from collections.abc import Callable
from fractions import Fraction

from shbcore.claims.evidence_old import Against, Counterexample, Line, Relation, against

F = Fraction
LAW = {F(4): F(1, 32), F(-4): F(1, 32), F(0): F(15, 16)}
ALPHA, BETA, NU, XI, RHO = F(1, 4), F(3, 4), F(3), F(1, 12), F(1)
RARE = "f = 0 on R, f'(x,S) = 4, -4, 0 with probability 1/32, 1/32, 15/16 (L = sigma = 1); alpha = 1/4, beta = 3/4 (nu = 3, xi = 1/12)"
DRAWN = {"g_1": F(4), "z_1 = d_2": F(3), "x_2": F(-3, 4), "E[z_2|F_1]": F(3, 4), "E[z_2^2|F_1]": F(9, 8)}
Sides = Callable[[Fraction], tuple[Fraction, Fraction]]


def mean(of: Callable[[Fraction], Fraction]) -> Fraction:
    """Expectation over the second sample."""
    return sum((w * of(g) for g, w in LAW.items()), F(0))


def z_1(g: Fraction) -> Fraction:
    r""":math:`z_1=\beta g_1`, since :math:`d_1=0`."""
    return BETA * g


def z_2_squared(g: Fraction) -> Fraction:
    r""":math:`\mathrm E[z_2^2|\mathcal F_1]`; :math:`z_2=\beta g_2+(1-\beta)z_1`."""
    return BETA**2 + ((1 - BETA) * z_1(g)) ** 2


def jump(g: Fraction) -> Fraction:
    r""":math:`\mathrm E[(z_2-z_1)^2|\mathcal F_1]`."""
    return BETA**2 + (BETA * z_1(g)) ** 2


def at_the_draw(
    claim: str,
    sides: Sides,
    numbers: dict[str, object] | None = None,
    printed: Relation = "<=",
    repaired: Relation = "<=",
    where: str = "k = 1",
) -> Counterexample:
    """The line at the rare second sample 4; repaired, both sides are averaged over it.  ``where`` names k, and rho if it matters."""
    averaged = Line(mean(lambda g: sides(g)[0]), mean(lambda g: sides(g)[1]), repaired)
    past = "x_0 = 0; the first sample was 0, so z_0 = 0 and x_1 = 0 for either start, and the second was 4"
    return Counterexample(
        f"{RARE}; {past}; {where}", claim, Line(*sides(F(4)), printed), averaged, {**DRAWN, **(numbers or {})}
    )


@against("eq:lem:xdiff:non-smooth", "lem:xdiff:non-smooth", "eq:proof:lem:1:norm:final")
def conditional_lemma_3() -> Counterexample:
    """Lemma 3 given the past is false"""

    def sides(g: Fraction) -> tuple[Fraction, Fraction]:
        left = NU / 2 * XI**2 * z_2_squared(g)
        return left, NU / 2 * (XI * z_1(g)) ** 2 - ALPHA * z_2_squared(g) + ALPHA**2 * NU

    return at_the_draw(
        r"(1-\beta)f(x_2)+\mathrm{E}[\tfrac{\nu}{2}\|p_3\|^2|\mathcal F_1]\le(1-\beta)f(x_1)+\tfrac{\nu}{2}\|p_2\|^2"
        r"-\alpha\,\mathrm{E}[\|d_3\|^2|\mathcal F_1]+\alpha^2\nu L^2",
        sides,
        {"p_2": F(-1, 4)},
        where="rho = 0, k = 2",
    )


@against("eq:znorm")
def conditional_z() -> Counterexample:
    """E[|z_k|^2 | F_{k-1}] <= L^2 is false"""
    return at_the_draw(
        r"\mathrm{E}[\|z_2\|^2|\mathcal F_1]\le L^2",
        lambda g: (z_2_squared(g), F(1)),
        where="k = 1, first and last term",
    )


@against("eq:znorm")
def conditional_z_step_b() -> Counterexample:
    """step (b) replaces |z_k|^2, which is known at F_k, by its expectation given F_{k-1}"""
    expected = mean(lambda g: z_1(g) ** 2)
    return at_the_draw(
        r"\beta\,\mathrm{E}[\|g_2\|^2|\mathcal F_1]+(1-\beta)\|d_2\|^2\le\beta L^2+(1-\beta)\mathrm{E}[\|z_1\|^2|\mathcal F_0]",
        lambda g: (BETA + (1 - BETA) * z_1(g) ** 2, BETA + (1 - BETA) * expected),
        {"E[z_1^2|F_0]": expected},
        where="k = 1, step (b)",
    )


@against("eq:xdiff:norm:L")
def conditional_step_length() -> Counterexample:
    """the step length given the past is not bounded by alpha L"""
    return at_the_draw(
        r"\mathrm{E}[\|x_3-x_2\|^2|\mathcal F_1]\le\alpha^2L^2",
        lambda g: (ALPHA**2 * z_2_squared(g), ALPHA**2),
        where="k = 2",
    )


@against("eq:lem:smooth:W", "lem:Wfunc:smooth")
def conditional_W() -> Counterexample:
    """the W lemma given F_k is false"""

    def sides(g: Fraction) -> tuple[Fraction, Fraction]:
        left = z_2_squared(g) / (2 * NU) + XI / 2 * z_1(g) ** 2
        return left, z_1(g) ** 2 / (2 * NU) - ALPHA * z_1(g) ** 2 + 4 * NU * ALPHA**2

    return at_the_draw(
        r"\mathrm{E}[W_2|\mathcal F_1]\le W_1-\alpha\|d_2\|^2+4\nu\alpha^2\sigma^2", sides, {"W_1 = z_1^2/6": F(3, 2)}
    )


@against("lem:z:diff", "lem:z:diff/display", "lem:Wfunc:smooth/sketch-2")
def conditional_z_diff() -> Counterexample:
    """the bound on |z_{k+1} - z_k|^2 given F_k is false"""

    def sides(g: Fraction) -> tuple[Fraction, Fraction]:
        weight = XI / 2 + ALPHA - (ALPHA**3 * RHO**2 + 3 * RHO * ALPHA**2) / 2
        return jump(g) / (2 * NU), -weight * z_1(g) ** 2 + 4 * NU * ALPHA**2

    return at_the_draw(
        r"\tfrac{1}{2\nu}\mathrm{E}[\|z_2-z_1\|^2|\mathcal F_1]\le-\tfrac{\xi}{2}\|d_2\|^2"
        r"-\bigl(\alpha-\tfrac{\alpha^3\rho^2+3\rho\alpha^2}{2}\bigr)\|d_2\|^2+4\nu\alpha^2\sigma^2\quad(\rho=1)",
        sides,
        where="rho = 1, k = 1",
    )


@against("proof:smooth:z:diff:Delta")
def conditional_noise() -> Counterexample:
    """|Delta_k|^2 is known at F_k and need not be below sigma^2"""
    return at_the_draw(
        r"\beta^2\mathrm{E}[2\|\Delta_2\|^2+2\|\Delta_1\|^2|\mathcal F_1]\le4\beta^2\sigma^2",
        lambda g: (BETA**2 * (2 + 2 * g**2), 4 * BETA**2),
    )


@against("proof:smooth:cond:expect:b")
def conditional_swap() -> Counterexample:
    """the conditional expectation of something known at F_k is not that given F_{k-1}"""

    def known(g: Fraction) -> Fraction:
        return -g * (1 - BETA) * z_1(g)

    expected = mean(known)
    return at_the_draw(
        r"-\mathrm{E}[\langle\Delta_1,p_2-p_1\rangle|\mathcal F_1]=-\mathrm{E}[\langle\Delta_1,p_2-p_1\rangle|\mathcal F_0]",
        lambda g: (known(g), expected),
        {"p_2 (appendix C)": F(3, 4)},
        printed="=",
        repaired="=",
    )


@against("proof:smooth:cond:expect:b:final")
def conditional_T() -> Counterexample:
    """E[T | F_k] <= 2 beta^2 sigma^2 is false: a fair coin suffices"""
    x_0, alpha, beta = F(-8), F(1, 4), F(1, 2)
    d_1 = x_0 + 1
    x_1 = x_0 - alpha * d_1

    def T(noise: Fraction) -> Fraction:
        d_2 = beta * (x_1 + noise) + (1 - beta) * d_1
        x_2 = x_1 - alpha * d_2
        return -2 * beta * noise * (beta * (x_2 - x_1) + (1 - beta) * (d_2 - d_1))

    return Counterexample(
        "f(x) = x^2/2, f'(x,S) = x +- 1 with probability 1/2 (sigma = rho = 1), X = R, alpha = 1/4, beta = 1/2, x_0 = -8, z_0 = g_0 as "
        "printed; the samples were +1, then -1; k = 1",
        r"\mathrm{E}[T|\mathcal F_1]\le2\beta^2\sigma^2",
        printed=Line(T(F(-1)), 2 * beta**2),
        repaired=Line((T(F(1)) + T(F(-1))) / 2, 2 * beta**2),
        numbers={
            "d_1 = z_0": d_1,
            "x_1": x_1,
            "d_2 = z_1": F(-57, 8),
            "p_2 - p_1 (appendix C)": F(53, 64),
            "T": T(F(-1)),
        },
    )


@against("proof:smooth:z:diff:2")
def conditional_z_diff_2() -> Counterexample:
    """the first inequality of proof:smooth:z:diff:2 given F_k is false"""
    return at_the_draw(
        r"\mathrm{E}[\|z_2-z_1\|^2|\mathcal F_1]\le\|(1-\beta)(d_2-d_1)\|^2+6\beta^2\sigma^2",
        lambda g: (jump(g), ((1 - BETA) * z_1(g)) ** 2 + 6 * BETA**2),
    )


def noise_along_the_step(g: Fraction) -> Fraction:
    r""":math:`\langle\Delta_1,x_1-x_2\rangle`."""
    return g * ALPHA * z_1(g)


@against("proof:smooth:g:inp/noise")
def conditional_noise_step() -> Counterexample:
    """the noise along the step: known at F_k, so not its expectation given F_{k-1}"""
    expected = mean(noise_along_the_step)
    return at_the_draw(
        r"\mathrm{E}[\langle\Delta_1,x_1-x_2\rangle|\mathcal F_1]=\mathrm{E}[\langle\Delta_1,x_1-x_2\rangle|\mathcal F_0]",
        lambda g: (noise_along_the_step(g), expected),
        printed="=",
        repaired="=",
    )


@against("proof:smooth:g:inp")
def conditional_g_inp() -> Counterexample:
    """the noise along the step given F_k is not below alpha beta sigma^2"""
    return at_the_draw(
        r"\mathrm{E}[\langle\Delta_1,x_1-x_2\rangle|\mathcal F_1]\le\alpha\beta\sigma^2",
        lambda g: (noise_along_the_step(g), ALPHA * BETA),
    )


@against("proof:smooth:d:diff:decom:2")
def pathwise_decom_2() -> Counterexample:
    """a line without any expectation, where only the expectation is bounded"""

    def sides(g: Fraction) -> tuple[Fraction, Fraction]:
        rest = 3 * RHO * ALPHA**2 / 2 * z_1(g) ** 2 + ALPHA * BETA
        return z_1(g) ** 2, -BETA / (1 - BETA) * z_1(g) ** 2 + BETA / (ALPHA * (1 - BETA)) * rest

    return at_the_draw(
        r"\langle d_2,d_2-d_1\rangle\le-\tfrac{\beta}{1-\beta}\|d_2\|^2+\tfrac{\beta}{\alpha(1-\beta)}"
        r"\bigl[\tfrac{3\rho\alpha^2}{2}\|d_2\|^2+\alpha\beta\sigma^2\bigr]\quad(\rho=1)",
        sides,
        where="rho = 1, k = 1",
    )


@against("proof:smooth:d:diff:decom:final")
def pathwise_decom_final() -> Counterexample:
    """a line without any expectation, and with = where only <= can be"""

    def sides(g: Fraction) -> tuple[Fraction, Fraction]:
        square = z_1(g) ** 2
        return (1 - BETA) * square, -(1 - BETA) * square - (2 * BETA - 3 * RHO * ALPHA * BETA) * square + 2 * BETA**2

    return at_the_draw(
        r"(1-\beta)\|d_2-d_1\|^2=-(1-\beta)\|d_2\|^2-(2\beta-3\rho\alpha\beta)\|d_2\|^2+2\beta^2\sigma^2\quad(\rho=1)",
        sides,
        printed="=",
        where="rho = 1, k = 1",
    )


@against("proof:smooth:z:diff:3")
def conditional_z_diff_3() -> Counterexample:
    """the last line before the lemma, given F_k, is false"""

    def sides(g: Fraction) -> tuple[Fraction, Fraction]:
        weight = 1 - BETA + 2 * BETA - 3 * RHO * ALPHA * BETA - BETA * RHO**2 * ALPHA**2
        return jump(g), -weight * z_1(g) ** 2 + 8 * BETA**2

    return at_the_draw(
        r"\mathrm{E}[\|z_2-z_1\|^2|\mathcal F_1]\le-(1-\beta)\|d_2\|^2"
        r"-(2\beta-3\rho\alpha\beta-\beta\rho^2\alpha^2)\|d_2\|^2+8\beta^2\sigma^2\quad(\rho=1)",
        sides,
        where="rho = 1, k = 1",
    )


ALL: tuple[Against, ...] = tuple(found for found in list(globals().values()) if isinstance(found, Against))
