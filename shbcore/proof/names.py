r"""What a name may be: one sign, and nothing that is read as something else.  A part of the kernel, because what is printed are names."""

import re

from shbcore.proof.domain import _SPELT
from shbcore.proof.language import WITH_K
from shbcore.proof.signs import Refused

RESERVED = re.compile(
    r"(x|g|z|d|p|\\bar x|\\hat x)_(k|\d|\{k([+-]\d+)?\}|\{-?\d+\})|f\^\\star|-?\d+"
    r"|(\\nabla )?(f|[Ff]_\\lambda|h\^\*)('|\^\\prime)?\(.*\)|(\\Pi|\\mathrm\{prox\}).*\(.*\)"
)
"""The paper's names of iterates, samples and directions, of values, gradients, projections and prox points."""
_DISGUISED = re.compile(
    r"(x|g|z|d|p|\\barx|\\hatx)_(k([+-]\d+)?|-?\d+)|f\^\\star|-?\d+"
    r"|(\\nabla)?(f|[Ff]_\\lambda|h\^\*)('|\^\\?prime)?\(.*\)|(\\Pi|prox).*\(.*\)"
)
"""The same as it is seen."""
_UNSEEN = re.compile(r"\\(math(rm|it|bf|sf|tt|normal)|boldsymbol|operatorname)(?![a-zA-Z])|\\[^a-zA-Z]|[{}\s]")
"""Braces, blanks, and types in which a letter is still read as that letter."""
_MARKS = re.compile(r"[_^]\{[^{}]*\}|\\[a-zA-Z]+\{[\w\s]*\}|(?<=[\w}'*])\([^()]*\)|\^[-+*]")
"""Marks and indices: what stands in an index, under a sign of one's own or as an argument is no formula."""
_FORMULA = re.compile(
    r"[-+=<>*/|$%,;&~#()\[\]]|\\(langle|rangle|le|ge|leq|geq|ne|[td]?frac|sum|partial)(?![a-zA-Z])|\\(mathbb|text|mbox)"
)
_COMPOSED = re.compile(r"(\\nabla )?c\(")


def seen(name: str) -> str:
    """A name without what is not seen in print."""
    return _UNSEEN.sub("", name).replace("\u2032", "'")


def own_name(name: str, spelt: set[str], *, fixed: bool = False) -> None:
    """A name is one sign, with its marks and indices: not a formula, not a parameter (``spelt``), not a name of the paper in disguise.

    What is one thing for all steps (``fixed``) has no index of a step.
    """
    if _DISGUISED.fullmatch(seen(name)) and not RESERVED.fullmatch(name):
        raise Refused(f"{name} is a name of the paper, written in another way")
    own = seen(name).lstrip("\\")
    if own in _SPELT or own.partition("_")[0] in _SPELT[:5] or {own, own.partition("^")[0]} & spelt:
        raise Refused(f"{name} is the name of a parameter")
    if fixed and WITH_K.search(name):
        raise Refused(f"{name} is read as moving with k, and is one thing for all steps")
    bare, inner = "", name
    while inner != bare:
        bare, inner = inner, _MARKS.sub("", inner)
    if not (_COMPOSED.match(name) or RESERVED.fullmatch(name)) and (_FORMULA.search(bare) or r"\text" in name):
        raise Refused(f"{name} is a formula, not a name")
