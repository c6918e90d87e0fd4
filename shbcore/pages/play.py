r"""Pictures that a reader moves, without a server: sliders in the page, drawn by ``play.js``.

What is drawn is computed by formulas that are written here from those of the library, in SymPy, and translated to JavaScript:
one formula, two languages.  A browser test compares both on random inputs.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import sympy as sp

from shbcore.claims.printed_start import SHORT_STEPS, gamma_1_u, gamma_u
from shbcore.model import checks, constants
from shbcore.pages import screens, style
from shbcore.pages.cards import Html

x, x_prev, y, z, g, start = sp.symbols("x x_prev y z g start", real=True)
alpha, beta, lam, alpha_0, root, share = sp.symbols("alpha beta lam alpha_0 root share", positive=True)
RHO, BOX, TILT = 2, 2, sp.Rational(1, 4)
r"""The double well :math:`|x^2-1|+\frac14x+\frac14` on :math:`[-2,2]`: :math:`\rho=2`, and its minimum is 0, at -1."""

PIECES = ("envelope", "ball", "first_step", "bounds")
"""The envelope over lambda; the ball; Lemma 4 at the first step; the bounds of Theorem 1."""


class Formula(NamedTuple):
    """A formula and the order of its arguments."""

    arguments: tuple[sp.Symbol, ...]
    value: sp.Expr

    @property
    def javascript(self) -> str:
        """The formula as a function of JavaScript."""
        names = ", ".join(str(one) for one in self.arguments)
        return f"({names}) => ({' '.join(sp.jscode(self.value).split())})"


def _well(at: Any) -> Any:
    return sp.Abs(at**2 - 1) + TILT * at + TILT


def _well_prox(at: Any) -> Any:
    r"""The prox of the double well, unconstrained: that of :math:`|x^2-1|` at a shifted point."""
    moved = at - lam * TILT
    side, size = sp.Piecewise((1, moved >= 0), (-1, True)), sp.Abs(moved)
    hill, wall = size < 1 - RHO * lam, size > 1 + RHO * lam
    return sp.Piecewise((moved / (1 - RHO * lam), hill), (moved / (1 + RHO * lam), wall), (side, True))


def _boxed(at: Any) -> Any:
    return sp.Max(-BOX, sp.Min(BOX, at))


def _envelope(function: Any, prox: Any, at: Any) -> Any:
    return function(prox) + (at - prox) ** 2 / (2 * lam)


def _weights() -> tuple[Any, constants.VWeights, Any]:
    nu = beta / alpha
    return nu, constants.V_weights(envelope=lam, alpha=alpha, beta=beta, nu=nu), (1 - beta) / beta


def _V(smoothed: Any, f_before: Any) -> Any:
    _, weight, memory = _weights()
    return (
        smoothed
        + weight.p * (memory * (x - x_prev)) ** 2
        + weight.d * ((x_prev - x) / alpha) ** 2
        + weight.f * f_before
    )


def _first_step() -> Any:
    r"""Lemma 4 at :math:`k=0` for :math:`f=|x|`, left side minus right side; ``start`` is the length of :math:`z_0`."""
    nu, weight, memory = _weights()
    sign = sp.Piecewise((1, x >= 0), (-1, True))
    move = -alpha * start * sign
    ahead = x + (1 + memory) * move

    def huber(at: Any) -> Any:
        return sp.Piecewise((at**2 / (2 * lam), sp.Abs(at) <= lam), (sp.Abs(at) - lam / 2, True))

    slope = sp.Piecewise((x / lam, sp.Abs(x) <= lam), (sign, True))
    noise = constants.gamma(weak_convexity=0, envelope=lam, beta=beta, nu=nu) * alpha**2 / (2 * lam)
    after = huber(ahead) + weight.p * (memory * move) ** 2 + weight.d * start**2
    return after - huber(x) + alpha / 2 * slope**2 - noise


def _bound(form: str) -> Any:
    r"""The right side of Theorem 1 times :math:`\sqrt{K+1}`, for :math:`\rho=1`, :math:`\lambda=1/2`; a share of 1 is the gap's."""
    of = {"envelope": sp.Rational(1, 2), "beta": 1 / root, "nu": 1 / alpha_0}
    sides = {"gap": share, "L2": 1 - share, "envelope": of["envelope"], "alpha_0": alpha_0, "root": 1}
    gamma, gamma_1 = constants.gamma(weak_convexity=1, **of), constants.gamma_1(**of)
    if form == "printed":
        gamma = constants.gamma_printed(weak_convexity=1, **of)
        return constants.theorem_1_bound_printed(gamma=gamma, gamma_1=gamma_1, **sides)
    if form == "sharpened":
        known = {str(one.symbol): one.formula for one in SHORT_STEPS.definitions}
        at = {"rho": 1, "lambda": of["envelope"], "alpha_0": alpha_0}

        def value(symbol: Any) -> Any:
            formula = sp.sympify(known.get(str(symbol), symbol)).subs({sp.Symbol("N"): root})
            inside = {one: value(one) for one in formula.free_symbols if str(one) in known}
            return formula.subs(inside).subs({one: at[str(one)] for one in formula.free_symbols if str(one) in at})

        gamma, gamma_1 = value(gamma_u), value(gamma_1_u)
    return constants.theorem_1_bound(gamma=gamma, gamma_1=gamma_1, **sides)


@cache
def formulas() -> dict[str, Formula]:
    """Every formula that a picture uses, by name."""
    prox, boxed = _well_prox(y), _boxed(_well_prox(y))
    slope = sp.Piecewise((2 * x, x >= 1), (-2 * x, x >= -1), (2 * x, True)) + TILT
    return {
        "f": Formula((x,), _well(x)),
        "slope": Formula((x,), slope),
        "prox": Formula((y, lam), prox),
        "envelope": Formula((y, lam), _envelope(_well, prox, y)),
        "smoothness": Formula((lam,), sp.Max(1 / lam, RHO / (1 - RHO * lam))),
        "step": Formula((x, z, alpha), _boxed(x - alpha * z)),
        "direction": Formula((g, x_prev, x, alpha, beta), beta * g + (1 - beta) * (x_prev - x) / alpha),
        "x_bar": Formula((x, x_prev, beta), x + (1 - beta) / beta * (x - x_prev)),
        "x_hat": Formula((y, lam), boxed),
        "V": Formula((y, x, x_prev, alpha, beta, lam), _V(_envelope(_well, boxed, y), _well(x_prev))),
        "first_step": Formula((x, start, alpha, beta, lam), _first_step()),
        **{form: Formula((alpha_0, root, share), _bound(form)) for form in ("printed", "repaired", "sharpened")},
    }


def piece(name: str) -> Html:
    """One picture with its sliders: ``envelope``, ``ball``, ``first_step`` or ``bounds``."""
    checks.one_of("name", name, PIECES, "the pictures that can be moved")
    functions = ",\n".join(f"{key}: {one.javascript}" for key, one in formulas().items())
    roles = {"shb": style.SHB, "bound": style.BOUND, "wrong": style.WRONG, "neutral": style.NEUTRAL}
    light = {key: role.color for key, role in {**roles, "envelope": style.ENVELOPE, "accent": style.ACCENT}.items()}
    colors = {key: f"var(--play-{key}, {color})" for key, color in light.items()}
    dark = "".join(f"--play-{key}:{screens.DARK[color]};" for key, color in light.items())
    code = (files("shbcore.pages") / "play.js").read_text(encoding="utf-8")
    return Html(
        f'<div class="play" data-play="{name}"><noscript>This picture moves, and needs JavaScript.</noscript></div>\n'
        f'<style>html[data-theme="dark"] .play{{{dark}}}</style>'
        f"<script>\n(() => {{\nconst F = {{\n{functions}\n}};\nconst COLOR = {json.dumps(colors)};\n{code}play();\n}})();\n</script>",
        f"<a picture with sliders: {name}>",
    )
