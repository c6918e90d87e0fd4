"""Draw the picture of the README and of the landing page: heavy ball and SGD on a kinked landscape, from the same samples."""

from itertools import islice
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

from shbcore.model.parameters import ConstantStep
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.sets import Ball
from shbcore.numerics.solver import sgd, shb
from shbcore.pages import screens, style

TARGET = (
    Path(__file__).resolve().parent.parent / "book" / "_static" / "landscape.png"
)  # the page shows the SVG beside it
START = np.array([-0.35, 1.02])


def landscape() -> tuple[RobustPhaseRetrieval, Ball]:
    """Robust phase retrieval with five measurements in the plane, on a disc."""
    angles = np.array([0.1, 0.8, 1.5, 2.2, 2.8])
    A = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return RobustPhaseRetrieval(A, (A @ np.array([0.9, 0.5])) ** 2), Ball(1.5, np.zeros(2))


def main() -> None:
    mpl.use("Agg")
    style.use()
    problem, X = landscape()
    heavy = shb(problem, X, ConstantStep(0.2), 0.15, START, np.random.default_rng(4))
    plain = sgd(problem, X, ConstantStep(0.1), START, np.random.default_rng(4))
    fig, axes = style.figure(height=3.1, narrow=2.6)
    ax = axes[0, 0]
    across, up = np.linspace(-2.3, 2.3, 240), np.linspace(-1.12, 1.12, 120)
    height = [[problem.value(np.array([u, v])) for u in across] for v in up]
    ax.contourf(across, up, height, levels=24, cmap=style.LANDSCAPE, alpha=0.5)
    ax.contour(across, up, height, levels=24, colors="white", linewidths=0.6)
    for run, role, name, offset in (
        (plain, style.SGD, "SGD", (-0.55, 0.05)),
        (heavy, style.SHB, "heavy ball", (0.12, 0.0)),
    ):
        points = np.array([state.x for state in islice(run, 60)])
        ax.plot(*points.T, color=role.color, lw=1.4, marker=role.marker, ms=2.6)
        near, far = points[4] + offset, points[4] + np.multiply(offset, 1.7)
        style.label(ax, *near, name, role, narrow=(far[0], far[1]))
    ax.plot(*np.array([[0.9, 0.5], [-0.9, -0.5]]).T, "*", color=style.INK, ms=11, zorder=5)
    style.label(ax, *(START + (0.06, 0.02)), "$x_0$", style.INK, narrow="")
    ax.set(aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.grid(False)
    fig.savefig(TARGET, metadata={"Software": None}, bbox_inches="tight", pad_inches=0.02)
    TARGET.with_suffix(".svg").write_text(screens.bundle(fig)["image/svg+xml"], "utf-8")
    plt.close(fig)


if __name__ == "__main__":
    main()
