r"""One registry of claims: each place of the paper with its formal statements, the verdict on the printed line, and its evidence.

A file of this package is a place of the paper.  It has a :class:`Section`, on which each claim is registered once, in the paper's order:
what is printed, what is true, the proof, the counterexample, the control.  Everything that lists claims reads :func:`claims`.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, partialmethod
from inspect import signature
from typing import Any, Literal, get_args

import sympy as sp

from shbcore.proof.kernel import MeasurabilityError, Outcome, check, recondition
from shbcore.proof.language import PAST, Named, Node, Projected
from shbcore.proof.letters import ADMISSIBLE
from shbcore.proof.search import refit
from shbcore.proof.statement import Scope, Statement

Verdict = Literal["true", "typo", "wrong", "false", "gap", "unstated", "open"]
Evidence = Literal["kernel", "certificate", "exact", "counterexample", "interval", "numeric"]
Kind = Literal["definition", "assumption", "lemma", "theorem", "step", "remark", "sentence", "figure", "proof"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
EVIDENCE: tuple[Evidence, ...] = get_args(Evidence)
"""The kinds of evidence; ``BEHIND`` says what each of them is."""
MEANS = {
    "true": "right as printed",
    "typo": "a slip of notation",
    "unstated": "something is not stated",
    "gap": "a step does not follow",
    "wrong": "a wrong constant, index or fact",
    "false": "refuted: its conditions must change",
    "open": "about the literature, or a guess",
    "proved": "a result that the paper does not have",
}
"""The words of a verdict, in short, the mildest defect first; ``proved`` is for what is not printed."""
DEFINED = {
    "true": "The line holds as printed: at every step, with the printed start, and for all parameters that it allows. A definition "
    "or an assumption is true if the proofs use it as it is printed. Where the evidence is only exact instances or floating point, "
    "it confirms the line and may fall short of a proof.",
    "typo": "A slip of notation: a letter, a sign or a word. What is meant is clear, and nothing depends on it.",
    "unstated": "Something is not stated: an assumption, a range, a value, or that an average is meant. With it the line is right, up to "
    "what it inherits.",
    "gap": "A step of a proof does not follow from the reason that is given for it. What it claims may still be true.",
    "wrong": "A constant, an index or a fact is not the right one. With the right one in its place the line holds, in some cases under "
    "another condition too.",
    "false": "An exact instance refutes the line, and no constant or index of its formula is to blame. What holds in its place is another "
    "claim, such as one given less of the past, in total expectation, or from the second step on.",
    "open": "A sentence about the literature, such as who was first or what another paper proves, or a guess. No computation can judge it.",
    "proved": "A result of this book that the paper does not have, with its proof.",
}
"""What each verdict says, for the whole book: pages print these sentences, and write none of their own."""
BEHIND = {
    "kernel": "The kernel of Coq checked a proof, line by line or of a theorem from the definitions. It is a proof of the line if the line "
    "is right, and else of what is right in its place. A few printed lines that are not right are refuted in Coq too.",
    "certificate": "An identity with non-negative multipliers, checked by exact algebra. It proves the line, or if that "
    "is not right what is right in its place, for all parameters.",
    "exact": "Concrete problems in rational arithmetic, all samples added up. That proves a lower bound, for which one problem is "
    "enough; a line about all problems it only confirms.",
    "counterexample": "A concrete problem on which the printed line, or what it would imply, is false, in exact numbers.",
    "interval": "Floating point with a certified error.",
    "numeric": "Floating point: a run of the method, or data, with the margin by which the claim is met. It is no proof.",
}
"""What each kind of evidence is."""

FILES = (
    *("introduction", "background", "method", "lemma_3", "lemma_4", "theorem_1", "lemma_5", "theorem_2", "theorem_3"),
    *("experiments", "appendix_a", "appendix_b", "appendix_c", "appendix_d", "appendix_e"),
    *(f"beyond.{name}" for name in ("energy", "open_question", "necessity", "shorter", "constrained", "half_step")),
    *(f"beyond.{name}" for name in ("schedule_steps", "any_schedule", "almost_surely", "less_noise", "constants")),
    *("beyond.whole_bounds", "beyond.momentum"),
)
"""The files of this package that hold claims, in the paper's order; then those of what the paper does not have."""
CHAPTERS = {
    "before_we_start": "Before we start",
    "weak_convexity": "Weak convexity",
    "moreau_envelope": "The Moreau envelope",
    "algorithm": "The algorithm",
    "one_step": "One step",
    "lyapunov_V": "The Lyapunov function",
    "complexity": "Complexity",
    "phi_and_W": "Smooth problems",
    "smooth_constrained": "Smooth and constrained",
    "smooth_unconstrained": "Smooth and unconstrained",
    "slacks": "On average, not history by history",
    "figure_1": "Figure 1",
    "figures_2_3": "Figures 2 and 3",
    "theory_meets_experiment": "Theory meets experiment",
    "open_question": "The open question",
    "shorter_smooth_half": "A shorter smooth half",
    "any_schedule": "Any schedule",
    "how_good_are_the_constants": "How good are the constants?",
    "what_momentum_costs": "What momentum costs",
    "errata": "Errata",
    "ledger": "The ledger",
    "map": "The map",
    "foundations": "What the proofs rest on",
    "checked_by_a_kernel": "Checked by Coq",
    "verify_your_own": "Verify your own",
}
"""The chapters of the book by file, with their titles, in short."""


def tag(verdict: str) -> str:
    """The word that a reader sees for a verdict."""
    return "not judged" if verdict == "open" else verdict


@dataclass(frozen=True, eq=False)
class Check:
    """One piece of evidence: ``run`` must pass, ``control`` (the same check on a claim changed a little) must fail.

    ``build`` makes the line behind a certificate, ``build(**change)`` that of its control.  ``far`` is
    empty, or says why the control is changed by more than a tenth.
    """

    kind: Evidence
    what: str
    run: Callable[[], Outcome]
    control: Callable[[], Outcome]
    control_what: str
    build: Callable[..., Any] | None = None
    far: str = ""
    change: dict[str, Any] = field(default_factory=dict)

    @property
    def statement(self) -> Statement | None:
        """The formal statement that a certificate proves."""
        return self.build().statement if self.build is not None else None


def proved(
    build: Callable[..., Any],
    what: str,
    control_what: str = "",
    *,
    under: str = "",
    over: str = "",
    of: str = "",
    far: str = "",
    **change: Any,
) -> Check:
    """The certificate ``build()``; its control is ``build(**change)``, for which no multipliers may exist at all.

    ``under`` names, in words, the constant that the control makes a tenth smaller, and ``over`` one that it makes a tenth larger: this is
    the first argument of ``build``, or the one that ``of`` names.
    """
    if under or over:
        arguments = signature(build).parameters
        of = of or next(iter(arguments))
        change = {of: arguments[of].default * sp.Rational(9 if under else 11, 10), **change}
        control_what = control_what or f"{'nine' if under else 'eleven'} tenths of {under or over}"

    @cache
    def once() -> Any:
        return build()

    def line(**other: Any) -> Any:
        return build(**other) if other else once()

    def run() -> Outcome:
        found = check(line())
        own = [one.name for one in found.foundations if one.kind == "own"]
        if own:
            return Outcome(False, f"it rests on what is only assumed: {', '.join(own)}", found.foundations)
        return Outcome(found.passed, found.detail or _accepted(line()), found.foundations)

    return Check("certificate", what, run, lambda: refit(build(**change)), control_what, line, far, change)


def _accepted(line: Any) -> str:
    terms = len(getattr(line, "terms", ()))
    return f"identity exact; {terms} term{'s' * (terms > 1)} with proved signs" if terms else "identity exact"


def as_printed(like: Any, **change: Any) -> Statement:
    """The statement as the paper prints it: for every step, with the printed start, and with what else is different."""
    says: Statement = like.statement
    return replace(says, **{"scope": Scope.PRINTED, **change})


def not_known(late: Node, what: str, control_what: str, *, known: Node, field: int = PAST) -> Check:
    """The check that ``late`` may not be taken as known at a field; its control is what the past does know."""

    def test(tree: Node, at: int) -> Outcome:
        try:
            recondition(tree, at + 1, at, ADMISSIBLE)
        except MeasurabilityError as error:
            return Outcome(True, f"refused: {error}")
        return Outcome(False, "not refused")

    return Check("certificate", what, lambda: test(late, field), lambda: test(known, PAST), control_what)


@dataclass(frozen=True)
class Definition:
    """A claim that only gives a name: to a vector or scalar (a ``Named`` tree), to a projection, or to a parameter (symbol and formula)."""

    name: Any
    formula: Any = None

    @property
    def latex(self) -> str:
        from shbcore.proof.latex import node, tex

        if isinstance(self.name, Named):
            return f"{self.name.name}={node(self.name.of)}"
        if isinstance(self.name, Projected):
            return rf"{self.name.name}=\Pi_{{\mathcal{{X}}}}({node(self.name.of)})"
        return f"{tex(self.name)}={tex(self.formula)}"


@dataclass(frozen=True, eq=False)
class Claim:
    """One place of the paper, or a result beyond it.

    * ``label``: the label in the source of the paper, or a name that begins with ``beyond/``; ``title``: what the place is called here.
    * ``kind``: what it is, such as a lemma or a step of a proof.
    * ``chapter``: where this book shows it; ``section``: where the paper has it.
    * ``as_printed``: the verdict on the printed line.
    * ``says``: what is true, as formal objects: certificates (their statements), or definitions.
    * ``printed``: what the paper prints, as statements where that can be written.
    * ``words``, ``printed_words``, ``repair``, ``consequence``: words that stand around them and never restate them.
    * ``reading``: where the paper has words only, how they are read; then ``printed`` is that reading.
    * ``more``: further evidence.
    * ``uses``: claims that it rests on beside those that its proofs name.
    * ``root``: the claim whose defect this one inherits.
    """

    label: str
    title: str
    kind: Kind
    chapter: str
    section: str
    as_printed: Verdict = "true"
    says: tuple[Check | Definition, ...] = ()
    printed: tuple[Statement | Definition, ...] = ()
    words: str = ""
    printed_words: str = ""
    reading: str = ""
    repair: str = ""
    consequence: str = ""
    more: tuple[Check, ...] = ()
    uses: tuple[Claim, ...] = ()
    root: Claim | None = None

    @property
    def checks(self) -> tuple[Check, ...]:
        """All evidence; first what the kernel of Coq checked."""
        from shbcore.claims.checked import evidence

        return (*evidence(self), *(one for one in self.says if isinstance(one, Check)), *self.more)

    @property
    def own(self) -> bool:
        """Whether it is a result that the paper does not have.

        Then there is no printed line: ``as_printed`` is ``true`` by default, and ``verdict`` says ``proved``.
        """
        return self.label.startswith("beyond/")

    @property
    def verdict(self) -> str:
        """The verdict on the printed line, or that there is none and the result is proved."""
        return "proved" if self.own and self.as_printed == "true" else self.as_printed

    @property
    def defective(self) -> bool:
        """Whether the line as printed needs a repair."""
        return self.as_printed not in ("true", "open")

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The formal statements that the claim makes."""
        return tuple(one.statement for one in self.says if isinstance(one, Check) and one.statement is not None)


@dataclass
class Section:
    """A section of the paper: registers its claims in order.  Most of them are of one kind, and shown in one chapter."""

    title: str
    chapter: str = ""
    kind: Kind = "step"
    claims: list[Claim] = field(default_factory=list)

    def claim(self, label: str, title: str, *, before: Claim | None = None, **more: Any) -> Claim:
        """Put a claim into this section; tuples may be given as lists, and a single check, definition or statement without brackets.

        ``before`` is a claim registered already that stands after this one in the paper, such as the first line of a proof.
        """
        for name in ("says", "printed", "more", "uses"):
            value = more.get(name, ())
            more[name] = tuple(value) if isinstance(value, (list, tuple)) else (value,)
        place = {"kind": self.kind, "chapter": self.chapter, "section": self.title}
        found = Claim(label, title, **{**place, **more})
        self.claims.insert(len(self.claims) if before is None else self.claims.index(before), found)
        return found

    def within(self, chapter: str) -> Section:
        """The same section, for claims that are shown in another chapter."""
        return replace(self, chapter=chapter)

    definition = partialmethod(claim, kind="definition")
    assumption = partialmethod(claim, kind="assumption")
    lemma = partialmethod(claim, kind="lemma")
    theorem = partialmethod(claim, kind="theorem")
    remark = partialmethod(claim, kind="remark")
    sentence = partialmethod(claim, kind="sentence")
    figure = partialmethod(claim, kind="figure")
    proof = partialmethod(claim, kind="proof")
    undecided = partialmethod(claim, kind="sentence", as_printed="open")


@cache
def claims() -> tuple[Claim, ...]:
    """All claims of the package's own files, in the order of the paper."""
    found: list[Claim] = []
    for name in FILES:
        module = importlib.import_module(f"{__package__}.{name}")
        found += module.here.claims
    return tuple(found)


@cache
def _by_label() -> dict[str, Claim]:
    return {one.label: one for one in claims()}


def claim(label: str) -> Claim:
    """The claim with this label."""
    return _by_label()[label]


def errata() -> tuple[Claim, ...]:
    """The claims whose printed line needs a repair, in the order of the paper."""
    return tuple(one for one in claims() if one.defective)


def roots() -> tuple[Claim, ...]:
    """The errata at which a defect begins; every other one inherits it."""
    return tuple(one for one in errata() if one.root is None)


def by_class(entries: Iterable[Claim]) -> dict[Verdict, int]:
    """How many claims there are of each verdict."""
    count = Counter(one.as_printed for one in entries)
    return {verdict: count[verdict] for verdict in VERDICTS if count[verdict]}
