"""Sphinx extension: numbers of the ledger as substitutions, so that no page repeats one by hand.

``{{ claims }}``, ``{{ right }}``, ``{{ repaired }}``, ``{{ undecided }}``, ``{{ checks }}``, ``{{ defects }}`` and
``{{ typos }}`` (both counted where they begin) are numbers; so are ``{{ measured }}``, of claims decided by measurement alone, and
``{{ coq }}`` and ``{{ formal }}``, of claims with a theorem of Coq and with a formal statement.
``{{ formula_V }}`` and others are definitions of the ledger as formulas.
All numbers are about the paper: results beyond it are not counted.
"""

from typing import Any

FORMULAS = {
    "formula_V": "eq:Vfunc",
    "formula_gamma": "lem:Vfunc:non-smooth/gamma",
    "formula_gamma_1": "thrm:non-smooth:complexity/proof-gamma_1",
    "formula_phi": "lem:Wfunc:smooth/phi",
    "formula_W": "lem:Wfunc:smooth/W",
}
EVERY_MOMENTUM = "beyond/momentum/any"
LETTERS = {"formula_c_u": "c", "formula_gamma_u": r"{\gamma'}", "formula_gamma_1_u": r"{\gamma_1'}"}
"""Letters that a statement defines on the way, Theorem 1 for every momentum."""
EXACT = {"kernel", "certificate", "exact", "counterexample"}


def numbers() -> dict[str, str]:
    """The substitutions, read from the ledger."""
    from shbcore.claims import printed_start, registry
    from shbcore.proof import in_words

    claims = [one for one in registry.claims() if not one.label.startswith("beyond/")]
    count = registry.by_class(claims)
    repaired = sum(claim.defective for claim in claims)
    found = {
        "claims": len(claims),
        "right": count.get("true", 0),
        "repaired": repaired,
        "undecided": len(claims) - repaired - count.get("true", 0),
        "measured": sum(
            bool(kinds) and not kinds & EXACT for kinds in ({c.kind for c in claim.checks} for claim in claims)
        ),
        "coq": sum(any(check.kind == "kernel" for check in claim.checks) for claim in claims),
        "checks": sum(len(claim.checks) for claim in claims),
        "defects": len(registry.roots()),
        "typos": sum(claim.as_printed == "typo" for claim in registry.roots()),
        "formal": sum(bool(claim.statements) for claim in claims),
    }
    formulas = {name: f"${registry.claim(label).says[0].latex}$" for name, label in FORMULAS.items()}
    formulas["formula_U"] = f"${registry.Definition(printed_start.U_k).latex}$"
    meant = {str(one.symbol): one for one in registry.claim(EVERY_MOMENTUM).statements[0].domain.definitions}
    formulas |= {name: f"${in_words.entry(meant[letter])}$" for name, letter in LETTERS.items()}
    return {**{name: str(number) for name, number in found.items()}, **formulas}


def fill(app: Any, config: Any) -> None:
    config.myst_substitutions = {**config.myst_substitutions, **numbers()}


def setup(app: Any) -> dict[str, Any]:
    app.connect("config-inited", fill, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
