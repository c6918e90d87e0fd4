"""The bound in a theorem of Coq as a formula, to be compared with the bound that the ledger has: two texts, one number.

Both sides of `uniform K (fun k => || ... ||^2) <= # (...)` are read, with the `let`s and definitions that they use, and the start of the
run.  Premises are not: that they are those of the ledger is for a reader to say, in `kernel/reviewed.json`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy as sp
from coq_text import symbol

from shbcore.proof.domain import Definition
from shbcore.proof.language import Inner, Named, Node, Number, Quantity, RandomIndex, Scaled, Sum, Value
from shbcore.proof.statement import Scope, Statement

TOKENS = re.compile(r"\s*([A-Za-z_][\w']*|\d+|[-+*/^()])")
GIVES = r"Definition\s+{name}((?:\s+\w+)*)\s*:=\s*(.*?)\.\s*$"
PLAIN = {
    one: sp.Symbol(one)
    for one in ("rho", "lam", "L2", "sigma2", "G2", "alpha_0", "f_0", "f_star", "N", "alpha", "nu", "beta")
}


GRADIENT = r"\nabla F_\lambda(\bar x_k)"
LETTERS = {"lam": sp.Symbol("lambda"), "beta": sp.Symbol("beta"), "alpha": sp.Symbol("alpha")}
"""Parameters on which the left side or the run depends, in Coq's names and in those of the ledger."""


class Unread(ValueError):
    """The text has something that is no formula of numbers."""


class Formula:
    """A formula of Coq's real numbers; names are those given, functions are definitions of the development."""

    def __init__(self, text: str, names: dict[str, Any], definitions: dict[str, str]) -> None:
        self.left, self.names, self.definitions = TOKENS.findall(text), names, definitions
        if "".join(self.left) != re.sub(r"\s", "", text):
            raise Unread(text)

    def read(self) -> Any:
        found = self.sum()
        if self.left:
            raise Unread(" ".join(self.left))
        return found

    def take(self, *wanted: str) -> str:
        return self.left.pop(0) if self.left and (not wanted or self.left[0] in wanted) else ""

    def sum(self) -> Any:
        found = self.product()
        while sign := self.take("+", "-"):
            found = found + self.product() if sign == "+" else found - self.product()
        return found

    def product(self) -> Any:
        found = self.factor()
        while sign := self.take("*", "/"):
            found = found * self.factor() if sign == "*" else found / self.factor()
        return found

    def factor(self) -> Any:
        if sign := self.take("-", "/"):
            inner = self.factor()
            return -inner if sign == "-" else 1 / inner
        base = self.applied()
        return base ** int(self.take()) if self.take("^") else base

    def applied(self) -> Any:
        if self.take("("):
            found = self.sum()
            if not self.take(")"):
                raise Unread("a bracket is open")
            return found
        name = self.take()
        if name.isdigit():
            return sp.Integer(name)
        if name in self.names:
            return self.names[name]
        if name == "sqrt" and self.left[:8] == ["(", "INR", "(", "K", "+", "1", ")", ")"]:
            del self.left[:8]
            return PLAIN["N"]
        given = re.search(GIVES.format(name=name), self.definitions.get(name, ""), re.S)
        if not given:
            raise Unread(name)
        values = {one: self.applied() for one in given.group(1).split()}
        return Formula(given.group(2), values, self.definitions).read()


@dataclass(frozen=True)
class Bound:
    """A bound on the mean of |grad F_lambda(x_bar)|^2 over a random index, as a theorem of Coq has it."""

    value: Any
    start: str
    """What z_0 is a multiple of g_0 by: 1 as printed, beta at rest."""
    shifted: frozenset[bool]
    """Whether the index begins at 0 or at -1; a theorem may have both."""
    letters: dict[str, Any]
    """Those parameters on which the left side or the run depends."""


MEAN = re.compile(
    r"uniform K \(fun k => \|\| env_gradient lam prox \(bar beta x (k|\(pred k\)|\(if shift then pred k else k\))\) \|\|\^2\) <= "
    r"# (\(.*\))\)%m\.$"
)
INDEX = {"k": {False}, "(pred k)": {True}, "(if shift then pred k else k)": {True, False}}
STARTS = {"1": (Scope.RUN_PRINTED,), "beta": (Scope.RUN, Scope.SHORT_RUN)}


def bound(statement: str, before: str, definitions: dict[str, str]) -> Bound | None:
    """The bound on the mean over the uniform index, and the start of the run; nothing, if the theorem is not of this form."""
    text = " ".join(f"{before} {statement}".split())
    found = MEAN.search(text)
    start = re.search(r"_run\b[^>]*\s(\S+) ->", text)
    if not found or not start:
        return None
    names = dict(PLAIN)
    for name, formula in re.findall(r"[Ll]et (\w+) := (.*?)(?: in\b|\.(?= |$))", text):
        try:
            names[name] = Formula(formula, names, definitions).read()
        except Unread:
            continue
    try:
        value = Formula(found.group(2), names, definitions).read()
    except Unread:  # it speaks of more than these numbers
        return None
    return Bound(value, start.group(1), frozenset(INDEX[found.group(1)]), {one: names[one] for one in LETTERS})


def letter(says: Statement, value: Any) -> Any:
    """A number of a statement of the ledger in Coq's names, with what the domain defines put in."""
    known = {entry.symbol: entry.formula for entry in says.domain.entries if isinstance(entry, Definition)}
    while known.keys() & value.free_symbols:
        value = value.xreplace(known)
    return value.xreplace({one: sp.Symbol(symbol(one)) for one in value.free_symbols})


@cache
def of_ledger(says: Statement) -> Any:
    """The right-hand side of a statement of the ledger in the same names; nothing, if it speaks of more than numbers, f(x_0) and f*."""

    def number(value: Any) -> Any:
        return letter(says, value)

    def read(node: Node) -> Any:
        kinds: dict[type, Callable[[Any], Any]] = {
            Number: lambda one: number(sp.sympify(one.value)),
            Scaled: lambda one: number(sp.sympify(one.times)) * read(one.of),
            Sum: lambda one: sum((read(part) for part in one.parts), sp.S.Zero),
            Named: lambda one: read(one.of),
            Value: lambda one: PLAIN["f_0"] if one.function.name == "f" else _refuse(one),
            Quantity: lambda one: PLAIN["f_star"],
            Inner: lambda one: _refuse(one),
        }
        return kinds[type(node)](node)

    def _refuse(one: Any) -> Any:
        raise Unread(str(one))

    try:
        return read(says.relation.right)
    except (Unread, KeyError):
        return None


def mean_of(says: Statement) -> RandomIndex | None:
    """The mean of |grad F_lambda(x_bar_k)|^2 over a random index that a statement of the ledger bounds; nothing for other statements."""
    left = says.relation.left
    if not isinstance(left, RandomIndex) or not isinstance(left.of, Inner) or left.of.left != left.of.right:
        return None
    gradient = left.of.left
    return left if isinstance(gradient, Named) and (gradient.name, gradient.index) == (GRADIENT, 0) else None


def same(theorem: Bound, says: Statement) -> bool:
    """Whether a theorem of Coq has the left side, the bound and the start of a statement of the ledger."""
    mean = mean_of(says)
    if mean is None or mean.shifted not in theorem.shifted or says.relation.sense != "<=":
        return False
    if theorem.start not in STARTS or says.scope not in (*STARTS[theorem.start], Scope.RUN_ANY):
        return False
    if (other := of_ledger(says)) is None:
        return False
    pairs = [(value, letter(says, LETTERS[one])) for one, value in theorem.letters.items()]
    return all(equal(one, two) for one, two in [*pairs, (theorem.value, other)])


def equal(one: Any, two: Any) -> bool:
    """Whether two rational functions are equal."""
    one, two = sp.sympify(one), sp.sympify(two)
    there = {each: sp.Rational(7 + i, 5) for i, each in enumerate(sorted(one.free_symbols | two.free_symbols, key=str))}
    if one.xreplace(there) != two.xreplace(there):  # different at one point: no need to expand
        return False
    return bool(sp.expand(sp.numer(sp.together(one - two))) == 0)
