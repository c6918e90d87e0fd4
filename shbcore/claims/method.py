r"""Section 3 up to Lemma 3, line by line: the oracle, the method, its start, and the shape of the argument."""

from gmpy2 import mpq

from shbcore.claims.writing import *
from shbcore.claims import method_instances as instances
from shbcore.claims.beyond.schedules import anything_printed
from shbcore.claims.introduction import DIRECTION, MOMENTUM, heavy_ball_printed_start, heavy_ball_start

here = Section("3 Algorithm and convergence analysis", "algorithm")

SHARE = mpq(9, 10)
C, alpha_0, distance = sp.symbols("C alpha_0 Delta_V")
v, x_any = vector("v"), vector("x", inside=True)
x_0, x_1, g_0, z_0, d_0 = x(0, True), x(1, True), sample(0, True), z(0, True), d(0, True)
FREE = (on.WHOLE_SPACE,)


# --- the oracle


@cache
def unbiased(share: Any = 1) -> Line:
    r"""(A1) along any given vector."""
    return identity(g_k @ v, share * (f.slope(x_k) @ v), given=PAST, assumes=(on.A1,), scope=Scope.EVERY)


@cache
def bounded(bound: Any = L2) -> Line:
    return line(g_k**2 <= Number(bound), [1 * second_moment(g_k)], PAST, assumes=(on.A2,), scope=Scope.EVERY)


# --- the start


@cache
def start_by_recursion(share: Any = 1) -> Line:
    r""":math:`x_{-1}=x_0` in line (b), read for :math:`z_0`, says :math:`z_0=\beta g_0`."""
    return identity(z_0, share * beta * g_0 + (1 - beta) * d_0, scope=Scope.FIRST_REPAIRED)


@cache
def first_walk(share: Any = 1) -> Line:
    r"""Without constraints the extrapolated point begins to walk along :math:`g_0` with stepsize :math:`\alpha`."""
    claim = (bar(1, True) @ v).equals((bar(0, True) - share * alpha * g_0) @ v)
    terms = [1 / beta * whole_space(x_1, trial_at(z_0, 0, True), v)]
    return line(claim, terms, assumes=FREE, scope=Scope.FIRST_REPAIRED)


@cache
def first_walk_printed(share: Any = 1) -> Line:
    r"""With the printed start it begins with stepsize :math:`1/\nu`, which for a fixed :math:`\nu` does not go to 0 with :math:`\alpha`."""
    claim = (bar(1, True) @ v).equals((bar(0, True) - share / nu * g_0) @ v)
    terms = [1 / beta * whole_space(x_1, trial_at(z_printed, 0, True), v)]
    return line(claim, terms, assumes=FREE, scope=Scope.FIRST)


# --- the method


@cache
def step_minimises(share: Any = 1) -> Line:
    r"""The projection of :math:`x_k-\alpha z_k` minimises the model: the objectives differ by a constant."""

    def model(at: Node, weight: Any = 1) -> Node:
        found: Node = z_any @ (at - x_k) + weight / (2 * alpha) * (at - x_k) ** 2
        return found

    terms = [1 / (2 * alpha) * nearest(x_next, trial_at(z_any), x_any)]
    return line(model(x_next) <= model(x_any, share), terms, scope=Scope.EVERY)


@cache
def direction(share: Any = 1) -> Line:
    return identity(z_next, beta * g_next + share * (1 - beta) / alpha * (x_k - x_next), scope=Scope.EVERY)


@cache
def last_step_is_direction(share: Any = 1) -> Line:
    claim = (d_next @ v).equals(share * (z_any @ v))
    return line(claim, [-1 / alpha * whole_space(x_next, trial_at(z_any), v)], assumes=FREE, scope=Scope.EVERY)


@cache
def averaged_direction(share: Any = 1) -> Line:
    claim = (z_next @ v).equals((beta * g_next + share * (1 - beta) * z_any) @ v)
    terms = [-(1 - beta) / alpha * whole_space(x_next, trial_at(z_any), v)]
    return line(claim, terms, assumes=FREE, scope=Scope.EVERY)


@cache
def ipiano(share: Any = 1) -> Line:
    r"""What is projected: the argument of iPiano with stepsize :math:`\alpha\beta` and inertia :math:`1-\beta`."""
    right = x_k - share * alpha * beta * g_k + (1 - beta) * (x_k - x_prev)
    return identity(trial_at(z_k), right, scope=Scope.LATE)


@cache
def displacement(share: Any = 1) -> Line:
    return identity(p_k, -share * xi * d_k, scope=Scope.EVERY)


# --- the shape of the argument


@cache
def four_steps(share: Any = 1, steps: int = 4) -> Line:
    r"""The slacks :math:`V_k-\alpha e_k+\alpha^2C^2-V_{k+1}` of four steps, added up."""
    V, e = ([Quantity(f"{name}_{k}") for k in range(steps + 1)] for name in ("V", "e"))
    slacks = [Named(f"s_{k}", V[k] - alpha * e[k] + alpha**2 * C**2 - V[k + 1]) for k in range(steps)]
    left = V[steps] + alpha * Sum(tuple(e[:steps])) + Sum(tuple(slacks))
    return identity(left, V[0] + share * steps * alpha**2 * C**2, domain=Domain(positive(alpha), nonnegative(C)))


@cache
def rate(share: Any = 1) -> Line:
    r"""The bound of the average measure at :math:`\alpha=\alpha_0/\sqrt{K+1}`."""
    domain = Domain(
        *(positive(alpha_0), at_least(N, 1), nonnegative(distance), nonnegative(C), defined(alpha, alpha_0 / N))
    )
    bound = distance / (alpha * N**2) + alpha * C**2
    return equal_numbers(bound, share * (distance / alpha_0 + alpha_0 * C**2) / N, domain=domain)


# --- the places of Section 3 up to Lemma 3

ORACLE_PARTS = (
    proved(unbiased, "(A1) given the past", under="the slope"),
    proved(bounded, "(A2) given the past", under="the bound"),
)
ORACLE = here.assumption(
    "assumption:A",
    "Assumption A: the stochastic oracle",
    says=ORACLE_PARTS,
    words=r"Here $f'(x_k)$ is a subgradient, a member of $\partial f(x_k)$. The samples $S_0,S_1,\dots$ are independent with law $P$, "
    r"and $g_k$ is the oracle's answer at $x_k$, a subgradient of the sample $S_k$. Throughout, $f$ is weakly convex, $\mathcal{X}$ is "
    r"closed and convex, and $x_0$ lies in it.",
    more=exact(instances.second_moments, "(A2) at kinks", "9/10 of L^2", share=SHARE),
)
A1 = here.assumption(
    "assumption:A/A1",
    "(A1): the mean of the oracle is a subgradient",
    says=ORACLE_PARTS[0],
    words=r"Here $f'(x_k)$ is a subgradient, a member of $\partial f(x_k)$. For a finite sum of weakly convex functions the mean of "
    "subgradients is one.",
    more=exact(instances.mean_subgradient, "the mean lies between the slopes", "moved by 1/10", shift=Fraction(1, 10)),
)
A2 = here.assumption(
    "assumption:A/A2",
    "(A2): bounded second moment",
    says=ORACLE_PARTS[1],
    words="It bounds the mean over the samples, not each sample: that is what separates total from conditional "
    "expectation below.",
    more=exact(instances.second_moments, "at kinks", "9/10 of L^2", share=SHARE),
)
UNCONSTRAINED = "f(x) = |x| without constraints, x_0 = 1, alpha = 1/4, beta = 1/2 (nu = 2), k = 0, z_0 = g_0 as printed"
START = here.definition(
    "alg:iters:def/start",
    "The start of the method",
    as_printed="wrong",
    says=Definition(Named("z_0", beta * g_0)),
    printed=Definition(Named("z_0", g_0)),
    words=r"Here $x_0$ lies in $\mathcal{X}$, and $g_0$ is a subgradient of the first sample at $x_0$. Line (b) of the method gives just "
    "this direction if it is read one step earlier, for $z_0$, with $x_0$ in the place of $x_{-1}$; so all proofs read it.",
    printed_words="$z_0$ is a subgradient of the first sample; the proofs put $x_0$ in the place of $x_{-1}$, which gives another $z_0$.",
    repair=r"A, used in this book: the factor $\beta$ at the start. B: the start as printed, and the lemmas from the second step on.",
    consequence="With the printed start Lemmas 3, 4, 5 and 7 are false at the first step. With A every lemma and theorem holds, each with "
    "the other repairs of its own entry. With B the theorems hold too, but need another proof of the first step: the constant 10 of "
    "Theorems 1 and 2 and both bounds of Theorem 3 stay, and in the first displays of Theorems 1 and 2 the factor of the noise that is "
    "proved is larger than the printed one.",
    more=[
        proved(start_by_recursion, "the start as line (b) gives it", under="it"),
        proved(first_walk, "the first step of the extrapolated point", under="the step"),
        proved(first_walk_printed, "the same with the printed start", under="the step"),
        first_step_breaks(
            first_walk(),
            replace(AT_ONE, points={"v": Fraction(1)}, words=UNCONSTRAINED),
            says="the step of the extrapolated point that the proofs use says",
        ),
    ],
)


def from_the_second_step(like: Line, consequence: str, trial: Trial = AT_ONE) -> dict[str, Any]:
    """What there is to say of a printed line that is false at the first step of the printed start, and true from the second on."""
    return {
        "as_printed": "false",
        "printed": as_printed(like),
        "repair": "From the second step on, or with the repaired start.",
        "consequence": consequence,
        "more": first_step_breaks(like, trial),
        "root": START,
    }


projected = Projected(r"\Pi_{\mathcal{X}}(x_k-\alpha z_k)", trial_at(z_any))
METHOD = here.definition(
    "alg:iters:def",
    "The method",
    says=[
        Definition(Named("x_{k+1}", projected)),
        Definition(Named("z_{k+1}", beta * g_next + (1 - beta) / alpha * (x_k - x_next))),
    ],
    words="The start is an entry of its own.",
    more=exact(instances.recursion, "both lines at every state of small trees", "9/10 of 1 - beta", share=SHARE),
    uses=[START],
)
STEP = here.definition(
    "alg:iters:def:a",
    "The step is a projection",
    says=proved(step_minimises, "the projection minimises the model", under="the square"),
    words=r"So $x_{k+1}$, the projection of $x_k-\alpha z_k$, is the minimiser that is printed.",
)
RECURSION = here.definition(
    "alg:iters:def:b",
    "The direction uses the step actually made",
    says=proved(direction, "the recursion", under="the last step"),
    words=r"A mean, with weights $\beta$ and $1-\beta$, of the fresh subgradient and of the step actually made, "
    "$d_{k+1}$.",
    more=exact(instances.recursion, "z_k from g_k and d_k", "9/10 of 1 - beta", share=SHARE),
)
REDUCES = here.sentence(
    "alg:iters:def/reduces",
    "Without constraints it is the momentum method of the introduction",
    says=[
        proved(last_step_is_direction, "the step made is the direction", under="it"),
        proved(averaged_direction, "the recursion of the introduction", under="it"),
    ],
    words="The step that was made is the direction, so that line (b) averages directions.",
    uses=[METHOD, MOMENTUM, DIRECTION],
)
IPIANO = here.sentence(
    "alg:iters:def/iPiano",
    "With constraints it is iPiano",
    says=[
        proved(ipiano, "what is projected, from the second step on", under="the stepsize"),
        proved(heavy_ball_printed_start, "the first step as printed", under="the stepsize"),
    ],
    words=r"iPiano projects a gradient step with inertia: here with stepsize $\alpha\beta$ and inertia $1-\beta$. Its "
    r"stepsize may change; the first one is $\alpha$ with the printed start, and $\alpha\beta$ with the repaired one.",
    more=proved(heavy_ball_start, "the first step, repaired start", under="the step"),
    uses=[METHOD],
)
P_AND_D = here.definition(
    "alg:iters:def/p-and-d",
    "$p_k$ and $d_k$",
    says=[Definition(p_k), Definition(d_k), proved(displacement, "one is a multiple of the other", under="it")],
    words="(Appendix C uses the letter $p_k$ for something else.) At the first step both need $x_{-1}$, which is "
    "$x_0$.",
    more=exact(instances.p_and_d, "at every state of small trees", "9/10 of xi", share=SHARE),
)
SHAPE = here.claim(
    "eq:stoc:analysis",
    "The shape of the argument",
    words=r"$\mathbb{E}[V_{k+1}]\le\mathbb{E}[V_k]-\alpha\,\mathbb{E}[e_k]+\alpha^2C^2$ for a Lyapunov function $V_k$ "
    "and a measure $e_k$: a form, which Lemmas 3, 4 and 5 have in total expectation, at the first step with the repaired start.",
    more=proved(four_steps, "the slacks of four steps added up", under="the noise"),
)
COMPLEXITY = here.sentence(
    "eq:stoc:analysis/complexity",
    "From the shape to the complexity",
    says=[proved(four_steps, "four steps added up", under="the noise"), proved(rate, "the rate", under="it")],
    words="The sum over the steps, shown here for four; for any number of steps it is a theorem in Coq. Here $s_k$ is what the shape "
    "leaves over at step $k$, not negative in expectation. Divided by the number of steps: the average of the measures is at most the left "
    r"side of the second line, where $\Delta_V$ is the start of $V$ less its infimum, and goes with $1/\sqrt{K+1}$.",
    uses=[SHAPE],
)
DECAYING = here.sentence(
    "eq:stoc:analysis/decaying",
    "Decaying stepsizes",
    chapter="theory_meets_experiment",
    says=proved(anything_printed, "any stepsizes, with the printed start", under="the noise"),
    words=r"Asserted in the paper, and true with a fixed $\beta$, for decaying stepsizes and for any others: the shape survives with "
    r"weighted sums. Here $S_k$ is such a sum of the coming stepsizes, and no sample; $\bar x_k$ looks ahead as far as it says. "
    r"With the $\beta$ of the theorems, which falls with $K$, this bound gives no rate. The adjustments are an extrapolated "
    "point that looks ahead and a Lyapunov function that changes with the step.",
)
