r"""What proofs rest on and do not prove: the assumptions of the paper, the definitions, and the rules that join steps.

The list is closed.  A statement names the assumptions that it makes; the kernel refuses a proof that uses another.  Definitions and
rules need not be named.  ``python -m shbcore verify --axioms LABEL`` prints what a result rests on, from this list.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Foundation:
    """One thing that is not proved here: its name, what it says, and the label under which the paper has it."""

    name: str
    kind: Literal["assumption", "definition", "rule", "own"]
    meaning: str
    label: str = ""


def _assumption(name: str, meaning: str, label: str = "") -> Foundation:
    return Foundation(name, "assumption", meaning, label)


def _definition(name: str, meaning: str, label: str) -> Foundation:
    return Foundation(name, "definition", meaning, label)


def _rule(name: str, meaning: str, label: str = "") -> Foundation:
    return Foundation(name, "rule", meaning, label)


WEAKLY_CONVEX = _assumption(
    r"$f$ is $\rho$-weakly convex", r"$f+\frac{\rho}{2}\|\cdot\|^2$ is convex", "eqn:objective/weak-convexity"
)
SMOOTH = _assumption(
    r"$f$ is $\rho$-smooth on $\mathcal{X}$",
    r"the gradient is $\rho$-Lipschitz along segments in $\mathcal{X}$",
    "assumption:A3/smooth",
)
SMOOTH_EVERYWHERE = _assumption(
    r"$f$ is $\rho$-smooth on $\mathbb{R}^n$",
    r"the gradient is $\rho$-Lipschitz on the whole space",
    "assumption:A3/smooth",
)
A1 = _assumption("(A1)", "the mean of the oracle's samples at a point is a subgradient there", "assumption:A/A1")
A2 = _assumption("(A2)", r"the mean of $\|f^\prime(x,S)\|^2$ is at most $L^2$ on $\mathcal{X}$", "assumption:A/A2")
A3 = _assumption("(A3)", r"the variance of the oracle is at most $\sigma^2$ on $\mathcal{X}$", "assumption:A3")
SURE = _assumption(
    r"$\|f^\prime(x,S)\|\le L$ almost surely", r"every sample, not only their mean square, is bounded by $L$"
)
BOUNDED_GRADIENT = _assumption(
    r"$\|\nabla f\|\le G$ on $\mathcal{X}$", r"the gradient is bounded by $G$ on the set", "thrm:smooth:complexity"
)
BOUNDED_BELOW = _assumption(
    r"$f^\star>-\infty$", r"$f^\star=\inf_{\mathcal{X}}f$ is a number", "thrm:non-smooth:complexity"
)
WHOLE_SPACE = _assumption(
    r"$\mathcal{X}=\mathbb{R}^n$", "there are no constraints", "thrm:smooth:unconstrained:complexity/lambda"
)
LIPSCHITZ_OUTER = _assumption(
    r"$h$ is convex and $L_h$-Lipschitz", "the outer function of a composition", "eq:composite"
)
LIPSCHITZ_JACOBIAN = _assumption(r"$\nabla c$ is $L_c$-Lipschitz", "the inner map of a composition", "eq:composite")

PROJECTION = _definition(
    "the set and its projection",
    r"$\mathcal{X}$ is closed and convex, and $\Pi_{\mathcal{X}}(y)$ is its point nearest to $y$",
    "background/projection",
)
METHOD = _definition(
    "the iterates",
    r"$x_0\in\mathcal{X}$ and $x_{k+1}=\Pi_{\mathcal{X}}(x_k-\alpha z_k)$: every iterate is a member of $\mathcal{X}$",
    "alg:iters:def:a",
)
RECURSION = _definition(
    "the direction", r"$z_k=\beta g_k+(1-\beta)d_k$ for $k\ge1$, with $d_k=(x_{k-1}-x_k)/\alpha$", "alg:iters:def:b"
)
START = _definition(
    "the repaired start",
    r"$z_0=\beta g_0$: the formula of the direction at $k=0$ too, with $x_{-1}=x_0$",
    "alg:iters:def/start",
)
PRINTED_START = _definition("the printed start", r"$z_0=g_0$, and $x_{-1}=x_0$", "alg:iters:def/start")
INDEPENDENCE = _definition(
    "the samples",
    r"$S_0,S_1,\dots$ are independent with law $P$; $g_k=f^\prime(x_k,S_k)$; $\mathcal{F}_k=\sigma(S_0,\dots,S_k)$",
    "background/sigma-fields",
)
PROX = _definition(
    "prox and envelope",
    r"$\hat x$ attains the infimum $F_\lambda(x)=\inf_{u\in\mathcal{X}}\{f(u)+\frac{1}{2\lambda}\|u-x\|^2\}$",
    "eq:prox",
)
CONJUGATE = _definition(
    "the conjugate",
    r"$h^*(y)=\sup_{u\in\mathcal{X}}\{\langle y,u\rangle-\frac12\|u\|^2\}$",
    "lem:Wfunc:smooth/phi",
)
STATIONARY_PROX = _rule(
    "the gradient at a free minimiser",
    r"a differentiable function has gradient 0 at a minimiser over $\mathbb{R}^n$",
)
TANGENT = _rule(
    "tangents",
    r"for the convex $\phi=f+\frac{\rho}{2}\|\cdot\|^2$: $\phi(y)\ge\phi(x)+\langle f^\prime(x)+\rho x,y-x\rangle$",
)
COCOERCIVITY = _rule(
    "two-point smoothness",
    r"a gradient $\rho$-Lipschitz on $\mathbb{R}^n$ gives $f(y)\ge f(x)+\langle\nabla f(x),y-x\rangle+\frac12\langle u,y-x\rangle"
    r"+\frac{1}{4\rho}\|u\|^2-\frac{\rho}{4}\|y-x\|^2$ with $u=\nabla f(y)-\nabla f(x)$",
)
DESCENT = _rule(
    "descent lemma",
    r"a $\rho$-Lipschitz gradient gives $f(y)\le f(x)+\langle\nabla f(x),y-x\rangle+\frac{\rho}{2}\|y-x\|^2$",
)
INDUCTION = _rule("induction", r"from $k=0$ and the step $k\to k+1$ to every $k$")
SUMMATION = _rule(
    "summation",
    r"from $a_{k+1}\le a_k-w_ke_k+c_k$ for every $k$ to $a_n+\sum_{k=m}^{n-1}w_ke_k\le a_m+\sum_{k=m}^{n-1}c_k$",
    "eq:stoc:analysis",
)
SQUARE_SUMMABLE = _assumption(
    r"$\sum_k\alpha_k^2<\infty$", "the squares of the stepsizes have a finite sum", "eq:stoc:analysis/decaying"
)
DIVERGENT = _assumption(r"$\sum_k\alpha_k=\infty$", "the stepsizes have no finite sum", "eq:stoc:analysis/decaying")
ROBBINS_SIEGMUND = _rule(
    "Robbins and Siegmund (1971)",
    r"if $U_k,b_k,n_k\ge0$ are adapted to a filtration $\mathcal{G}_k$, $\mathbb{E}[U_{k+1}\,|\,\mathcal{G}_k]\le U_k-b_k+n_k$ "
    r"and $\sum n_k<\infty$ almost surely, then almost surely $U_k$ converges to a finite limit and $\sum b_k<\infty$ "
    r"[their Theorem 1, with $\beta_n=0$]",
)
SLOW_CHANGE = _rule(
    "slow changes",
    r"if $a_k>0$, $\sum a_k=\infty$, $\sum a_k\|v_k\|^2<\infty$ and $\|v_{k+1}-v_k\|\le Ca_k$ for every $k$, then $v_k\to0$",
)
LIMIT = _rule("limit", r"what holds for every $t\in(0,1]$ and is continuous in $t$ holds at $t=0$")
UNIFORM = _definition("the index", r"$k^*$ is uniform and independent of the samples", "thrm:non-smooth:complexity")

ALL = tuple(value for value in dict(globals()).values() if isinstance(value, Foundation))
"""Every foundation, in the order of this file."""
