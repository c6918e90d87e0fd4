r"""What the theorems for schedules say at a constant stepsize, to leading order, read off their formal statements.

Each bounds a weighted sum of :math:`\mathbb{E}\|\nabla F_\lambda(\bar x_k)\|^2` by the gap :math:`f(x_0)-f^\star` and a sum of noises.
With :math:`\alpha_k=\alpha` and :math:`S_k=\alpha/\beta`, which every class allows, the mean of the squared gradients is at most
:math:`\frac{c_1}{\alpha(K+1)}(f(x_0)-f^\star)+c_2\frac{\alpha}{\lambda}` times :math:`L^2` or :math:`\sigma^2`, up to higher powers of
:math:`\alpha`.
"""

from typing import Any

import sympy as sp

from shbcore.proof.domain import Definition
from shbcore.proof.kernel import Line
from shbcore.proof.letters import L2, alpha, beta, lam, sigma2


def leading(line: Line) -> tuple[Any, Any]:
    """The factors of the gap and of the noise, :math:`c_1` and :math:`c_2`."""
    says = line.statement
    gap, noise = says.relation.right.parts  # type: ignore[attr-defined]
    meaning = {one.symbol: one.formula for one in says.domain.entries if isinstance(one, Definition)}

    def constant(value: Any) -> Any:
        """The value with one stepsize for all."""
        value = value.xreplace({one: of for one, of in meaning.items() if one.name.startswith("w")})
        names = {one: one.name for one in value.free_symbols}
        steps = {one: alpha for one, name in names.items() if name.startswith("alpha")}
        ahead = {one: alpha / beta for one, name in names.items() if name.startswith("S_")}
        return value.xreplace(steps | ahead).subs({L2: 1, sigma2: 1})

    weight = constant(says.relation.left.of.times)  # type: ignore[attr-defined]
    sizes = constant(gap.times) * alpha, constant(noise.of.value) * lam / alpha
    first, second = (sp.factor(sp.limit(size / weight, alpha, 0)) for size in sizes)
    return first, second
