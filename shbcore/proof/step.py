r"""One step of the algorithm as vectors: the letters in which every proof of the paper is written.

The letters are :math:`x_{k-1}, d_k, g_k, d_{k+1}, g_{k+1}`, known at :math:`\mathcal F_{k-2},\mathcal F_{k-1},
\mathcal F_k,\mathcal F_k,\mathcal F_{k+1}`, and the prox point :math:`\hat x_k`; everything else is a combination of
them.  Parameters are SymPy symbols; ``ADMISSIBLE`` says how they range.
"""

import sympy as sp

from shbcore.model import constants
from shbcore.proof.algebra import Function, vector
from shbcore.proof.positivity import Domain, between, defined, inverse_at_least, nonnegative, positive

rho, lam, nu, alpha, beta, xi, L2, sigma2, G2 = sp.symbols("rho lambda nu alpha beta xi L^2 sigma^2 G^2")

ADMISSIBLE = Domain(
    nonnegative(rho),
    positive(nu),
    between(beta, 0, 1),
    inverse_at_least(lam, 2 * rho),
    nonnegative(L2),
    nonnegative(sigma2),
    nonnegative(G2),
    defined(alpha, beta / nu),
    defined(xi, constants.xi(beta=beta, nu=nu)),
)
r""":math:`\rho\ge0,\ \nu>0,\ \beta=\nu\alpha\in(0,1],\ \lambda^{-1}\ge2\rho`."""

f = Function("f")
F_env = Function(r"F_\lambda")

x_prev = vector("x_{k-1}", -2)
d_k = vector("d_k", -1)
x_k = (x_prev - alpha * d_k).named("x_k")
g_k = f.sample(x_k, "g_k")
z_k = (beta * g_k + (1 - beta) * d_k).named("z_k")
d_next = vector("d_{k+1}", 0)
x_next = (x_k - alpha * d_next).named("x_{k+1}")
g_next = f.sample(x_next, "g_{k+1}")
z_next = (beta * g_next + (1 - beta) * d_next).named("z_{k+1}")

p_k = ((1 - beta) / beta * (x_k - x_prev)).named("p_k")
p_next = ((1 - beta) / beta * (x_next - x_k)).named("p_{k+1}")
x_bar = (x_k + p_k).named(r"\bar x_k")
x_bar_next = (x_next + p_next).named(r"\bar x_{k+1}")
x_hat = vector(r"\hat x_k", -1)
grad_env = ((x_bar - x_hat) / lam).named(r"\nabla F_\lambda(\bar x_k)")
trial = (x_k - alpha * z_k).named(r"x_k-\alpha z_k")
