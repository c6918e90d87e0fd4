r"""Beyond the paper: the printed start, the open question, a shorter smooth half, any schedule, almost sure statements.

Throughout: :math:`X` closed and convex, :math:`f^\star=\inf_Xf>-\infty`, :math:`\Delta=f(x_0)-f^\star`, independent
samples, (A1),
:math:`k^*` uniform and independent of the samples, :math:`N=\sqrt{K+1}`, :math:`\alpha=\alpha_0/N`,
:math:`\beta=\nu\alpha\in(0,1]`.  Left sides are
:math:`\mathrm E\|\nabla F_\lambda(\bar x_{k^*})\|^2`.  One file a theorem; ``PROOFS`` of each file is its chain of
certificates with controls.

``printed_start`` (weakly convex :math:`f`, (A2), :math:`\lambda^{-1}\ge2\rho`, :math:`\rho\alpha<2`, any :math:`\nu`)
    :math:`\frac2{\alpha_0N}\bigl(\gamma_1'\Delta+t\gamma'\frac{\alpha_0^2L^2}{2\lambda}\bigr)`; :math:`t=1` for
    :math:`z_0=\beta g_0`,
    :math:`t=1-\frac1{K+1}+\frac1{(\nu\alpha_0)^2}` for :math:`z_0=g_0`.  With :math:`\lambda=\frac1{2\rho}`,
    :math:`\nu=\frac1{\alpha_0}`, every :math:`K\ge0`:
    :math:`\alpha_0=\frac1\rho`: :math:`(10\rho\Delta+4L^2)/N`, printed start :math:`(10\rho\Delta+8L^2)/N`;
    :math:`\alpha_0=\frac1{2\rho}`: :math:`(10\rho\Delta+\frac32L^2)/N`, printed start :math:`(10\rho\Delta+3L^2)/N`.
``energy``, ``open_question`` (:math:`\rho`-smooth :math:`f`, (A3) only, :math:`\lambda^{-1}\ge2\rho`,
:math:`\rho\alpha<2`, any :math:`\nu`)
    The same with :math:`\sigma^2` for :math:`L^2`, every :math:`K\ge0`; for :math:`z_0=g_0` there is :math:`4\|\nabla
    f(x_0)\|^2`, respectively
    :math:`\frac32\|\nabla f(x_0)\|^2`, in addition, and ``necessity`` shows that this term cannot go.
``theorem3_short`` (:math:`\rho`-smooth :math:`f`, (A3), :math:`\lambda^{-1}\in(\frac32\rho,2\rho]`,
:math:`\nu=\frac1{\alpha_0}`)
    :math:`X=\mathbb R^n`, both starts, :math:`k^*` on :math:`\{0..K\}` or :math:`\{-1..K-1\}`: Theorem 3's first
    display as printed for
    :math:`\alpha_0\le\frac1{4\rho}`, and with smaller constants for :math:`\alpha_0\le\frac1{2\rho}`.  Any :math:`X`
    and :math:`z_0=\beta g_0`: three fifths of it.
``schedules``
    Stepsizes :math:`\alpha_k` and momentum :math:`\beta_k`: classes (i) to (iv) for smooth :math:`f` under (A3), and
    non-smooth :math:`f` under (A2).
``almost_surely``
    Square-summable stepsizes, by the lemma of Robbins and Siegmund.
``enumerated``, ``worst_steps``
    Exact trees on random small problems; one step as a semidefinite programme: how much room each constant has.
"""
