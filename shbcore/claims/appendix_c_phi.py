r"""Lines of the first half of Appendix C: the conjugate :math:`h^*`, the functions :math:`\varphi_k` and :math:`W_k`, Lemma 6.

Nothing here needs the recursion at :math:`k`: with ``z_any`` a line holds for every start.  With ``z_k`` it is the same line for the lines
that do need it.  Weak convexity and (A1) suffice for Lemma 6, for every stepsize.
"""

from shbcore.claims.writing import *
from shbcore.proof import letters

smooth_f = Function("f", r"\nabla f")
r"""The objective again: where it is smooth, its subgradient is called the gradient."""
f = smooth_f


CONVEX = (on.WEAKLY_CONVEX, on.A1)
WEIGHTS = constants.W_weights(alpha=alpha, beta=beta, nu=nu)
x_any = vector("x", inside=True)
jump = x_next - x_k
trial_next = x_next - alpha * z_next


def stepsizes_up_to(bound: Any) -> Domain:
    r""":math:`\alpha\in(0,\text{bound}/\rho]` and :math:`\beta=\nu\alpha\in(0,1]`, for :math:`\rho>0`."""
    return ADMISSIBLE.also(positive(rho), between(alpha, 0, bound / rho), defined(nu, beta / alpha))


def scope_of(z: Node) -> Scope:
    """For every start, if nothing is said of the direction; else where the recursion holds."""
    return Scope.EVERY if isinstance(z, Direction) else Scope.STEP


def phi(index: int = 0, first: bool = False, *, z: Node | None = None, half: Any = HALF) -> Named:
    r""":math:`\varphi_k=h^*(x_k-\alpha z_k)-\frac12\|x_k\|^2+\alpha\langle x_k,z_k\rangle`, by the recursion if no direction is given."""
    at, direction = x(index, first), letters.z(index, first) if z is None else z
    tree = h_star(trial_at(direction, index, first)) - half * at**2 + alpha * (at @ direction)
    return Named(indexed(r"\varphi", index, first), tree, "", index, first)


def W(index: int = 0, first: bool = False, *, z: Node | None = None) -> Named:
    r""":math:`W_k=2f(x_k)+\varphi_k/(\nu\alpha^2)+\frac\xi2\|d_k\|^2`."""
    tree = WEIGHTS.f * f(x(index, first)) + WEIGHTS.phi * phi(index, first, z=z) + xi / 2 * d(index, first) ** 2
    return Named(indexed("W", index, first), tree, "", index, first)


phi_next = phi(1)


# --- the conjugate h*, and the sign of phi_k


@cache
def rewrite(half: Any = HALF) -> Line:
    r"""``alg:iters:def:a:rewrite``: :math:`x_{k+1}` is least, with :math:`\frac12\|x-x_{k+1}\|^2` to spare."""
    left = (alpha * z_any - x_k) @ x_next + half * x_next**2
    terms = [1 * projection(x_next, trial_at(z_any), x_any), HALF * square(x_any - x_next)]
    return line(left <= (alpha * z_any - x_k) @ x_any + x_any**2 / 2, terms, scope=Scope.EVERY)


_y, _v = vector("y"), vector("v")
_p, _q = Projected(r"\Pi_{\mathcal{X}}(y)", _y), Projected(r"\Pi_{\mathcal{X}}(v)", _v)


@cache
def conjugate_above(half: Any = HALF) -> Line:
    r""":math:`h^*` is 1-smooth, with the projection as gradient."""
    right = h_star(_y) + _p @ (_v - _y) + half * (_v - _y) ** 2
    return line(h_star(_v) <= right, [1 * conjugate_smooth(h_star, _p, _y, _q, _v)])


@cache
def conjugate_below(share: Any = 1) -> Line:
    r""":math:`h^*` lies above its tangents: the projection is its gradient."""
    values = (-1 * conjugate_value(h_star, _q, _v), 1 * conjugate_value(h_star, _p, _y))
    terms = [*values, 1 * projection(_q, _v, _p), HALF * square(_p - _q)]
    return line(h_star(_y) + share * (_p @ (_v - _y)) <= h_star(_v), terms)


@cache
def conjugate_lipschitz(share: Any = 1) -> Line:
    return line((_p - _q) ** 2 <= share * (_y - _v) ** 2, [1 * nonexpansive_pair(_p, _y, _q, _v)])


@cache
def smoothness(half: Any = HALF, z: Node = z_any) -> Line:
    r"""Smoothness of :math:`h^*` between the two trial points, whose gradient is :math:`x_{k+1}`."""
    move = x_next - alpha * z_next - x_k + alpha * z
    right = h_star(trial_at(z)) + x_next @ move + half * (x_k - alpha * z - x_next + alpha * z_next) ** 2
    terms = [1 * conjugate_smooth(h_star, x_next, trial_at(z), x(2), trial_next)]
    return line(h_star(trial_next) <= right, terms, scope=scope_of(z), name="smoothness of $h^*$")


@cache
def phi_value(share: Any = 1, z: Node = z_any) -> Line:
    r""":math:`\varphi_k` is :math:`-\alpha` times the least value in the step."""
    right = -share * alpha * (z @ jump + jump**2 / (2 * alpha))
    terms = [1 * conjugate_value(h_star, x_next, trial_at(z))]
    return line(phi(z=z).equals(right), terms, scope=scope_of(z))


@cache
def phi_nonnegative(half: Any = HALF, z: Node = z_k) -> Line:
    terms = [
        -1 * conjugate_value(h_star, x_next, trial_at(z)),
        1 * projection(x_next, trial_at(z), x_k),
        HALF * square(jump),
    ]
    return line(Number(sp.S.Zero) <= phi(z=z, half=half), terms, scope=scope_of(z))


@cache
def phi_lower(share: Any = HALF, z: Node = z_any) -> Line:
    terms = [-1 * conjugate_value(h_star, x_next, trial_at(z)), 1 * projection(x_next, trial_at(z), x_k)]
    return line(share * alpha**2 * d_next**2 <= phi(z=z), terms, scope=scope_of(z))


@cache
def W_lower(share: Any = 1, z: Node = z_k) -> Line:
    terms = [2 * infimum(f, x_k), WEIGHTS.phi * phi_nonnegative(z=z), xi / 2 * square(d_k)]
    return line(2 * share * f_star <= W(z=z), terms, assumes=(on.BOUNDED_BELOW,), scope=scope_of(z))


# --- Lemma 6, given F_k


@cache
def varphi_diff(half: Any = HALF, z: Node = z_any) -> Line:
    right = (
        x_next @ (x_next - alpha * z_next - x_k + alpha * z)
        + half * (x_k - alpha * z - x_next + alpha * z_next) ** 2
        - HALF * x_next**2
        + alpha * (x_next @ z_next)
        + HALF * x_k**2
        - alpha * (x_k @ z)
    )
    return line(phi_next - phi(z=z) <= right, [1 * smoothness(z=z)], scope=scope_of(z))


@cache
def norm_identity(half: Any = HALF) -> Line:
    a, b = vector("a"), vector("b")
    return identity(a @ b, half * a**2 + b**2 / 2 - (a - b) ** 2 / 2)


@cache
def inner_1a(half: Any = HALF) -> Line:
    right = HALF * x_k**2 + half * alpha**2 * z_any**2 - HALF * (x_k - alpha * z_any) ** 2
    return identity(x_k @ (alpha * z_any), right, scope=Scope.EVERY)


@cache
def inner_1b(half: Any = HALF) -> Line:
    right = HALF * x_next**2 + half * alpha**2 * z_next**2 - HALF * trial_next**2
    return identity(x_next @ (alpha * z_next), right, scope=Scope.EVERY)


@cache
def inner_2(share: Any = 1) -> Line:
    start = trial_at(z_any)
    move = x_k - alpha * z_any - x_next + alpha * z_next
    return identity(HALF * start**2 - HALF * trial_next**2, share * (start @ move) - HALF * move**2, scope=Scope.EVERY)


def _gain(z: Node) -> Node:
    found: Node = alpha**2 / 2 * z_next**2 - alpha**2 / 2 * z**2
    return found


@cache
def varphi_diff_2(share: Any = 1, z: Node = z_any) -> Line:
    right = _gain(z) + share * ((jump + alpha * z) @ (jump + alpha * z - alpha * z_next))
    return line(phi_next - phi(z=z) <= right, [1 * varphi_diff(z=z)], scope=scope_of(z))


@cache
def varphi_diff_2_split(share: Any = 1) -> Line:
    left = _gain(z_any) + (jump + alpha * z_any) @ (jump + alpha * z_any - alpha * z_next)
    right = (
        _gain(z_any)
        + alpha**2 * (z_any @ (z_any - z_next))
        + (jump + alpha * z_any) @ jump
        + share * alpha * (jump @ (z_any - z_next))
    )
    return identity(left, right, scope=Scope.EVERY)


@cache
def inner_3c(half: Any = HALF) -> Line:
    left = HALF * z_next**2 - HALF * z_any**2 + z_any @ (z_any - z_next)
    return identity(left, half * (z_any - z_next) ** 2, scope=Scope.EVERY)


@cache
def optimality_at_x(share: Any = 1, z: Node = z_any) -> Line:
    claim = (share * jump + alpha * z) @ jump <= Number(sp.S.Zero)
    return line(claim, [1 * projection(x_next, trial_at(z), x_k)], scope=scope_of(z))


@cache
def inner_3a(share: Any = 1) -> Line:
    right = jump @ (alpha * z_any) - share * alpha * beta * (jump @ g_next) + (1 - beta) * jump**2
    return identity(jump @ (alpha * z_any - alpha * z_next), right, scope=Scope.EVERY)


@cache
def inner_3b(share: Any = 1, z: Node = z_any) -> Line:
    right = -share * beta * jump**2 + alpha * beta * ((x_k - x_next) @ g_next)
    return line(jump @ (alpha * z - alpha * z_next) <= right, [1 * optimality_at_x(z=z)], scope=scope_of(z))


@cache
def varphi_diff_3(share: Any = 1, z: Node = z_any) -> Line:
    right = (
        phi(z=z) - share * beta * jump**2 + alpha * beta * ((x_k - x_next) @ g_next) + alpha**2 / 2 * (z - z_next) ** 2
    )
    terms = [1 * varphi_diff_2(z=z), 1 * optimality_at_x(z=z), 1 * inner_3b(z=z)]
    return line(phi_next <= right, terms, scope=scope_of(z))


@cache
def weak_convexity_next(share: Any = 1) -> Line:
    claim = f(x_next) <= f(x_k) - (x_k - x_next) @ g_next + share * rho / 2 * jump**2
    return line(claim, [1 * weak_convexity(f, x_next, x_k)], NOW, assumes=CONVEX, scope=Scope.EVERY)


def _lemma_6(decrease: Node, z: Node, terms: Any) -> Line:
    left = f(x_next) + WEIGHTS.phi * phi_next
    right = f(x_k) + WEIGHTS.phi * phi(z=z) - decrease + (z - z_next) ** 2 / (2 * nu)
    return line(left <= right, terms, NOW, assumes=CONVEX, scope=scope_of(z), name="Lemma 6")


@cache
def varphi_diff_4(share: Any = 1, z: Node = z_any) -> Line:
    terms = [1 / (nu * alpha**2) * varphi_diff_3(z=z), 1 * weak_convexity_next()]
    return _lemma_6(share * (1 / alpha - rho / 2) * jump**2, z, terms)


@cache
def lemma_6(share: Any = 1, z: Node = z_any) -> Line:
    r"""Lemma 6 given :math:`\mathcal F_k`."""
    return _lemma_6(share * (alpha - rho * alpha**2 / 2) * d_next**2, z, [1 * varphi_diff_4(z=z)])
