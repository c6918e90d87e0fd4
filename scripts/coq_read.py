"""The bound in a theorem of Coq as a formula, to be compared with the bound that the ledger has: two texts, one number.

Only what stands on the right of `uniform K ... <= # (...)` is read, with the `let`s and definitions that it uses, and the start of the run.
"""

import re
from collections.abc import Callable
from typing import Any

import sympy as sp
from coq_text import symbol

from shbcore.proof.domain import Definition
from shbcore.proof.language import Inner, Named, Node, Number, Quantity, Scaled, Sum, Value
from shbcore.proof.statement import Scope, Statement

TOKENS = re.compile(r"\s*([A-Za-z_][\w']*|\d+|[-+*/^()])")
GIVES = r"Definition\s+{name}((?:\s+\w+)*)\s*:=\s*(.*?)\.\s*$"
PLAIN = {
    one: sp.Symbol(one)
    for one in ("rho", "lam", "L2", "sigma2", "G2", "alpha_0", "f_0", "f_star", "N", "alpha", "nu", "beta")
}


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


def bound(statement: str, before: str, definitions: dict[str, str]) -> tuple[Any, str] | None:
    """The bound on the mean over the uniform index, and the start of the run; nothing, if the theorem is not of this form."""
    text = " ".join(f"{before} {statement}".split())
    found = re.search(r"uniform K .*?<= # (\(.*\))\)%m\.$", text)
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
        return Formula(found.group(1), names, definitions).read(), start.group(1)
    except Unread:  # it speaks of more than these numbers
        return None


def of_ledger(says: Statement) -> Any:
    """The right-hand side of a statement of the ledger in the same names; nothing, if it speaks of more than numbers, f(x_0) and f*."""

    def number(value: Any) -> Any:
        known = {entry.symbol: entry.formula for entry in says.domain.entries if isinstance(entry, Definition)}
        while known.keys() & value.free_symbols:
            value = value.xreplace(known)
        return value.xreplace({one: sp.Symbol(symbol(one)) for one in value.free_symbols})

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


def bounds_a_mean(says: Statement) -> bool:
    """Whether a statement of the ledger bounds a mean over the uniform index."""
    return "RandomIndex" in repr(says.relation.left)


def same(theorem: tuple[Any, str], says: Statement) -> bool:
    """Whether a theorem of Coq has the bound and the start of a statement of the ledger."""
    value, start = theorem
    scopes = (Scope.RUN_PRINTED,) if start == "1" else (Scope.RUN, Scope.SHORT_RUN)
    other = of_ledger(says)
    if other is None or says.scope not in (*scopes, Scope.RUN_ANY) or not bounds_a_mean(says):
        return False
    there = {
        one: sp.Rational(7 + i, 5) for i, one in enumerate(sorted(value.free_symbols | other.free_symbols, key=str))
    }
    if value.xreplace(there) != other.xreplace(there):  # different at one point: no need to expand
        return False
    return bool(sp.expand(sp.numer(sp.together(value - other))) == 0)
