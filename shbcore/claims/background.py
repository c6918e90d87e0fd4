r"""Section 2, line by line: weak convexity (Lemma 1), the Moreau envelope (Lemma 2), and what its gradient says.

Everything here is deterministic.  ``inside`` points are those at which :math:`f` is evaluated; ``x_hat`` is the prox point.
"""

from shbcore.claims.writing import *
from shbcore.claims import background_instances as instances

here = Section("2 Background", "moreau_envelope")
convexity = here.within("weak_convexity")
notation = here.within("before_we_start")

SHARE, MORE, TENTH = Fraction(9, 10), Fraction(11, 10), Fraction(1, 10)
a, t = sp.symbols("a t")
ANY = Domain(nonnegative(rho))
MIX = ANY.also(between(a, 0, 1))
CONVEX = Domain(defined(rho, 0))
SHORT = Domain(positive(rho), inverse_at_least(lam, 2 * rho))
r"""The paper's range, :math:`\lambda^{-1}\ge2\rho`; a convex function is weakly convex with every :math:`\rho>0`."""
FULL = Domain(positive(rho), inverse_above(lam, rho))
r"""All of :math:`\lambda<1/\rho`, where the prox is unique."""
LONG = Domain(positive(rho), inverse_between(lam, rho, 2 * rho))
r""":math:`\lambda^{-1}\in(\rho,2\rho]`, which Theorem 3 needs."""
EDGE = Domain(positive(rho), defined(lam, 1 / (2 * rho)))
r""":math:`\lambda^{-1}=2\rho`, where the two ranges meet, and both constants are the same."""
WEAK = (on.WEAKLY_CONVEX,)

phi = convex_function(f)
f_env = Function(r"f_\lambda", role="envelope", of=f, envelope=lam)
x_in, y_in, z_in, u_in = (vector(name, inside=True) for name in ("x", "y", "z", "u"))
x_all, y_all = vector("x"), vector("y")
x_prox, y_prox = (f_env.prox(at, rf"\mathrm{{prox}}_{{\lambda f}}({at})") for at in (x_all, y_all))
x_hat = F_env.prox(x_all, r"\hat x")
grad_x, grad_y = (
    Named(rf"\nabla f_\lambda({at})", (at - prox) / lam) for at, prox in ((x_all, x_prox), (y_all, y_prox))
)
grad_F = Named(r"\nabla F_\lambda(x)", (x_all - x_hat) / lam)
CURVATURE = rho / (1 - lam * rho)


# --- the set, and subgradients


@cache
def projected(share: Any = 1) -> Line:
    point = Projected(r"\Pi_{\mathcal{X}}(x)", x_all)
    return line((point - x_all) ** 2 <= share * (z_in - x_all) ** 2, [1 * nearest(point, x_all, z_in)], domain=ANY)


@cache
def convex_subgradient(share: Any = 1) -> Line:
    r"""Lemma 1 for :math:`\rho=0`: the subgradient inequality of convex functions."""
    claim = f(x_in) + share * f.slope(x_in) @ (y_in - x_in) <= f(y_in)
    return line(claim, [1 * weak_convexity(f, x_in, y_in)], domain=CONVEX, assumes=WEAK)


@cache
def only_the_gradient(share: Any = 1) -> Line:
    r"""Another vector :math:`g` fails the definition along :math:`g-\nabla f(x)`, by a term that is linear in :math:`t`."""
    smooth, g = Function("f", r"\nabla f"), vector("g")
    gap = g - smooth.slope(x_in)
    y = x_in + t * gap
    right = smooth(x_in) + g @ (t * gap) - share * t * (1 - rho * t / 2) * gap**2
    domain = ANY.also(between(t, 0, 1))
    return line(
        smooth(y) <= right, [1 * smooth_above(smooth, x_in, y)], domain=domain, assumes=(on.SMOOTH, on.WHOLE_SPACE)
    )


# --- Lemma 1


@cache
def above_the_parabola(bend: Any = HALF) -> Line:
    r"""Lemma 1, item 1, from the tangent of :math:`\phi=f+\frac\rho2\|\cdot\|^2` at :math:`x`."""
    terms = [1 * tangent(f, phi, x_in, y_in), -1 * convex_part(f, phi, x_in), 1 * convex_part(f, phi, y_in)]
    right = f(x_in) + f.slope(x_in) @ (y_in - x_in) - bend * rho * (y_in - x_in) ** 2
    return line(f(y_in) >= right, terms, domain=ANY, assumes=WEAK)


@cache
def below_the_chord(bend: Any = HALF) -> Line:
    r"""Lemma 1, item 2, from the chord of :math:`\phi`."""
    z = a * x_in + (1 - a) * y_in
    definition = [m * convex_part(f, phi, at) for m, at in ((-1, z), (a, x_in), (1 - a, y_in))]
    right = a * f(x_in) + (1 - a) * f(y_in) + bend * rho * a * (1 - a) * (x_in - y_in) ** 2
    return line(f(z) <= right, [1 * jensen(phi, x_in, y_in, a), *definition], domain=MIX, assumes=WEAK)


# --- the envelope and Lemma 2


def model(u: Node) -> Node:
    r""":math:`f(u)+\frac1{2\lambda}\|x-u\|^2`, which the prox minimises."""
    found: Node = f(u) + (x_all - u) ** 2 / (2 * lam)
    return found


@cache
def envelope_below(share: Any = 1) -> Line:
    right = f(y_in) + share / (2 * lam) * (x_all - y_in) ** 2
    return line(f_env(x_all) <= right, [1 * envelope_infimum(f_env, x_all, y_in)], domain=FULL, assumes=WEAK)


@cache
def envelope_at_prox(share: Any = 1) -> Line:
    right = f(x_prox) + share / (2 * lam) * (x_all - x_prox) ** 2
    return line(f_env(x_all).equals(right), [1 * envelope_attained(f_env, x_prox)], domain=FULL, assumes=WEAK)


@cache
def strong(share: Any = 1) -> Line:
    r"""The prox function is :math:`(\lambda^{-1}-\rho)`-strongly convex at its minimiser: minimality along a segment, and the limit."""
    claim = model(y_in) >= model(x_prox) + share * (1 - lam * rho) / (2 * lam) * (y_in - x_prox) ** 2
    return line(claim, [1 * prox_strong_convexity(x_prox, y_in)], domain=FULL, assumes=WEAK)


@cache
def smooth_upper(constant: Any = 1 / lam, domain: Domain = FULL) -> Line:
    r"""The prox point of :math:`x` is a candidate for :math:`y`."""
    right = f_env(x_all) + grad_x @ (y_all - x_all) + constant / 2 * (y_all - x_all) ** 2
    terms = [
        1 * envelope_infimum(f_env, y_all, x_prox),
        -1 * envelope_attained(f_env, x_prox),
        (constant - 1 / lam) / 2 * square(y_all - x_all),
    ]
    return line(f_env(y_all) <= right, terms, domain=domain, assumes=WEAK)


@cache
def smooth_lower(constant: Any = CURVATURE, domain: Domain = FULL) -> Line:
    r"""Strong convexity at the prox point of :math:`x`, tried at the prox point of :math:`y`."""
    modulus = 1 / lam - rho
    terms = [
        1 * prox_strong_convexity(x_prox, y_prox),
        -1 * envelope_attained(f_env, y_prox),
        1 * envelope_attained(f_env, x_prox),
        modulus / 2 * square(y_prox - x_prox - (y_all - x_all) / (lam * modulus)),
        (constant - CURVATURE) / 2 * square(y_all - x_all),
    ]
    right = f_env(x_all) + grad_x @ (y_all - x_all) - constant / 2 * (y_all - x_all) ** 2
    return line(f_env(y_all) >= right, terms, domain=domain, assumes=WEAK)


@cache
def upper_short(share: Any = 1) -> Line:
    return smooth_upper(share / lam, SHORT)


@cache
def lower_short(share: Any = 1, domain: Domain = SHORT) -> Line:
    return smooth_lower(share / lam, domain)


@cache
def upper_long(share: Any = 1, domain: Domain = LONG) -> Line:
    return smooth_upper(share * CURVATURE, domain)


@cache
def lower_long(share: Any = 1) -> Line:
    return smooth_lower(share * CURVATURE, LONG)


def _both_proxes(times: Any) -> list[Any]:
    return [times * prox_strong_convexity(x_prox, y_prox), times * prox_strong_convexity(y_prox, x_prox)]


@cache
def gradient_lipschitz(share: Any = 1) -> Line:
    r"""Strong convexity at both prox points: :math:`\nabla f_\lambda` is :math:`\lambda^{-1}`-Lipschitz, so :math:`f_\lambda\in C^1`."""
    terms = [*_both_proxes(2 / lam), (1 / lam - 2 * rho) / lam * square(x_prox - y_prox)]
    claim = (grad_x - grad_y) ** 2 <= share / lam**2 * (x_all - y_all) ** 2
    return line(claim, terms, domain=SHORT, assumes=WEAK)


@cache
def gradient_lipschitz_long(share: Any = 1) -> Line:
    r"""The same beyond the paper's range, with the constant :math:`\rho/(1-\lambda\rho)`."""
    m = 1 - lam * rho
    terms = [
        *_both_proxes((2 / m - 2) / lam),
        (1 - 2 * m) / (m * lam) ** 2 * square(x_all - y_all - m * (x_prox - y_prox)),
    ]
    claim = (grad_x - grad_y) ** 2 <= share * CURVATURE**2 * (x_all - y_all) ** 2
    return line(claim, terms, domain=LONG, assumes=WEAK)


# --- the measure of stationarity


@cache
def distance(share: Any = 1) -> Line:
    return identity((x_all - x_hat) ** 2, share * lam**2 * grad_F**2, domain=FULL, assumes=WEAK)


@cache
def gradient_is_subgradient(bend: Any = HALF) -> Line:
    r""":math:`\nabla F_\lambda(x)\in\partial F(\hat x)`, in the form of Lemma 1 on :math:`\mathcal X`."""
    right = f(x_hat) + grad_F @ (y_in - x_hat) - bend * rho * (y_in - x_hat) ** 2
    return line(f(y_in) >= right, [1 * prox_strong_convexity(x_hat, y_in)], domain=FULL, assumes=WEAK)


@refuted
def prox_not_attained() -> Counterexample:
    """without closedness the prox need not exist: f = 0 on (0, 1], infinite elsewhere"""
    y = Fraction(1)
    return Counterexample(
        "f = 0 on (0,1] and +inf elsewhere, lambda = 1, x = 0. Were y = 1 the minimiser (any other y in (0,1] behaves alike), "
        "its value would be at most that at y/2",
        printed=Comparison(y**2 / 2, (y / 2) ** 2 / 2),
        repaired=Comparison(Fraction(0), (y / 2) ** 2 / 2),
    )


# --- the places of Section 2

PROJECTION = notation.definition(
    "background/projection",
    "Projection and indicator",
    as_printed="typo",
    says=proved(projected, "the projection is the nearest point", under="the distance"),
    words=r"$\Pi_{\mathcal{X}}(x)$ is the point of the closed convex set $\mathcal{X}$ that is nearest to $x$. The indicator "
    r"$\mathsf{I}_{\mathcal{X}}$ is 0 on the set and $+\infty$ elsewhere.",
    printed_words=r"$\Pi_{\mathcal{X}}$ denotes the orthogonal projection onto $\mathcal{Z}$",
    repair=r"onto $\mathcal{X}$",
    consequence=r"None; the formula in the same sentence has $\mathcal{X}$.",
    more=exact(
        instances.projection,
        "nearest, and in X, on an interval",
        "onto another set, shorter by a tenth",
        target=Interval(-1, Fraction(19, 10)),
    ),
)
FIELDS = notation.definition(
    "background/sigma-fields",
    "What is known when",
    words=r"$\mathcal{F}_k=\sigma(S_0,\dots,S_k)$, and $\mathcal{F}_{-1}$ is trivial. So $x_k$, and all that is made of "
    r"$x_0,\dots,x_k$ alone, is known at $\mathcal{F}_{k-1}$; the subgradient $g_k$, the direction $z_k$ and $x_{k+1}$ are known "
    r"at $\mathcal{F}_k$.",
    more=[
        exact(instances.measurable, "x_3 is a function of S_0, S_1, S_2", "of S_0, S_1", known=1),
        not_known(z_k**2, "the direction is not known one field earlier", "the last step, which is", known=d_k**2),
    ],
)
SUBDIFFERENTIAL = convexity.definition(
    "background/subdifferential",
    "Fréchet subdifferential",
    words=r"$g\in\partial f(x)$ iff $f(y)\ge f(x)+\langle g,y-x\rangle+o(\|y-x\|)$ as $y\to x$; for weakly convex $f$ "
    r"one may take $-\frac{\rho}{2}\|y-x\|^2$ for the remainder, for all $y$ (Lemma 1).",
    more=exact(instances.subgradients, "one-sided slopes of a kinked f", "1/10 outside", outside=TENTH),
)
LEMMA_1_PARTS = (
    proved(above_the_parabola, "item 1, from a tangent of the convex function", under=r"$\rho$"),
    proved(below_the_chord, "item 2, from a chord of the convex function", under=r"$\rho$"),
)
CASES = convexity.sentence(
    "background/subdifferential-cases",
    "Convex and smooth functions",
    says=[
        proved(convex_subgradient, "convex functions", under="the slope"),
        proved(only_the_gradient, "smooth functions", over="the last term"),
    ],
    words="For a convex function the subgradients are the usual ones. A smooth function has its gradient alone: for "
    "any other $g$ the last term is of first order in $t$, and the definition allows less.",
    uses=[SUBDIFFERENTIAL],
)
STATIONARY_POINT = here.definition(
    "background/stationary",
    "Stationary points",
    words=r"$x$ is stationary if $0\in\partial f(x)+\partial\mathsf{I}_{\mathcal{X}}(x)$.",
    more=exact(
        instances.in_subdifferential,
        r"$0\in\partial F(\hat x)+(\hat x-x)/\lambda$",
        "eleven tenths of the last term",
        scale=MORE,
    ),
    uses=[SUBDIFFERENTIAL],
)
LEMMA_1 = convexity.lemma(
    "lem:weak:convexity",
    "Lemma 1: two inequalities of weakly convex functions",
    says=LEMMA_1_PARTS,
    words="Weak convexity is that of the repaired definition. $f$ may be infinite at $y$, and in item 2 at $x$; then there is "
    "nothing to show.",
    more=[
        exact(instances.subgradients, "item 1, for functions with kinks", "nine tenths of rho", share=SHARE),
        exact(instances.chords, "item 2, for functions with kinks", "nine tenths of rho", share=SHARE),
    ],
)
ITEM_1 = convexity.lemma(
    "lem:weak:convexity/1",
    "Lemma 1, item 1: above the parabola",
    says=LEMMA_1_PARTS[0],
    words=r"For every subgradient $f'(x)$, with the repaired definition of weak convexity; the printed one is the defect, not this line.",
)
ITEM_2 = convexity.lemma(
    "lem:weak:convexity/2",
    "Lemma 1, item 2: below the bent chord",
    says=LEMMA_1_PARTS[1],
    words=r"With the repaired definition of weak convexity, as item 1. The paper's weight is called $\alpha$, and here $a$. With weight "
    "zero both sides are $f(y)$.",
)
ENVELOPE = here.definition(
    "eq:moreau:env",
    "Moreau envelope",
    says=proved(envelope_below, "the infimum is below every value", under="the square"),
    words=r"$f_\lambda(x)$ is the largest number with this property, the infimum over all of $\mathbb{R}^n$. If only the points $y$ "
    r"of $\mathcal{X}$ count, it is $F_\lambda(x)$.",
    more=exact(instances.attained, "no competitor is below", "prox moved by 1/10", shift=TENTH),
)
PROX = here.definition(
    "eq:prox",
    "The prox exists and is unique",
    as_printed="unstated",
    says=[
        proved(envelope_at_prox, "the prox attains the infimum", under="the square"),
        proved(strong, "strong convexity at the prox", over="the modulus"),
    ],
    words="For closed, proper and weakly convex $f$ the minimiser exists, since the objective is closed and strongly "
    "convex. There is only one: take another for $y$ in the second line, and the last term must be 0.",
    printed_words=r"for small enough $\lambda$ the point achieving $f_\lambda(x)$ is unique (no word on closed and "
    "proper $f$)",
    repair=r"assume that $f$ is closed (lower semicontinuous) and proper, and $\lambda$ below $1/\rho$",
    consequence=r"None for the theorems: there the prox is of $F$, the sum of $f$ and $\mathsf{I}_{\mathcal{X}}$, with "
    r"$f$ finite and weakly convex, hence continuous, and $\mathcal{X}$ closed.",
    more=prox_not_attained,
    uses=[ENVELOPE],
)
GRADIENT_PARTS = (
    Definition(grad_x),
    proved(smooth_upper, "the expansion from above", under="the constant"),
    proved(smooth_lower, "the expansion from below", under="the constant"),
)
SMOOTH_PARTS = (
    proved(upper_short, "from above", under="the constant"),
    proved(lower_short, "from below", under="it, at the end of the range", domain=EDGE),
)
LEMMA_2 = here.lemma(
    "lem:moreau:env",
    "Lemma 2: the envelope is smooth",
    as_printed="unstated",
    says=[*GRADIENT_PARTS, SMOOTH_PARTS[1]],
    words="For closed and proper $f$. Expansions from above and from below make the vector of item 1 the gradient, wherever the prox "
    "is unique. On the printed range the printed constant serves for both.",
    printed_words=r"$f$ is $\rho$-weakly convex, with values in $\mathbb{R}\cup\{+\infty\}$ (closed and proper not "
    "assumed)",
    repair="assume $f$ closed and proper",
    consequence=r"None: $F$, the sum of $f$ and $\mathsf{I}_{\mathcal{X}}$, is closed and proper in all three theorems.",
    more=prox_not_attained,
    uses=[PROX, LEMMA_1],
    root=PROX,
)
LEMMA_2_ITEM_1 = here.lemma(
    "lem:moreau:env/1",
    "Lemma 2, item 1: the gradient of the envelope",
    as_printed="unstated",
    says=GRADIENT_PARTS,
    words=r"For closed and proper $f$. Expansions from above and from below say that the named vector is the gradient, for every "
    r"$\lambda$ below $1/\rho$; "
    r"it is Lipschitz, so $f_\lambda$ is $\mathcal{C}^1$-smooth.",
    printed_words=r"a formula with the prox of $f$, which need not exist: $f$ is not assumed closed and proper",
    repair="assume $f$ closed and proper",
    consequence=r"None: $F$, the sum of $f$ and $\mathsf{I}_{\mathcal{X}}$, is closed and proper in all three theorems.",
    more=[
        proved(gradient_lipschitz, "Lipschitz gradient, paper's range", "nine tenths", share=NINE_TENTHS),
        proved(gradient_lipschitz_long, "Lipschitz gradient beyond it", "nine tenths", share=NINE_TENTHS),
        prox_not_attained,
    ],
    uses=[PROX],
    root=PROX,
)
LEMMA_2_ITEM_2 = here.lemma(
    "lem:moreau:env/2",
    r"Lemma 2, item 2: the envelope is $\lambda^{-1}$-smooth",
    says=SMOOTH_PARTS,
    words="The two sides of the absolute value, for proper $f$, as a weakly convex function is understood to be; closed it need not be, "
    "since its closure has the same envelope. Beyond the paper's range the constant is another one, and it is attained.",
    more=[
        proved(upper_long, "beyond the range, from above", under="the constant, at the end of the range", domain=EDGE),
        proved(lower_long, "beyond the range, from below", under="the constant"),
        exact(instances.first_order, "kinked functions, intervals too", "9/10 of 1/lambda", scale=SHARE),
        exact(instances.curvature, "f = -rho x^2/2 attains it", "9/10 of 1/lambda", factor=SHARE),
    ],
    uses=[LEMMA_2_ITEM_1],
)
FAILURE = here.sentence(
    "eq:stationary:measure/failure",
    "The gradient norm does not measure stationarity",
    words=r"$f(x)=|x|$ has $|f'(x)|=1$ at every $x\ne0$, however near to the minimiser.",
    more=exact(
        instances.slope_of_modulus, "slope of |x| at 1, 1/10, ..., 10^-9 on both sides", "slope 9/10", size=SHARE
    ),
)
MEASURE = here.claim(
    "eq:stationary:measure",
    "The envelope's gradient does",
    says=[
        proved(distance, "the distance to the prox point", under="it"),
        proved(gradient_is_subgradient, "the gradient is a subgradient at the prox point", under="the remainder"),
    ],
    words=r"Here $\hat x$ is $\mathrm{prox}_{\lambda F}(x)$. By the second line $\nabla F_\lambda(x)$ is a subgradient of $F$ at "
    r"$\hat x$; so its length bounds the distance of 0 from the subdifferential of $F$ there.",
    more=[
        exact(
            instances.in_subdifferential,
            r"$(x-\hat x)/\lambda\in\partial F(\hat x)$",
            "eleven tenths of it",
            scale=MORE,
        ),
        exact(instances.shortest_subgradient, "the shortest subgradient", "9/10", scale=SHARE),
    ],
    uses=[LEMMA_2_ITEM_1],
)
NEAR = here.sentence(
    "eq:stationary:measure/near",
    "A small gradient means a near-stationary point nearby, in the set",
    words=r"$\hat x\in\mathcal{X}$, at distance $\lambda\|\nabla F_\lambda(x)\|$ from $x$.",
    more=exact(instances.feasible, "x_hat in X, at this distance", "9/10 of the distance", share=SHARE),
    uses=[MEASURE],
)
