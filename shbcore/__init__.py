r"""Stochastic heavy ball on weakly convex problems: solver, certified monitors, exact proofs and the ledger of the paper's claims.

The names below are what most uses need; each is loaded from its room when it is first asked for.  Proofs are written with
:mod:`shbcore.proof`, and the ledger is read through :mod:`shbcore.claims.registry`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shbcore.model.parameters import ConstantStep, DecayingStep, Parameters
    from shbcore.model.phase import phase_retrieval
    from shbcore.model.rational import Interval, PiecewiseQuadratic, RationalProblem
    from shbcore.model.sets import Ball, Box, HalfSpace, Simplex, WholeSpace
    from shbcore.numerics.envelope import moreau
    from shbcore.numerics.slack import lemma_3, lemma_4, lemma_W, nonsmooth, smooth
    from shbcore.numerics.solver import Past, sgd, shb

_ROOMS = {
    "model.parameters": ("ConstantStep", "DecayingStep", "Parameters"),
    "model.phase": ("phase_retrieval",),
    "model.rational": ("Interval", "PiecewiseQuadratic", "RationalProblem"),
    "model.sets": ("Ball", "Box", "HalfSpace", "Simplex", "WholeSpace"),
    "numerics.envelope": ("moreau",),
    "numerics.slack": ("lemma_3", "lemma_4", "lemma_W", "nonsmooth", "smooth"),
    "numerics.solver": ("Past", "sgd", "shb"),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "Ball",
    "Box",
    "ConstantStep",
    "DecayingStep",
    "HalfSpace",
    "Interval",
    "Parameters",
    "Past",
    "PiecewiseQuadratic",
    "RationalProblem",
    "Simplex",
    "WholeSpace",
    "lemma_3",
    "lemma_4",
    "lemma_W",
    "moreau",
    "nonsmooth",
    "phase_retrieval",
    "sgd",
    "shb",
    "smooth",
]


def _version() -> str:
    """The version of this tree where it has a pyproject.toml, else of the installed package."""
    from importlib.metadata import version
    from pathlib import Path
    from tomllib import loads

    tree = Path(__file__).parent.parent / "pyproject.toml"
    if (
        tree.exists()
        and (project := loads(tree.read_text(encoding="utf-8")).get("project", {})).get("name") == "shbcore"
    ):
        return str(project["version"])
    return version("shbcore")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _ROOM_OF:
        raise AttributeError(f"module 'shbcore' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"shbcore.{_ROOM_OF[name]}"), name)
