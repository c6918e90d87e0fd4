r"""Section 1, line by line: the problem, weak convexity, the momentum method in the form of Polyak, and what is promised."""

import numpy as np

from shbcore.claims.writing import *
from shbcore.claims import background_instances as instances
from shbcore.claims.background import ITEM_1, above_the_parabola, x_in, y_in
from shbcore.model.gallery import landscapes
from shbcore.proof.facts import L_c, L_h, composition

here = Section("1 Introduction", "before_we_start")
convexity = here.within("weak_convexity")
method = here.within("algorithm")
complexity = here.within("complexity")

SHARE = Fraction(9, 10)
C, epsilon, alpha_0 = sp.symbols("C epsilon alpha_0")
alpha_k, beta_k, alpha_prev, beta_prev, eta_k, lambda_k = sp.symbols(
    r"alpha_k beta_k \alpha_{k-1} \beta_{k-1} eta_k lambda_k"
)
ANY = Domain(nonnegative(rho))
STEPS = Domain(positive(alpha_k), positive(alpha_prev), between(beta_prev, 0, 1))
CONSTANT = Domain(positive(nu), between(beta, 0, 1), defined(alpha, beta / nu))


# --- weak convexity


def _convex_part(bend: Any, at: Node = x_in) -> Named:
    r""":math:`\phi(x)=f(x)+\text{bend}\,\rho\|x\|^2`, which is convex by the definition."""
    return Named(rf"\phi({at})", f(at) + bend * rho * at**2)


@cache
def from_the_printed_definition(bend: Any = 1) -> Line:
    r"""What :math:`\phi=f+\rho\|\cdot\|^2` above its tangent says of :math:`f`: the parabola of Lemma 1 with twice its curvature."""
    step, slope = y_in - x_in, f.slope(x_in) + 2 * rho * x_in
    above = _convex_part(1, y_in) - _convex_part(1, x_in) - slope @ step
    return line(above.equals(f(y_in) - f(x_in) - f.slope(x_in) @ step + bend * rho * step**2), domain=ANY)


@cache
def smooth_is_weakly_convex(share: Any = 1) -> Line:
    r""":math:`\nabla f+\rho\,\mathrm{id}` is monotone, so that :math:`f+\frac\rho2\|\cdot\|^2` is convex."""
    smooth, step = Function("f", r"\nabla f"), x_in - y_in
    bent = smooth.slope(x_in) - smooth.slope(y_in)
    claim = Number(sp.S.Zero) <= (bent + share * rho * step) @ step
    terms = [1 * young(-bent, step, rho), 1 / (2 * rho) * lipschitz_gradient(smooth, x_in, y_in)]
    return line(claim, terms, domain=Domain(positive(rho)), assumes=(on.SMOOTH,))


@cache
def composite(share: Any = HALF) -> Line:
    r""":math:`h\circ c` is :math:`L_hL_c`-weakly convex: the tangent of h, and the error of the linearisation of c."""
    x_all, y_all = vector("x"), vector("y")
    v, image, _ = composition(x_all, y_all)
    claim = f(y_all) >= f(x_all) + v @ image - share * L_h * L_c * (y_all - x_all) ** 2
    terms = [1 * outer_tangent(f, x_all, y_all), 1 * linearisation(x_all, y_all)]
    domain = Domain(positive(L_h), positive(L_c))
    return line(claim, terms, domain=domain, assumes=(on.LIPSCHITZ_OUTER, on.LIPSCHITZ_JACOBIAN))


def bending(share: float = 1.0) -> Outcome:
    r"""The bending inequality of the six applications at random pairs of points, with a ``share`` of the :math:`\rho` that each has."""
    rng = np.random.default_rng(0)
    used: dict[str, float] = {}
    for name, (one, X, truth) in landscapes(rng).items():
        need = []
        for _ in range(300):
            p = X.project(truth + rng.choice([0.3, 1.0, 3.0]) * rng.standard_normal(one.n))
            r = X.project(p + rng.choice([0.05, 0.5, 2.0]) * rng.standard_normal(one.n))
            distance = float((r - p) @ (r - p))
            bent = float(one.value(p) + one.mean_subgradient(p) @ (r - p) - one.value(r))
            need.append(2 * bent / distance if distance > 1e-8 else 0.0)
        used[name] = max(need) / one.rho
    text = "share of rho that the pairs use: " + ", ".join(f"{name} {value:.2f}" for name, value in used.items())
    return Outcome(len(used) == 6 and all(0 < value <= share + 1e-6 for value in used.values()), text)


# --- the method without constraints

g_free, z_free, x_before = vector("g"), vector("z"), vector("x^-")
x_now = Named("x", x_before - alpha_prev * z_free)
r""":math:`x_k=x_{k-1}-\alpha_{k-1}z_{k-1}`; three iterates in a row are :math:`x^-,x,x^+`."""


@cache
def subgradient_method(share: Any = 1) -> Line:
    r""":math:`\beta_k=1`: the fresh subgradient alone."""
    return line((beta_k * g_free + (1 - beta_k) * z_free).equals(share * g_free), domain=Domain(defined(beta_k, 1)))


def _weights(steps: int) -> list[Any]:
    r"""Weights of :math:`z_0,g_1,\dots,g_k` in :math:`z_k`, in closed form."""
    return [(1 - beta) ** steps, *(beta * (1 - beta) ** (steps - i) for i in range(1, steps + 1))]


@cache
def unrolled(share: Any = 1, steps: int = 4) -> Line:
    r"""Four steps of the recursion with a constant :math:`\beta`."""
    samples = [vector(f"g^{{({i})}}") for i in range(1, steps + 1)]
    found: Node = z_free
    for g in samples:
        found = beta * g + (1 - beta) * found
    oldest, *rest = _weights(steps)
    closed: Node = share * oldest * z_free
    for weight, g in zip(rest, samples, strict=True):
        closed = closed + weight * g
    return line(found.equals(closed), domain=Domain(between(beta, 0, 1)))


@cache
def weights_add_up(share: Any = 1, steps: int = 4) -> Line:
    return equal_numbers(sum(_weights(steps)), share, domain=Domain(between(beta, 0, 1)))


@cache
def heavy_ball(share: Any = 1) -> Line:
    r"""Two steps :math:`x_k=x_{k-1}-\alpha_{k-1}z_{k-1}` and :math:`x_{k+1}=x_k-\alpha_kz_k` in the form of Polyak."""
    x_after = Named("x^+", x_now - alpha_k * (beta_prev * g_free + (1 - beta_prev) * z_free))
    inertia = (1 - beta_prev) * alpha_k / alpha_prev
    domain = STEPS.also(defined(eta_k, alpha_k * beta_prev), defined(lambda_k, inertia))
    return line(x_after.equals(x_now - eta_k * g_free + share * lambda_k * (x_now - x_before)), domain=domain)


@cache
def heavy_ball_start(share: Any = 1) -> Line:
    r"""The first step for :math:`z_0=\beta g_0`, with :math:`x_{-1}=x_0`."""
    right = x(0, True) - share * alpha * beta * sample(0, True)
    return line((x(0, True) - alpha * z(0, True)).equals(right), domain=CONSTANT, scope=Scope.FIRST_REPAIRED)


@cache
def heavy_ball_printed_start(share: Any = 1) -> Line:
    r"""The first step for :math:`z_0=g_0`: its stepsize is :math:`\alpha`, not :math:`\alpha\beta`."""
    right = x(0, True) - share * alpha * sample(0, True)
    return line((x(0, True) - alpha * z_printed).equals(right), domain=CONSTANT, scope=Scope.FIRST)


# --- what is promised


@cache
def samples_needed(share: Any = 1) -> Line:
    r"""The bound :math:`C/\sqrt{K+1}` of Theorem 1 at :math:`\sqrt{K+1}=C/\epsilon`."""
    domain = Domain(positive(C), positive(epsilon), defined(N, C / epsilon))
    return equal_numbers(C / N, share * epsilon, domain=domain)


@cache
def small_beta(share: Any = 1) -> Line:
    domain = Domain(
        positive(alpha_0),
        at_least(N, 1),
        defined(nu, 1 / alpha_0),
        defined(alpha, alpha_0 / N),
        defined(beta, nu * alpha),
    )
    return equal_numbers(beta, share / N, domain=domain)


# --- the places of Section 1

CONCAVE = Trial(
    RationalProblem((PiecewiseQuadratic.build((), [-2]),)),
    *(REAL_LINE, Fraction(0), Fraction(1, 4), Fraction(1, 2)),
    values={rho: Fraction(1)},
    points={"x": Fraction(0), "y": Fraction(1)},
    words="f(x) = -x^2, for which f + rho x^2 is convex with rho = 1; x = 0, y = 1",
)
r""":math:`f(x)=-x^2`: :math:`f+\rho x^2` is convex with :math:`\rho=1`."""

ABSTRACT = here.undecided(
    "introduction/abstract",
    "Abstract: no complexity known beyond convex or smooth problems",
    words="A statement about the literature of 2020; nothing here can decide it. What it says of this paper's results "
    "is checked at the theorems.",
)
OBJECTIVE = here.definition(
    "eqn:objective",
    "The problem",
    words=r"Minimise $f(x)=\mathbb{E}_P[f(x;S)]$ over a closed convex set $\mathcal{X}\subseteq\mathbb{R}^n$.",
    more=exact(instances.objective, "a finite sum is its mean", "9/10 of the mean", share=SHARE),
)
WEAK_CONVEXITY = convexity.definition(
    "eqn:objective/weak-convexity",
    "Definition of weak convexity",
    as_printed="wrong",
    says=Definition(_convex_part(HALF)),
    printed=Definition(_convex_part(1)),
    words=r"$f$ is $\rho$-weakly convex if $\phi$ is convex.",
    printed_words=r"$f$ is $\rho$-weakly convex if this $\phi$ is convex.",
    repair="The factor one half, as Lemma 1 has it.",
    consequence=r"Read literally, $\rho$ would be half of what Lemma 1 and every later constant need. The paper "
    "uses the repaired definition throughout.",
    more=[
        proved(
            from_the_printed_definition, "with the printed definition the parabola has twice the curvature", under="it"
        ),
        broken_at(
            above_the_parabola().statement,
            CONCAVE,
            "Lemma 1 is false with the printed definition",
            above_the_parabola(),
            says="Lemma 1 would say",
            values={rho: Fraction(2)},
        ),
    ],
)
CLASS = convexity.sentence(
    "eqn:objective/class",
    "Convex functions, smooth functions and their sums are weakly convex",
    says=proved(smooth_is_weakly_convex, "smooth functions", under="the constant"),
    more=exact(instances.sums, "sums: the constants add up", "9/10 of the sum", share=SHARE),
    words=r"A convex function is weakly convex with every $\rho$. The line says that the gradient of $\phi$ is "
    r"monotone, so that $\phi$ is convex. The constants of a sum add up, since the sum of the two convex functions "
    r"$\phi$ is convex.",
    uses=[WEAK_CONVEXITY],
)
COMPOSITE = convexity.sentence(
    "eq:composite",
    "Composite functions are weakly convex",
    says=proved(composite, "the product of the two constants", under="it"),
    words=r"Here $f$ is the composition $h\circ c$, and $h'(c(x))$ is a subgradient of $h$ at $c(x)$, so that the "
    "transposed Jacobian takes it to a subgradient of $f$ at $x$.",
    uses=[WEAK_CONVEXITY],
)
APPLICATIONS = convexity.sentence(
    "eq:composite/applications",
    "Applications of the class",
    words="Nonlinear least squares, robust phase retrieval, robust PCA, low-rank recovery, conditional value-at-risk "
    r"and graph synchronisation are weakly convex; for an instance of each, $\rho$ is computed and the bending "
    "inequality tried. The verdict rests on a reading: nonlinear least squares with the norm, or with its square on a "
    r"bounded set (on all of $\mathbb{R}^n$ the square of a smooth map need not be weakly convex).",
    more=measured(bending, "six applications, 300 pairs of points each", "nine tenths of rho", share=0.9),
    uses=[COMPOSITE, ITEM_1],
)
MOMENTUM = method.definition(
    "eq:SHB:unconstrained",
    "Momentum method without constraints",
    says=Definition(Named("x_{k+1}", x_k - alpha_k * z_any)),
    words=r"A step along the search direction $z_k$, which the next line renews; $\beta_k$ lies between 0 and 1, 0 "
    "excluded.",
    more=proved(subgradient_method, "with beta = 1 the subgradient method", under="the step"),
)
DIRECTION = method.definition(
    "eq:SHB:unconstrained:z",
    "The direction is an average",
    says=Definition(Named("z_{k+1}", beta_k * vector("g_{k+1}") + (1 - beta_k) * z_any)),
    words=r"With a constant $\beta$ the direction is a weighted mean of $z_0$ and of all subgradients since: the "
    "weights are not negative and add up to one, since each step takes the mean of the old average and a new vector.",
    more=[
        proved(unrolled, "four steps", under="the weight of the first direction"),
        proved(weights_add_up, "four steps: the weights add up to one", "nine tenths", share=NINE_TENTHS),
    ],
    uses=[MOMENTUM],
)
HEAVY_BALL = method.claim(
    "eq:SHB:unconstrained/heavy-ball",
    "Heavy ball form",
    says=proved(heavy_ball, "two steps of the method", under="the inertia"),
    words="Here $x^-$, $x$, $x^+$ are three iterates in a row, $x_{k-1}$, $x_k$, $x_{k+1}$, and $g$ is $g_k$. The introduction of the "
    r"paper gives no start. With the start of Section 3 the first step has this form if the start is repaired; as printed its stepsize is "
    r"$\alpha$, not $\alpha\beta$.",
    more=[
        proved(heavy_ball_start, "the first step, repaired start", under="the step"),
        proved(heavy_ball_printed_start, "the first step, printed start", under="the step"),
    ],
    uses=[MOMENTUM, DIRECTION],
)
SAMPLE_COMPLEXITY = here.undecided(
    "introduction/sample-complexity",
    "Sample complexity, and what was known of it",
    words=r"The number of samples $S_0,\dots,S_K$ that an accuracy $\epsilon$ needs; in this paper $\epsilon$ bounds "
    r"the squared norm $\mathbb{E}\|\nabla F_\lambda\|^2$. What was known before is a statement about the literature.",
)
RELATED_WORK = here.undecided(
    "introduction/related-work",
    "Related work",
    words="Statements about other papers; not decided here.",
)
CONTRIBUTION = complexity.sentence(
    "introduction/contribution-non-smooth",
    "The complexity of Theorem 1 is free of tuning and has one time scale",
    says=proved(samples_needed, "how many samples reach an accuracy", under="the accuracy"),
    words=r"Stepsize and momentum of Theorem 1 both go with $1/\sqrt{K+1}$ and do not know $\rho$, $L$ or $\Delta$. "
    r"Its bound is at most $C/\sqrt{K+1}$, so $(C/\epsilon)^2$ samples suffice for accuracy $\epsilon$. The constant $C$ is free of $K$, "
    "and does depend on the problem.",
)
FIRST = here.undecided(
    "introduction/contribution-first",
    "First complexity guarantee",
    words="A statement about the literature; not decided here.",
)
CONTRIBUTION_SMOOTH = here.undecided(
    "introduction/contribution-smooth",
    "Theorems 2 and 3: that nobody had them before",
    words="One sample an iteration is enough for both; the theorems themselves are entries of their own. That nobody "
    "had done it before is a statement about the literature.",
)
SMALL_BETA = complexity.sentence(
    "introduction/small-beta",
    r"$\beta$ may be as small as $O(1/\sqrt K)$",
    says=proved(small_beta, "the momentum of Theorem 1", under="it"),
    words=r"In Theorem 1 the fresh subgradient has the weight $1/\sqrt{K+1}$, and the momentum the rest.",
)
UNIMPROVABLE = here.undecided(
    "introduction/unimprovable",
    "The rate cannot be improved for smooth unconstrained problems",
    words="A lower bound of another paper; not decided here.",
)
