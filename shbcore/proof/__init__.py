r"""An exact language for proofs about stochastic methods, and a small kernel that decides.

One import is enough: ``from shbcore.proof import *`` brings the letters of the method, the facts, the fields, ``line`` to state and prove,
``check`` to decide, ``find`` to look for multipliers, and ``Trial`` problems stay in :mod:`shbcore.claims.trial`.
"""

from types import ModuleType

from shbcore.proof.domain import (
    Domain,
    at_least,
    between,
    defined,
    inverse_above,
    inverse_at_least,
    inverse_between,
    nonnegative,
    positive,
)
from shbcore.proof.foundations import (
    A1,
    A2,
    A3,
    BOUNDED_BELOW,
    BOUNDED_GRADIENT,
    SMOOTH,
    SMOOTH_EVERYWHERE,
    SURE,
    WEAKLY_CONVEX,
    WHOLE_SPACE,
    Foundation,
)
from shbcore.proof.joins import Induction, Later, Limit, Summation, hypothesis
from shbcore.proof.kernel import Line, MeasurabilityError, Outcome, Refused, check, recondition
from shbcore.proof.language import (
    NOW,
    PAST,
    PATHWISE,
    TOTAL,
    E,
    Function,
    Named,
    Number,
    Projected,
    Quantity,
    RandomIndex,
    Relation,
    Series,
    shifted,
    vector,
)
from shbcore.proof.letters import (
    ADMISSIBLE,
    G2,
    L2,
    F_env,
    N,
    alpha,
    beta,
    d_k,
    d_next,
    f,
    f_star,
    g_k,
    g_next,
    grad_env,
    h_star,
    lam,
    nu,
    p_k,
    p_next,
    rho,
    sigma2,
    trial,
    trial_at,
    x_bar,
    x_bar_next,
    x_hat,
    x_k,
    x_next,
    x_prev,
    xi,
    z_any,
    z_k,
    z_next,
)
from shbcore.proof.lines import (
    assume,
    bounded_gradient,
    chord,
    conjugate_smooth,
    conjugate_value,
    envelope_attained,
    envelope_infimum,
    equal_numbers,
    flat,
    free_prox,
    identity,
    infimum,
    interpolation,
    line,
    lipschitz_gradient,
    nonexpansive,
    nonexpansive_pair,
    number,
    projection,
    prox_optimality,
    prox_strong_convexity,
    second_moment,
    sign,
    smooth_above,
    square,
    square_convexity,
    sure_bound,
    variance,
    weak_convexity,
    whole_space,
    young,
)
from shbcore.proof.lyapunov import Found, Template, lyapunov, widest
from shbcore.proof.search import Farkas, NotFound, find, refit, refutes
from shbcore.proof.statement import Scope, Statement

__all__ = [
    name
    for name, value in dict(globals()).items()
    if not name.startswith("_") and name != "ModuleType" and not isinstance(value, ModuleType)
]
