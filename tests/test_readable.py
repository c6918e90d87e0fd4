"""What a reader sees is right on every screen and on paper: panels are named, numbers rounded, no object of Python is shown."""

import importlib.util
import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

from shbcore.pages import screens, style

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted(path for path in (ROOT / "book").glob("*.ipynb") if not path.stem.startswith("_"))
BY_NAME = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)

_SIDE = r"(?:left|right|top|bottom|upper|lower)"
PLACE = re.compile(
    rf"\b{_SIDE}(?:most)?(?:-hand)? (?:panels?|pictures?|plots?|figures?|maps?|one)\b"
    rf"|(?:^|[.;:(] ?\*?)(?:(?:on|in|at) the )?{_SIDE}\*?(?=[:,.)]| (?:is|are|the|of the (?:first |second )?figure)\b)"
    rf"|\b(?:on|at) the {_SIDE}\b(?= of the (?:first |second |last )?(?:figure|picture)|[,;.] .*\bon the {_SIDE}\b)",
    re.IGNORECASE,
)
"""A panel named by where it stands; on a phone the panels of a row stand one below the other."""
POSED = re.compile(
    rf"\b{_SIDE}(?:most)?(?:-hand)? (?:panels?|pictures?|plots?)\b|(?:^|[.;] )(?:Left|Right|Top|Bottom): ", re.MULTILINE
)
"""The same in running text, where other things have a left and a right side too."""

UNROUNDED = re.compile(r"(?<![\w.])\d+\.0*[1-9]\d{6,}")
OBJECT = re.compile(
    r"\b(?:array|Fraction|Rational|Integer|mpq|Decimal|dict_(?:keys|values|items)|np\.\w+|defaultdict|OrderedDict|Counter|frozenset|set)\("
    r"|\bdtype=|<[\w.]+ (?:object )?at 0x|<(?:class|function|module) |\bTraceback\b|\bsp\.\w+\("
)
ALONE = re.compile(r"(?:^|[|:]\s*)(?:True|False|None|nan|inf|-inf)\s*(?=$|\|)", re.MULTILINE)
LIST = re.compile(r"\[(?:'[^']*'|-?\d+\.\d+)(?:, (?:'[^']*'|-?\d+\.\d+)){2,}\]")
LABEL = re.compile(r"(?<![\w`/:])(?:lem|thrm|eq|eqn|alg|fig|proof|appendix|assumption|background):[\w:./-]+")
WORDS = re.compile(r"\binfinity\b")
SHOWS_CODE = {"verify_your_own"}
"""The page whose subject is the library: it quotes what the library says."""


def cells(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text("utf-8"))["cells"])


def panels(cell: dict[str, Any]) -> int:
    """How many panels the figure of a cell has; the scale of colours counts as one."""
    drawn = ["".join(one.get("data", {}).get("image/svg+xml", "")) for one in cell.get("outputs", [])]
    return max((len(set(re.findall(r'id="axes_(\d+)"', one))) for one in drawn), default=0)


def words_of(cell: dict[str, Any]) -> list[str]:
    about = cell["metadata"].get("mystnb", {})
    return [str(about.get("caption", "")), str(about.get("image", {}).get("alt", ""))]


def posed(cell: dict[str, Any]) -> list[str]:
    """Places by which the words of a figure with several panels name one of them."""
    return [found[0] for words in words_of(cell) if panels(cell) > 1 for found in PLACE.finditer(words)]


def printed(cell: dict[str, Any]) -> tuple[str, str]:
    """What the page shows of the outputs of a cell as text: what was printed, and what is set; code, scripts and drawings left out."""
    streams, shown = [], []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        streams.append("".join(output.get("text", "")))
        rich = "".join(data.get("text/markdown", "") or data.get("text/html", ""))
        if not rich and not any(key.startswith("image/") for key in data):
            rich = "".join(data.get("text/plain", ""))
        rich = re.sub(r"<(script|style|svg|pre|code)\b.*?</\1>", " ", rich, flags=re.DOTALL)
        if "text/html" in data and "text/markdown" not in data:
            rich = re.sub(r"</t[dh]>", " | ", re.sub(r"</tr>|<br>|</p>|</li>", "\n", rich))
            rich = unescape(re.sub(r"<[^>]+>", "", rich))
        shown.append(rich)
    return "\n".join(streams), "\n".join(shown)


def raw(cell: dict[str, Any], quotes: bool = False) -> list[str]:
    """What no reader should see in the outputs of a cell: unrounded numbers, objects and values of Python, labels of the source."""
    stream, shown = printed(cell)
    kinds = [UNROUNDED, ALONE, *(() if quotes else (OBJECT, LIST, WORDS))]
    found = [one[0].strip() for kind in kinds for one in kind.finditer(f"{stream}\n{shown}")]
    return found + ([] if quotes else [one[0] for one in LABEL.finditer(stream)])


WIDEST_CODE = 60
"""Characters of a line of code that a reader is to type: a phone shows it in two lines at most."""


def wide(cell: dict[str, Any]) -> list[str]:
    """Lines of code that are too wide, where the code is open on the page."""
    folded = {"hide-input", "remove-input"} & set(cell["metadata"].get("tags", ()))
    lines = "".join(cell["source"]).splitlines() if cell["cell_type"] == "code" and not folded else []
    return [one for one in lines if len(one) > WIDEST_CODE]


@pytest.mark.parametrize("stem", sorted(SHOWS_CODE))
def test_code_that_is_to_be_typed_is_narrow(stem: str) -> None:
    shown = cells(ROOT / "book" / f"{stem}.ipynb")
    assert sum(one["cell_type"] == "code" for one in shown) > 20
    assert [line for cell in shown for line in wide(cell)] == []


def test_a_wide_line_of_code_is_found() -> None:
    cell: dict[str, Any] = {"cell_type": "code", "metadata": {}, "source": ["a = 1\n", f"b = {'1' * WIDEST_CODE}"]}
    assert len(wide(cell)) == 1
    assert wide({**cell, "metadata": {"tags": ["hide-input"]}}) == []


@BY_NAME
def test_panels_are_named_by_what_they_show(path: Path) -> None:
    assert [found for cell in cells(path) for found in posed(cell)] == []


@BY_NAME
def test_the_text_names_panels_by_what_they_show(path: Path) -> None:
    prose = ["".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "markdown"]
    assert [found[0] for text in prose for found in POSED.finditer(text)] == []


def figure(caption: str, count: int = 2, alt: str = "") -> dict[str, Any]:
    drawing = "".join(f'<g id="axes_{i + 1}"/>' for i in range(count))
    about = {"mystnb": {"caption": caption, "image": {"alt": alt}}}
    return {"metadata": about, "outputs": [{"data": {"image/svg+xml": [f"<svg>{drawing}</svg>"]}}]}


@pytest.mark.parametrize(
    "words",
    [
        "Left: the slope. Right: the depth.",
        "The slope (left) and the depth.",
        "In the left panel it falls.",
        "Two panels. Left, measured: four curves.",
        "It falls in the upper picture, and rises in the lower one.",
        "The slope on the left, the depth on the right.",
        "Top: the energy.",
    ],
)
def test_a_panel_named_by_its_place_is_found(words: str) -> None:
    assert posed(figure(words))
    assert posed(figure("The slope, and the depth.", alt=words))
    assert not posed(figure(words, count=1))


@pytest.mark.parametrize(
    "words",
    [
        "Left side over right side of Theorem 1.",
        "At the right end no step is possible.",
        "The peaks move right as the square of the stepsize.",
        "Most that are right as printed, and what is left of it.",
        "In the lower left corner of the plane.",
    ],
)
def test_other_uses_of_these_words_are_allowed(words: str) -> None:
    assert not posed(figure(words))


def test_panels_are_counted_in_the_drawing() -> None:
    assert {panels(figure("any", count)) for count in range(4)} == {0, 1, 2, 3}
    stored = {path.stem: sum(panels(cell) > 1 for cell in cells(path)) for path in NOTEBOOKS}
    assert stored["one_step"] >= 3
    assert sum(stored.values()) >= 20


RIM = re.compile(r"paint-order: ?stroke")


def haloed(cell: dict[str, Any]) -> int:
    """Letters with a rim in a figure with a field of colours: the rim has the colour of the page, and the field has another."""
    drawn = ["".join(one.get("data", {}).get("image/svg+xml", "")) for one in cell.get("outputs", [])]
    return sum(len(RIM.findall(one)) for one in drawn if "<image" in one)


@BY_NAME
def test_no_letter_on_a_field_of_colours_has_a_rim(path: Path) -> None:
    assert [haloed(cell) for cell in cells(path) if haloed(cell)] == []


def test_a_rim_on_a_field_is_found() -> None:
    plt.close("all")
    style.use()
    fig, axes = style.figure()
    style.label(axes[0, 0], 0.5, 0.5, "here")
    plain = screens.svg(fig)
    axes[0, 0].pcolormesh([[1.0, 2.0], [3.0, 4.0]])
    field = screens.svg(fig)
    plt.close("all")
    found = [haloed({"outputs": [{"data": {"image/svg+xml": [text]}}]}) for text in (plain, field)]
    assert found[0] == 0
    assert found[1] > 0


@BY_NAME
def test_stored_outputs_are_fit_for_a_reader(path: Path) -> None:
    assert [found for cell in cells(path) for found in raw(cell, quotes=path.stem in SHOWS_CODE)] == []


def out(text: str, kind: str = "") -> dict[str, Any]:
    return {"outputs": [{"data": {kind: [text]}} if kind else {"text": [text]}]}


@pytest.mark.parametrize(
    "text",
    [
        "beta = 2.8867513459481287 must be at most 1",
        "found 0.00012345678",
        "works at [0.05, 0.1, 0.2, 0.5]",
        "names: ['a', 'b', 'c']",
        "x = Fraction(1, 2)",
        "array([1., 2.])",
        "np.float64(0.5)",
        "<shbcore.proof.Line object at 0x7f>",
        "certified: True",
        "True",
        "a | nan",
        "on [0, infinity)",
    ],
)
def test_raw_output_is_found(text: str) -> None:
    assert raw(out(text))
    assert raw(out(escape(text), "text/html"))
    assert raw(out(text, "text/plain"))


def test_raw_cells_and_labels_are_found() -> None:
    assert raw(out("<table><tr><td>the energy</td><td>True</td></tr></table>", "text/html")) == ["| True"]
    assert raw(out("refused (lem:xdiff:non-smooth; K = 3)")) == ["lem:xdiff:non-smooth"]
    assert raw(out("<code>x = 0.123456789</code><script>0.123456789</script>", "text/html")) == []
    assert raw(out("0.0104648 <= 9/1250, 1e-10, 120000, None for the theorems, [0, 1], True for both starts")) == []


def _folded_code() -> Any:
    spec = importlib.util.spec_from_file_location("folded_code", ROOT / "book" / "_ext" / "folded_code.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@BY_NAME
def test_what_was_printed_is_set_as_lines_of_the_page(path: Path) -> None:
    spoken = _folded_code().spoken
    streams = ["".join(one["text"]) for cell in cells(path) for one in cell.get("outputs", []) if "text" in one]
    assert [text for text in streams if not spoken(text)] == []
    assert spoken("printed:  1\nrepaired: 2") == []


HINT = re.compile(r"\b(?:click|tap|hover|drag|slider|scroll)\w*|[▼▾▸]", re.IGNORECASE)
SCREEN = re.compile(r'<span class="screen-only">.*?</span>', re.DOTALL)
"""What the PDF leaves out (``scripts/make_pdf.py``)."""


def hints(text: str) -> list[str]:
    """Words that make no sense on paper and would be printed there."""
    return HINT.findall(SCREEN.sub("", text))


@pytest.mark.parametrize("path", [*NOTEBOOKS, *sorted((ROOT / "book").glob("*.md"))], ids=lambda path: path.name)
def test_what_makes_sense_on_a_screen_only_is_marked(path: Path) -> None:
    prose = (
        [path.read_text("utf-8")]
        if path.suffix == ".md"
        else ["".join(one["source"]) for one in cells(path) if one["cell_type"] == "markdown"]
    )
    assert [found for text in prose for found in hints(text)] == []


def test_a_hint_that_is_not_marked_is_found() -> None:
    assert hints("The margin; click it.") == ["click"]
    assert hints('The margin<span class="screen-only">; click it</span>. Hovering shows it.') == ["Hovering"]
    assert hints('The margin<span class="screen-only">; click it</span>.') == []
