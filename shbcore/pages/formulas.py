r"""Words with formulas in plain letters, such as ``alpha_0^2 <= f(x_bar_k)``, as HTML with formulas that MathJax sets.

Checks and counterexamples say in a terminal what they found, in plain letters.  On a page the same words stand here: each formula in
them (numbers, letters, brackets, products, sums, relations) is found by its grammar and set whole; everything else stays as it is.
"""

import re
from html import escape

_GREEK = "alpha|beta|gamma|delta|epsilon|theta|kappa|lambda|sigma|omega|varphi|phi|Delta|nu|xi|rho"
_NAME = (
    rf"(?:x_(?:bar|hat)(?:_(?:\{{[^}}]*\}}|\([^)]*\)|\w))?|(?:{_GREEK}|[A-Za-z])(?:_(?:\{{[^}}]*\}}|\([^)]*\)|\w+))?)"
    r"'?(?:\^(?:\d+|n))?(?:\*(?=[\s,.;:)]|$))?(?![A-Za-z_])"
)
_NUMBER = r"(?:oo\b|\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:\^-?\d+)?(?!\d|[A-Za-z_]{2}))"

_HELD = "[\ue000-\uf8ff]"
"""A bracket that was read already, with what stands in it."""
_ATOM = rf"(?>(?:{_NUMBER}|grad {_NAME}|{_HELD}(?:\^\d+)?|{_NAME}))"
_PRODUCT = rf"{_ATOM}(?:(?:/|\.\.| \* | (?!\d|a\b|\| )|(?!\d|\.)){_ATOM})*+"
_SUM = rf"(?>(?:\+-|-)?{_PRODUCT}(?: ?(?:\+-|[+-]) ?{_PRODUCT})*+)"
_ROW = rf"{_SUM}(?:[,;] ?{_SUM})*+"
_BRACKET = re.compile(
    rf"(?:sqrt|sign)?\({_ROW}\)|E\[{_SUM}(?: \| {_SUM})?\]|\[{_ROW}\]|[\[(]{_SUM}, ?{_SUM}[\])]|\|{_SUM}\|(?:\^2)?|<{_SUM}, ?{_SUM}>"
)
_WORD = rf"(?!(?:{_GREEK}|sqrt|sign|grad|oo)(?![A-Za-z]))[A-Za-z]{{2,}}[\w:./-]*"
_TEXT = re.compile(rf"(?<![\w\\'])(?:(?P<word>{_WORD})|(?P<formula>\+inf|{_SUM}(?: ?(?:<=|>=|[=<>]) ?{_SUM})*))(?!\w)")
_MATHS = re.compile(rf"[=<>_^|/+']|^-|\.\.|[A-Za-z]\(|e-|^[\[(].+,|oo|{_GREEK}|^[fghkxyzvwutcdpqrKLGVWUXSRF]$")
"""What makes a formula of a piece of text: a sign, an index, a letter that is no word."""
_LETTER = re.compile(
    rf"(?<![A-Za-z\\])(?:x_(?P<hat>bar|hat)|(?P<name>{_GREEK}|[A-Za-z]))(?:_(?P<sub>\{{[^}}]*\}}|\([^)]*\)|\w+))?(?P<star>\*)?(?![A-Za-z])"
)
_SIGNS = (
    (r"<([^<>=]+, ?[^<>=]+)>", r"\\langle \1\\rangle "),
    (r"sign\(", r"\\operatorname{sign}("),
    (r"(?<![\w/.^])(\d+)/(\d+) (?=[A-Za-z])", r"\\tfrac{\1}{\2} "),
    (r"\|([^|]*)\|\^2", r"\\|\1\\|^2"),
    (r" \| ", r"\\mid "),
    (r"(?<!\d)1e([+-]?)0*(\d+)", r"10^{\1\2}"),
    (r"(\d)e([+-]?)0*(\d+)", r"\1\\cdot10^{\2\3}"),
    (r"\^(-?\d\d+|-\d)", r"^{\1}"),
    ("<=", r"\\le "),
    (">=", r"\\ge "),
    (r"\+-", r"\\pm "),
    (r"\.\.", r",\\dots,"),
    (r" \* ", r"\\,"),
    (r"sqrt\(([^()]*)\)", r"\\sqrt{\1}"),
    ("grad ", r"\\nabla "),
    (r"\+inf", r"+\\infty "),
    (r"\boo\b", r"\\infty "),
)


def _letter(found: re.Match[str]) -> str:
    sub = (found["sub"] or "").strip("{}()")
    below = re.sub(rf"({_GREEK})", r"\\\1", f"_{{{sub}}}") if sub else ""
    if found["hat"]:
        return rf"\{found['hat']} x{below}"
    name = found["name"]
    if len(name) > 1:
        name = rf"\{'varphi' if name == 'phi' else name}" + ("" if below else " ")
    elif name == "F" and sub[:1] in tuple("k0123456789"):
        name = r"\mathcal{F}"
    elif not sub:
        name = {"X": r"\mathcal{X}", "R": r"\mathbb{R}", "E": r"\mathbb{E}"}.get(name, name)
    return name + below + (r"^\star" if found["star"] else "")


def formula(text: str) -> str:
    """A formula in plain letters in LaTeX."""
    for sign, said in _SIGNS:
        text = re.sub(sign, said, text)
    return re.sub(r" +(?=[)\],/^_}>]|$)", "", re.sub(" +", " ", _LETTER.sub(_letter, text)))


def maths(text: str) -> str:
    r"""HTML of words with formulas in plain letters, or between dollars, which MathJax sets, and names between backticks."""

    def shown(part: str) -> str:
        within = escape(part[1:-1], quote=False)
        return {"$": rf"\({within}\)", "`": f"<code>{within}</code>"}.get(part[0]) or _plain(part)

    return hold("".join(shown(part) for part in re.split(r"(\$[^$]*\$|`[^`]*`)", text) if part))


def _plain(text: str) -> str:
    held: list[str] = []

    def keep(bracket: re.Match[str]) -> str:
        held.append(bracket[0])
        return chr(0xE000 + len(held) - 1)

    def whole(part: str) -> str:
        while re.search(_HELD, part):
            part = re.sub(_HELD, lambda one: held[ord(one[0]) - 0xE000], part)
        return part

    def shown(piece: re.Match[str]) -> str:
        said = whole(piece["formula"] or "")
        if not _MATHS.search(said) or re.fullmatch(r"\(\w\)", said):
            return piece[0]
        held.append(rf"\({formula(said)}\)")
        return chr(0xE000 + len(held) - 1)

    before, text = "", re.sub(r"(?<=_)\(([^()]*)\)", r"{\1}", text)
    while before != text:
        before, text = text, _BRACKET.sub(keep, text)
    return escape(whole(_TEXT.sub(shown, text)), quote=False)


def hold(html: str) -> str:
    """Keep a formula and the signs around it together, so that no line begins with a comma or ends with a bracket."""

    def held(found: re.Match[str]) -> str:
        return f'<span class="hold">{found[0]}</span>' if found[1] or found[3] else found[0]

    return re.sub(r"((?<!\\)[(\[])?(\\\((?:(?!\\\)).)*\\\))([,.;:!?)\]]*)", held, html)
