r"""One Coq theorem for each line of the ledger: its premises are what its terms say, its proof is its multipliers.

The first half reads the objects of :mod:`shbcore.proof` into plain records (:class:`Exported`); the second half writes records as Coq.
Only the first half knows the classes of the language.  Nothing is decided here: Coq decides.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sympy as sp
from coq_text import ATOM, FACTOR, RESERVED, SUM, NotExported, falls, real, symbol, times, wrapped

from shbcore.claims import registry
from shbcore.claims.checked import below, certificates, identity, mark
from shbcore.proof.domain import Definition, Range
from shbcore.proof.facts import Fact
from shbcore.proof.kernel import Context, Line, Refused
from shbcore.proof.language import (
    PATHWISE,
    TOTAL,
    Inner,
    Letter,
    Mean,
    Named,
    Node,
    Number,
    Quantity,
    RandomIndex,
    Sample,
    Scaled,
    Series,
    Sum,
    Value,
    known,
)  # fmt: skip
from shbcore.proof.statement import Scope, canonical

OUT = Path(__file__).resolve().parent.parent / "kernel" / "generated"
PER_FILE = 12
LONG = 24
"""A name longer than this says less than a number would."""
# --- plain records


@dataclass
class Hypothesis:
    """A premise ``left <= right`` (or ``==``) given a field, or (``proved``) a term that proves itself."""

    multiplier: str
    sense: str
    text: str = ""
    proved: str = ""
    sign: str = ""


@dataclass
class Exported:
    """A theorem: parameters, letters, values, premises, claim, and the parts of its proof."""

    name: str
    comment: str
    parameters: list[str] = field(default_factory=list)
    lets: list[tuple[str, str]] = field(default_factory=list)
    ranges: list[tuple[str, str]] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    vectors: list[tuple[str, str]] = field(default_factory=list)
    premises: list[str] = field(default_factory=list)
    terms: list[Hypothesis] = field(default_factory=list)
    noise: list[tuple[str, str]] = field(default_factory=list)
    denominators: list[tuple[str, str]] = field(default_factory=list)
    claim: str = ""


# --- reading a line


class Reader:
    """The names of one theorem, and what the line says in them."""

    def __init__(self, line: Line, domain: Any, *, unchecked: bool = False) -> None:
        self.line, self.says, self.unchecked = line, line.statement, unchecked
        self.given = given_of(self.says)
        scope = Scope.LATE if self.says.scope in (Scope.INHERITED, Scope.ANY) else self.says.scope
        self.context = Context(domain, scope, ())
        for name in ("_available", "_because", "_called", "_prox_exists"):
            setattr(self.context, name, lambda *_: None)
        self.names: dict[Any, str] = {}
        self.taken: set[str] = set(RESERVED)
        self.made = Exported("", "")
        self.named: dict[Any, str] = {}

    def fresh(self, text: str) -> str:
        base = (
            re.sub(
                r"\W+", "_", re.sub(r"[{}]", "", text).replace("k+", "k").replace("k-", "km").replace("'", "_prime")
            ).strip("_")
            or "u"
        )
        base = re.sub("_+", "_", base if base[0].isalpha() else f"v_{base}")
        base = base if len(base) <= LONG else f"{base.split('_')[0]}_there"
        name, count = base, 1
        while name in self.taken:
            count += 1
            name = f"{base}_{count}"
        self.taken.add(name)
        return name

    def letter(self, node: Letter) -> str:
        key = self.context._letter(node)
        if key not in self.names:
            self.names[key] = self.fresh(key.name or str(node))
            self.made.letters.append(self.names[key])
        return self.names[key]

    def value(self, key: Any, text: str) -> str:
        if key not in self.names:
            self.names[key] = self.fresh(text)
            self.made.values.append(self.names[key])
        return self.names[key]

    def vector(self, node: Node, place: int = SUM) -> str:
        """A vector as it stands between the bars of a norm, or in brackets with the mark of the scope of vectors."""
        if isinstance(node, Letter):
            return self.letter(node)
        if isinstance(node, Named):
            inner = self.vector(node.of)
            key = (node.name, inner)
            if key not in self.named:
                self.named[key] = self.fresh(node.name)
                self.made.vectors.append((self.named[key], f"({inner})%v"))
            return self.named[key]
        if isinstance(node, (Scaled, Sum)):
            return self._added(node, self.vector, place)
        raise NotExported(f"the vector {type(node).__name__}")

    def scalar(self, node: Node, place: int = SUM) -> str:
        """A random variable, in the scope of random variables."""
        if isinstance(node, Named):
            return self.scalar(node.of, place)
        if isinstance(node, (Scaled, Sum)):
            return self._added(node, self.scalar, place)
        if isinstance(node, Number):
            return f"# {real(node.value, place=ATOM)}"
        if isinstance(node, Inner):
            left, right = self.vector(node.left), self.vector(node.right)
            return f"|| {left} ||^2" if left == right else f"<< {left} , {right} >>"
        if isinstance(node, Mean):
            if self._coarse(node):
                return self.value(("mean", canonical(node)), f"E_{node.of}")
            return expected(self.scalar(node.of), node.given)
        if isinstance(node, Value):
            (key,) = self.context.form(node)
            return self.value(key, f"{node.function.name}_at_{node.at}")
        if isinstance(node, (Quantity, Series, RandomIndex)):
            return self.value(
                ("own", canonical(node)), type(node).__name__ if not isinstance(node, Quantity) else node.name
            )
        raise NotExported(f"the scalar {type(node).__name__}")

    def _added(self, node: Scaled | Sum, show: Any, place: int) -> str:
        """A sum or a multiple of what ``show`` writes."""
        if isinstance(node, Scaled):
            text = times(node.times, show(node.of, ATOM))
            return f"({text})" if place == ATOM and node.times != 1 else text
        if not node.parts:
            if show == self.vector:
                raise NotExported("a sum of no vectors")
            return "# 0"
        text = ""
        for one in node.parts:
            if isinstance(one, Scaled) and one.times == 0:
                continue
            minus = bool(text) and isinstance(one, Scaled) and falls(one.times)
            part = show(Scaled(-one.times, one.of) if minus and isinstance(one, Scaled) else one, FACTOR)
            text += (" - " if minus else " + " if text else "") + part
        if not text:
            raise NotExported("a sum of nothing")
        return f"({text})" if place > SUM and len(node.parts) > 1 else text

    def _coarse(self, node: Mean) -> bool:
        """An expectation given less than the claim is: it stays a number of its own."""
        return node.given < self.given

    # the identity, without its expectations: what the noise has to make up for

    def raw(self, node: Node) -> dict[Any, Any]:
        """The normal form without expectations, except coarse ones."""
        total: dict[Any, Any] = {}

        def add(part: Node, times: Any) -> None:
            if isinstance(part, Sum):
                for one in part.parts:
                    add(one, times)
            elif isinstance(part, Scaled):
                add(part.of, times * self.context.number(part.times))
            elif isinstance(part, Named):
                add(part.of, times)
            elif isinstance(part, Mean):
                if self._coarse(part):
                    key = ("mean", canonical(part))
                    total[key] = total.get(key, 0) + times
                else:
                    add(part.of, times)
            elif isinstance(part, (Quantity, Series, RandomIndex)):
                key = ("own", canonical(part))
                total[key] = total.get(key, 0) + times
            else:
                for own, value in self.context.form(part).items():
                    total[own] = total.get(own, 0) + times * value

        add(node, self.context.at.ring.one)
        return {key: value for key, value in total.items() if value}

    def noise(self, left: dict[Any, Any]) -> list[tuple[Sample, dict[Any, Any]]]:
        """Inner products of fresh samples with what was known before them: what is left of the identity must be these."""
        found: dict[Any, tuple[Sample, dict[Any, Any]]] = {}
        while True:
            for key in left:
                if getattr(key, "kind", "") != "gram":
                    continue
                pair = sorted(key.data, key=lambda one: -one.known)
                new, old = pair[0], pair[-1]
                if new.kind == "Sample" and new != old and max(old.known, self.given) < new.known:
                    break
            else:
                break
            mean, value = self.context._letter(new.node.function.slope(new.node.at)), left[key]
            held = found.setdefault(new, (new.node, {}))[1]
            held[old] = held.get(old, 0) + value
            del left[key]
            other = type(key)("gram", frozenset((mean, old)), max(mean.known, old.known))
            left[other] = left.get(other, 0) + value
            left = {one: much for one, much in left.items() if much}
        if left and not self.unchecked:
            raise NotExported(f"an identity that is left with {len(left)} terms")
        return [found[key] for key in found]

    # the whole

    def read(self, name: str) -> Exported:
        says, made = self.says, self.made
        relation = says.relation
        if relation.left.vector:
            made.claim = f"({self.vector(relation.left)})%v = ({self.vector(relation.right)})%v"
            self.domain({one for side in (relation.left, relation.right) for one in numbers(side)})
            made.name, made.comment = name, f"{says.words}"
            return made
        given = self.given
        left, right = self.scalar(relation.left), self.scalar(relation.right)
        sign = "<=" if relation.sense == "<=" else "=="
        made.claim = compared(left, sign, right, given)
        rest = self.raw(relation.right - relation.left)
        self.values = [value for side in (relation.left, relation.right) for value in coefficients(side)]
        used = {one for side in (relation.left, relation.right) for one in numbers(side)}
        for term in self.line.terms:
            made.terms.append(self.term(term, used))
            source = term.source.unfolded.relation if isinstance(term.source, Fact) else term.source.statement.relation
            times = self.context.number(term.multiplier)
            self.values += [term.multiplier, *coefficients(source.left), *coefficients(source.right)]
            for key, value in self.raw(source.right - source.left).items():
                rest[key] = rest.get(key, 0) - times * value
            used |= term.multiplier.free_symbols
        for sample, parts in self.noise({key: value for key, value in rest.items() if value}):
            self.fresh_sample(sample, parts)
        self.values += [one.formula for one in self.context.at.domain.about(used) if isinstance(one, Definition)]
        self.denominators(self.values)
        if not made.letters:
            made.letters.append(self.fresh("any"))
        self.domain(used)
        made.name, made.comment = name, f"{says.words}"
        return made

    def fresh_sample(self, sample: Sample, parts: dict[Any, Any]) -> None:
        made = self.made
        g, mean, at = self.letter(sample), self.letter(sample.function.slope(sample.at)), known(sample) - 1
        made.premises.append(f"mean_given {field_name(at)} {g} {mean}")
        for key in parts:
            text = (
                f"known {field_name(key.known)} {self.names[key]}"
                if key in self.names
                else f"known {field_name(key.known)} {self.letter(key.node)}"
            )
            if text not in made.premises:
                made.premises.append(text)
        shares = {self.names[key]: sp.factor(value.as_expr()) for key, value in parts.items()}
        self.values += shares.values()
        sum_ = " + ".join(times(value, name) for name, value in shares.items())
        made.noise.append((f"mean_given {field_name(at)} {g} {mean}", f"({sum_})%v"))

    def term(self, term: Any, used: set[Any]) -> Hypothesis:
        source, factor = term.source, real(term.multiplier)
        relation_ = source.unfolded.relation if isinstance(source, Fact) else source.statement.relation
        sign = self.sign(term.multiplier) if relation_.sense == "<=" else ""
        if isinstance(source, Fact):
            relation, given = source.unfolded.relation, PATHWISE
            if source.kind == "square":
                return Hypothesis(factor, "<=", proved=f"square_nn ({self.vector(source.arguments[0])})%v", sign=sign)
            if source.kind == "number":
                value = source.arguments[0]
                used |= value.free_symbols
                return Hypothesis(factor, "<=", proved=f"number:{real(value)}:{self.sign(value)}", sign=sign)
        else:
            relation, given = source.statement.relation, source.statement.given
        used |= {one for side in (relation.left, relation.right) for one in numbers(side)}
        if relation.left.vector:
            raise NotExported("a term that is an equation between vectors")
        left, right = self.scalar(relation.left), self.scalar(relation.right)
        mark = "<=" if relation.sense == "<=" else "=="
        if given < self.given:
            raise NotExported("a term that is given less than the claim")
        return Hypothesis(factor, relation.sense, compared(left, mark, right, given), sign=sign)

    # domains and signs

    def domain(self, used: set[Any]) -> None:
        made, at = self.made, self.context.at
        entries = at.domain.about(used)
        made.parameters = [symbol(one.symbol) for one in entries if not isinstance(one, Definition)]
        done: set[Any] = {one.symbol for one in entries if not isinstance(one, Definition)}
        waiting = [one for one in entries if isinstance(one, Definition)]
        while waiting:
            ready = next(one for one in waiting if one.uses <= done)
            made.lets.append((symbol(ready.symbol), real(ready.formula)))
            done.add(ready.symbol)
            waiting.remove(ready)
        for one in entries:
            if isinstance(one, Definition):
                continue
            s, lower = symbol(one.symbol), real(one.lower)
            strict = one.strict or one.upper is not None
            at_ = f"/ {s}" if one.inverse else s
            found = [f"0 < {s}"] if one.inverse else []
            found.append(f"{lower} {'<' if strict else '<='} {at_}")
            if one.upper is not None:
                found.append(f"{at_} <= {real(one.upper)}")
            made.ranges += [(f"R_{s}_{i}", text) for i, text in enumerate(found)]

    def denominators(self, values: list[Any]) -> None:
        """What stands below a fraction and is not positive by its range alone: that it is positive, with a script that proves it."""
        at = self.context.at
        found: dict[Any, str] = {}
        for value in values:
            for part in sp.preorder_traversal(sp.sympify(value).xreplace(at.value)):
                if not (isinstance(part, sp.Pow) and part.exp.is_negative and part.base.free_symbols):
                    continue
                for factor, _ in sp.factor_list(sp.numer(sp.together(part.base)))[1]:
                    own = at.entries.get(factor)
                    plain = isinstance(own, Range) and (own.lower == 0 or own.inverse)
                    if plain or {factor, -factor} & found.keys():
                        continue
                    positive = next((one for one in (factor, -factor) if at.sign(one)[1]), None)
                    if positive is not None:
                        found[positive] = self.sign(positive).replace("quotient (", "quotient_pos (")
        self.made.denominators = [(real(one), script) for one, script in found.items()]

    def sign(self, value: Any) -> str:
        """A script that proves the sign: with slacks, or with slacks for the numerator and known signs for what stands below."""
        direct, at = self.slacks(value), self.context.at
        over, under = sp.fraction(sp.factor(sp.together(value.xreplace(at.value))))
        if all(one.is_Symbol for one, _ in sp.factor_list(under)[1]):
            return direct
        parts = [(one if at.sign(one)[1] else sp.expand(-one), times) for one, times in sp.factor_list(under)[1]]
        positive = sp.Mul(*(one**times for one, times in parts))
        over, under = sp.factor(over * sp.cancel(positive / under)), positive
        same = f"same_as ({real(over, place=FACTOR)} / {real(under, place=ATOM)})"
        apart = f"{same}; apply quotient_nonneg; [ {self.slacks(over)} | below_pos ]"
        return f"first [ solve [{direct}] | {apart} ]"

    def slacks(self, value: Any) -> str:
        """Which ranges to take apart, and the quotient of polynomials that comes out."""
        at = self.context.at
        entries = [one for one in at.domain.about(value.free_symbols) if not isinstance(one, Definition)]
        names: dict[Any, str] = {}
        steps: list[str] = []
        for one in ordered(entries):
            s, own = symbol(one.symbol), one.lower == 0 and one.upper is None and not one.inverse
            names[at.slack[one]] = s if own else f"s_{s}"
            if own:
                continue
            kind = "between" if one.upper is not None else "above" if one.inverse and one.strict else "at_least"
            count = (2 if one.upper is not None else 1) + one.inverse
            bounds = "_ _ " if one.upper is not None else "_ "
            hypotheses = " ".join(f"R_{s}_{i}" for i in range(count))
            if one.strict and not one.inverse:
                hypotheses = f"(Rlt_le _ _ {hypotheses})"
            pattern = f"[s_{s} [H_{s} " + (f"[P_{s} ->]" if one.inverse else "->") + "]]"
            steps.append(f"destruct (slack_{'inverse_' * one.inverse}{kind} {bounds}{s} {hypotheses}) as {pattern}")
            if one.strict and not one.inverse:
                steps.append(f"assert (0 < s_{s}) by lra")
        rational = value.xreplace(at.formula)
        reduced = at.space.from_sympy(rational)
        top, bottom = (sp.Poly(dict(part), *at.slacks, domain="QQ") for part in (reduced.numer, reduced.denom))
        if all(one <= 0 for one in bottom.coeffs()):
            top, bottom = -top, -bottom
        try:
            top, lift = lifted(top)
        except NotExported:
            if not self.unchecked:
                raise
            lift = None
        factors = [bottom.as_expr()] if lift is None else [bottom.as_expr(), lift]
        below = sp.Mul(*factors)
        steps += [f"assert (0 < {real(one, names)}) by sp" for one in self.below(value)]
        return "; ".join(
            [*steps, f"quotient ({real(sp.expand(top.as_expr()), names)}) ({real(sp.factor(below), names)})"]
        )

    def below(self, value: Any) -> Iterator[Any]:
        """Denominators that have a minus sign as written and none in slacks: polynomials in slacks, each positive."""
        at, found = self.context.at, set()
        for part in sp.preorder_traversal(value.xreplace(at.value)):
            if not (isinstance(part, sp.Pow) and part.exp.is_negative and part.base.free_symbols):
                continue
            for factor, _ in sp.factor_list(sp.numer(sp.together(part.base)))[1]:
                top = sp.Poly(dict(at.space.from_sympy(factor.xreplace(at.formula)).numer), *at.slacks, domain="QQ")
                top = -top if all(one < 0 for one in top.coeffs()) else top
                if len(top.terms()) > 1 and all(one > 0 for one in top.coeffs()) and top not in found:
                    found.add(top)
                    yield sp.expand(top.as_expr())


def lifted(top: Any) -> tuple[Any, Any]:
    """The numerator times a power of 1 + s that leaves no negative coefficient, and that power."""
    if all(value >= 0 for value in top.coeffs()):
        return top, None
    for s in top.gens:
        power = top
        for count in range(1, 4):
            power = power * sp.Poly(1 + s, *top.gens, domain="QQ")
            if all(value >= 0 for value in power.coeffs()):
                return power, (1 + s) ** count
    raise NotExported("a sign that coefficients do not show")


def ordered(entries: list[Any]) -> list[Any]:
    """Ranges after those that use them in their bounds: a bound is taken apart after what it bounds."""
    found: list[Any] = []
    rest = list(entries)
    while rest:
        users = [one for one in rest if not any(one.symbol in other.uses for other in rest if other is not one)]
        found += users
        rest = [one for one in rest if one not in users]
    return found


def given_of(says: Any) -> int:
    """The field of a claim; if it is about numbers and expectations given one field only, that field, for they are known there."""
    fields, stack = set(), [says.relation.left, says.relation.right]
    while stack:
        one = stack.pop()
        if isinstance(one, Mean):
            fields.add(one.given)
        elif isinstance(one, (Sum, Scaled)):
            stack += one.children
        elif not isinstance(one, Number):
            return int(says.given)
    return min(says.given, *fields) if len(fields) == 1 else int(says.given)


def coefficients(node: Node) -> Iterator[Any]:
    """The numbers in a tree."""
    if isinstance(node, Scaled):
        yield node.times
    if isinstance(node, Number):
        yield node.value
    for child in node.children:
        yield from coefficients(child)


def numbers(node: Node) -> set[Any]:
    """The parameters in a tree."""
    own = (
        node.times.free_symbols
        if isinstance(node, Scaled)
        else node.value.free_symbols
        if isinstance(node, Number)
        else set()
    )
    return set(own).union(*(numbers(child) for child in node.children))


def expected(text: str, given: int) -> str:
    """An expectation given a field; without one it is the total expectation."""
    return f"E[ {text} ]" if given == TOTAL else f"E[ {text} | {field_name(given)} ]"


def compared(left: str, sign: str, right: str, given: int) -> str:
    """A relation between random variables: outcome by outcome, or in expectation given a field."""
    if given == PATHWISE:
        return f"({left} {sign} {right})%m"
    return f"({expected(left, given)} {sign} {expected(right, given)})%m"


def field_name(given: int) -> str:
    return (
        "Trivial"
        if given == TOTAL
        else "All"
        if given == PATHWISE
        else f"(At {given})"
        if given >= 0
        else f"(At ({given}))"
    )


# --- which lines


def lines() -> Iterator[tuple[str, Line, Any]]:
    """Every line of the ledger and below it, once for each domain on which it is used, with the label under which it is met first."""
    seen: set[str] = set()
    for claim in registry.claims():
        for check in certificates(claim):
            for one, domain in below(check.build()) if check.build else ():
                if isinstance(one, Line) and (key := mark(one, domain)) not in seen:
                    seen.add(key)
                    yield claim.label, one, domain


def perturbed() -> Iterator[tuple[str, str, Line]]:
    """Every control of a certificate, once: label, what is changed, and the changed line with the multipliers that it has."""
    seen: set[str] = set()
    for claim in registry.claims():
        for check in certificates(claim):
            one = check.build(**check.change) if check.build and check.change else None
            if isinstance(one, Line) and (key := identity(one)) not in seen:
                seen.add(key)
                yield claim.label, check.control_what, one


# --- writing Coq


def stated(one: Exported) -> list[str]:
    """The statement of a record as a Coq theorem, and the names of its premises."""
    bound = [
        f"({' '.join(names)} : {kind})"
        for names, kind in ((one.parameters, "R"), (one.letters, "V"), (one.values, "M"))
        if names
    ]
    text = [
        f"(** {one.comment.replace('(*', '( *').replace('*)', '* )')} *)",
        f"Theorem {one.name} {{P : Setting}} {' '.join(bound)} :",
    ]
    text += [f"  let {name} := {formula} in" for name, formula in one.lets]
    text += [f"  {' -> '.join(found for _, found in one.ranges)} ->"] if one.ranges else []
    text += [f"  let {name} := {tree} in" for name, tree in one.vectors]
    text += [f"  {premise} ->" for premise in one.premises]
    text += [f"  {term.text} ->" for term in one.terms if term.text]
    text = [text[0], *(wrapped(part) for part in [*text[1:], f"  {one.claim}."]), "Proof."]
    names = [name for name, _ in (*one.lets, *one.ranges, *one.vectors)]
    names += [f"Q{i}" for i in range(len(one.premises))] + [f"H{i}" for i, term in enumerate(one.terms) if term.text]
    return [*text, f"  intros {' '.join(names)}." if names else "  intros."]


def steps(one: Exported) -> list[str]:
    """The tactics that prove a record: signs, then the identity."""
    text = [
        f"assert (D{i} : 0 < {value}) by (no_lets; first [ solve [sp] | {script} ])"
        for i, (value, script) in enumerate(one.denominators)
    ]
    first, second = [], []
    for i, term in enumerate(one.terms):
        if term.sense == "==":
            second.append(f"({term.multiplier}, H{i})")
            continue
        text.append(f"assert (S{i} : 0 <= {term.multiplier}) by (no_lets; first [ solve [nn] | {term.sign} ])")
        proof = f"H{i}"
        if term.proved.startswith("number:"):
            _, value, sign = term.proved.split(":", 2)
            text.append(f"assert (C{i} : 0 <= {value}) by (no_lets; first [ solve [nn] | {sign} ])")
            proof = f"number_nn _ C{i}"
        elif term.proved:
            proof = term.proved
        first.append(f"({term.multiplier}, {proof})")
    third = [f"(Q{one.premises.index(mean)}, {vector})" for mean, vector in one.noise]
    lists = (f"{{{{ {' ; '.join(part)} }}}}" for part in (first, second, third))
    return [*text, f"balance {' '.join(lists)}" if one.claim.endswith("%m") else "same_vector; field; nz"]


def theorem(one: Exported) -> str:
    """A record as a Coq theorem with its proof."""
    return "\n".join([*stated(one), *(f"  {step}." for step in steps(one)), "Qed."])


def refusal(one: Exported) -> str:
    """A record whose statement Coq has to accept and whose proof it has to refuse."""
    return "\n".join([*stated(one), f"  Fail ({'; '.join(f'({step})' for step in steps(one))}).", "Abort."])


def identifier(label: str, count: int) -> str:
    return f"L{count:03d}_" + re.sub(r"\W+", "_", label)


HEAD = "(** Exported from the ledger; not to be edited. *)\nRequire Import HeavyBall.Tactic.\nOpen Scope R_scope.\n"
NAME = "THIS"
LEFT_OUT: dict[str, str] = {
    "3dc4522e6687b31d": "the sign of a multiplier, a polynomial in eight parameters, is not found by the exported tactics",
    "a427e828f5ea0344": "its normal form is so large that its export alone takes a minute; not compiled",
}
"""Lines that have no theorem: fingerprint of the statement, and why, in a sentence."""


def adds_up(line: Line, domain: Any) -> bool:
    """Whether the line follows from its terms; a changed definition may do its harm only in a line below."""
    try:
        Reader(line, domain).read("any")
    except (NotExported, Refused):
        return False
    return True


def controls() -> tuple[list[tuple[dict[str, str], str]], list[str]]:
    """For each control of the ledger what it is, and the text that Coq has to refuse; and those that cannot be written."""
    found: list[tuple[dict[str, str], str]] = []
    without: list[str] = []
    for label, what, line in perturbed():
        under = ((one, at) for one, at in below(line, users=True) if isinstance(one, Line))
        wrong, domain = next(((one, at) for one, at in under if not adds_up(one, at)), (line, line.statement.domain))
        try:
            record = Reader(wrong, domain, unchecked=True).read(identifier(label, len(found)))
            row = {"label": label, "what": what, "mark": mark(line, line.statement.domain)}
            found.append((row, refusal(record)))
        except (NotExported, Refused) as reason:
            without.append(f"{label}: {what}: {reason}")
    return found, without


def export() -> tuple[dict[str, str], dict[str, dict[str, Any]], list[dict[str, str]]]:
    """The theorems by name, what each stands for, and the lines that have none, with the reason.

    Lines with the same theorem share it: a line that holds wherever it is used may be the same on several domains.
    """
    names: dict[str, str] = {}
    index: dict[str, dict[str, Any]] = {}
    left_out: list[dict[str, str]] = []
    for label, line, domain in lines():
        says, key = line.statement.fingerprint, mark(line, domain)
        try:
            if says in LEFT_OUT:
                raise NotExported(LEFT_OUT[says])
            text = theorem(Reader(line, domain).read(NAME))
        except NotExported as reason:
            left_out.append({"label": label, "statement": says, "mark": key, "reason": str(reason)})
            continue
        name = names.setdefault(text, identifier(label, len(names)))
        row = index.setdefault(name, {"label": label, "statement": says, "marks": []})
        row["marks"].append(key)
    return {name: text.replace(NAME, name, 1) for text, name in names.items()}, index, left_out


def main() -> None:
    OUT.mkdir(exist_ok=True)
    found, index, left_out = export()
    done = list(found.values())
    wanted = {
        f"Lines_{number // PER_FILE:02d}.v": "\n\n".join([HEAD, *done[number : number + PER_FILE]]) + "\n"
        for number in range(0, len(done), PER_FILE)
    }
    for old in OUT.glob("Lines_*"):
        if f"{old.name.split('.')[0]}.v" not in wanted:
            old.unlink()
    for name, text in wanted.items():  # a file that has not changed is not compiled again
        if not (OUT / name).is_file() or (OUT / name).read_text() != text:
            (OUT / name).write_text(text)
    (OUT / "index.json").write_text(json.dumps({"theorems": index, "left_out": left_out}, indent=1))
    print(f"export: {len(done)} theorems; {len(left_out)} lines have none")
    for one in left_out:
        print(f"  {one['label']}: {one['statement']}: {one['reason']}")


if __name__ == "__main__":
    main()
