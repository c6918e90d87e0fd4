"""Every page on a phone, with all its folds open: what goes on says so, brackets fit, links can be read.

Each check is also shown to fail on a page that was broken on purpose.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from chromium import Browser
from looking import BOOK, BRACKETS, CHANGED, CUT, LINKS, LONG_CODE, SENTENCES, UNFOLD, Seen

HTML = BOOK.parent
PAGES = sorted(path.name for path in BOOK.glob("*.html"))
KINDS = ("sentences", "long code", "brackets", "changed", "light links", "dark links")


def some(browser: Browser, script: str) -> bool:
    """Whether a list of faults comes to have something in it."""
    return browser.until(f"({script}).length > 0")


def unfolded(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run(UNFOLD)


def altered(broken: Path, page: str, old: str, new: str) -> Path:
    """A page whose script is another one."""
    script = (HTML / "_static" / "book.js").read_text("utf-8")
    assert old in script
    script = script.replace(old, new)
    text = (BOOK / page).read_text("utf-8")
    changed = re.sub(
        r'<script src="\.\./_static/book\.js[^"]*"[^>]*></script>', lambda _: f"<script>{script}</script>", text
    )
    assert changed != text
    broken.write_text(changed, "utf-8")
    return broken


@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_read_on_a_phone(on_phone: Seen, page: str) -> None:
    assert {kind: found for kind in KINDS if (found := on_phone(page)[kind])} == {}


def test_a_sign_that_is_lost_where_a_formula_is_broken_would_be_noticed(phone: Browser, broken: Path) -> None:
    call = ": fill(pieces, Math.max(room,"
    page = altered(broken, "what_momentum_costs.html", call, call.replace("pieces", "pieces.slice(0, -1)"))
    unfolded(phone, page)
    assert some(phone, CHANGED)


def test_a_sentence_that_is_cut_would_be_noticed(phone: Browser, broken: Path) -> None:
    unfolded(phone, altered(broken, "weak_convexity.html", "breakLines();\n    fit();", ""))
    assert some(phone, SENTENCES)


def test_a_formula_that_cannot_be_broken_fades_and_takes_its_comma_along(phone: Browser, broken: Path) -> None:
    product = " ".join(["x_k"] * 40)
    text = (BOOK / "use_it.html").read_text("utf-8")
    words = f"<p id=long>Here \\\\({product}\\\\), and so on. There \\\\({product} + {product}\\\\).</p>"
    broken.write_text(re.sub(r"(<article[^>]*>)", rf"\1{words}", text), "utf-8")
    phone.open(broken)
    assert phone.until("document.querySelectorAll('#long mjx-container.own-line.more-right').length === 2")
    shown = "[...document.querySelectorAll('#long .after-formula')].map(one => one.checkVisibility())"
    assert phone.run(shown) == [False, False]
    assert phone.run("document.querySelector('#long mjx-assistive-mml').textContent").endswith(",")
    phone.run("document.querySelectorAll('#long .more-right').forEach(one => one.classList.remove('more-right')); true")
    assert len(phone.run(SENTENCES)) == 2


WIDE = r"\|\beta\left(\nabla f(x_{k+1})-\nabla f(x_k)\right)+\left(1-\beta\right)\left(d_{k+1}-d_k\right)\|^2"
WHOLE = r"\langle x_{k+1}-x_k+\alpha z_k,x_{k+1}-x_k+\alpha z_k-\alpha z_{k+1}\rangle"
SHOWN = "MathJax.startup.document.getMathItemsWithin([document.getElementById('wide')]).map(one => one.math)"


def of_formulas(broken: Path, *formulas: str) -> Path:
    """A page that begins with these formulas."""
    text = (BOOK / "use_it.html").read_text("utf-8")
    words = "<div id=wide>" + "".join(rf"<p>\[{one}\]</p>" for one in formulas) + "</div>"
    broken.write_text(re.sub(r"(<article[^>]*>)", lambda found: found[0] + words, text), "utf-8")
    return broken


def test_a_formula_is_broken_inside_of_brackets_only_where_it_must_be(phone: Browser, broken: Path) -> None:
    given = rf"b\le\mathbb{{E}}\left[{WIDE}\,\middle|\,\mathcal{{F}}_{{k-1}}\right]+c"
    phone.open(of_formulas(broken, rf"a=\|z_{{k+1}}\|^2-\|z_k\|^2+{WHOLE}", given))
    whole, opened = phone.run(SHOWN)
    assert whole.count("aligned") == opened.count("aligned") == 2
    assert WHOLE in whole
    assert WIDE not in opened
    assert phone.run(CUT) == []
    phone.open(altered(broken, broken.name, ": [false, true]) {", ": [true]) {"))
    assert WHOLE not in phone.run(SHOWN)[0]


def test_no_line_of_the_paper_is_cut(phone: Browser, on_phone: Seen, broken: Path) -> None:
    assert on_phone("line_by_line.html")["cut"] == []
    unfolded(phone, altered(broken, "line_by_line.html", "breakLines();\n    fit();", "fit();"))
    assert some(phone, CUT)


def test_code_that_is_cut_would_be_noticed(phone: Browser, broken: Path) -> None:
    page = altered(broken, "verify_your_own.html", ".bd-article pre, ", "")
    whole = "<style>.bd-content pre.cut { white-space: pre !important; }</style></head>"
    text = page.read_text("utf-8").replace("</head>", whole).replace("<pre>", "<pre class=cut>")
    page.write_text(text, "utf-8")
    unfolded(phone, page)
    assert some(phone, LONG_CODE)


def test_uneven_brackets_would_be_noticed(phone: Browser, broken: Path) -> None:
    page = of_formulas(broken, rf"b\le\left({WHOLE}+\frac{{a}}{{b}}\|z_k\|^2+{WHOLE}\right)+c")
    phone.open(page)
    assert phone.run(BRACKETS) == []
    phone.open(altered(broken, page.name, "`\\\\${size}r$", "`\\\\bigr$"))
    assert some(phone, BRACKETS)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_pale_link_would_be_noticed(phone: Browser, broken: Path, theme: str) -> None:
    text = (BOOK / "symbols.html").read_text("utf-8")
    pale = "<style>html[data-theme]:root:root { --pst-color-link: #528fe4 }</style></head>"
    broken.write_text(text.replace("</head>", pale), "utf-8")
    phone.open(broken)
    phone.run(f"document.documentElement.dataset.theme = '{theme}'; true")
    assert some(phone, LINKS)


def test_a_formula_is_whole_again_on_a_wide_window(phone: Browser) -> None:
    phone.open(BOOK / "smooth_unconstrained.html")
    broken_ones = "[...MathJax.startup.document.math].filter(one => one.whole && one.math !== one.whole).length"
    assert phone.until(f"{broken_ones} > 3 && document.querySelectorAll('.own-line').length > 0")
    size: dict[str, Any] = {"height": 844, "deviceScaleFactor": 2, "mobile": True}
    try:
        phone.call("Emulation.setDeviceMetricsOverride", width=1400, **size)
        assert phone.until(f"{broken_ones} === 0")
        assert phone.run("document.querySelectorAll('.own-line, .after-formula[hidden]').length") == 0
    finally:
        phone.call("Emulation.setDeviceMetricsOverride", width=390, **size)


# How often the page was measured, from the opening of all folds until each has said that it is open.
OPEN = """new Promise(done => {
    const ask = document.querySelectorAll.bind(document);
    let runs = 0, told = 0;
    document.querySelectorAll = words => { runs += words === ".bd-article table"; return ask(words); };
    const folds = [...ask("details:not([open])")];
    const end = () => requestAnimationFrame(() => requestAnimationFrame(() => done([folds.length, runs])));
    document.addEventListener("toggle", () => { if (++told === folds.length) end(); }, true);
    for (const one of folds) one.open = true;
})"""


def test_many_folds_are_measured_together(phone: Browser, broken: Path) -> None:
    phone.open(BOOK / "smooth_unconstrained.html")
    folds, runs = phone.run(OPEN)
    assert folds > 20
    assert 1 <= runs <= 3
    phone.open(altered(broken, "smooth_unconstrained.html", "const soon = ", "const soon = watch, later = "))
    folds, runs = phone.run(OPEN)
    assert runs >= folds
