"""Every page on a phone, with all its folds open: what goes on says so, brackets fit, links can be read.

Each check is also shown to fail on a page that was broken on purpose.
"""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from chromium import Browser

HTML = Path(__file__).resolve().parents[2] / "_build" / "html"
BOOK = HTML / "book"
PAGES = sorted(path.name for path in BOOK.glob("*.html") if not path.name.startswith("zz_"))
# All folds are opened; the end is when each has said so and the page has been drawn twice.
UNFOLD = """new Promise(done => {
    const folds = [...document.querySelectorAll("details:not([open])")];
    const end = () => requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
    let told = 0;
    document.addEventListener("toggle", () => { if (++told === folds.length) end(); }, true);
    for (const one of folds) one.open = true;
    if (!folds.length) end();
})"""

# A formula in a sentence: the box of its signs ends inside the line, or the line scrolls and fades.
SENTENCES = """[...document.querySelectorAll(".bd-article mjx-container:not([display='true'])")].filter(one => {
    const math = one.querySelector("mjx-math"), block = one.closest("p, li, dd, td, th, caption, div");
    if (!math || !one.offsetWidth || one.closest(".more-right, .visually-hidden")) return false;
    const right = math.getBoundingClientRect().right;
    return right > one.getBoundingClientRect().right + 2 || right > block.getBoundingClientRect().right + 2;
}).map(one => Math.round(one.querySelector("mjx-math").getBoundingClientRect().width))"""

CODE = """[...document.querySelectorAll(".bd-article pre")].filter(one => one.clientWidth > 0
    && one.scrollWidth > one.clientWidth + 3 && !one.classList.contains("more-right")).map(one => one.textContent.slice(0, 40))"""

# The signs of a formula that was broken, in their order, beside those that are read aloud: each bracket is as high as its partner.
BRACKETS = r"""[...document.querySelectorAll(".bd-article mjx-container")].flatMap(one => {
    const said = [...one.querySelectorAll("mjx-assistive-mml mo")], shown = [...one.querySelectorAll("mjx-math mjx-mo:not(mjx-surd *)")];
    if (!one.querySelector("mjx-mtable") || !one.clientWidth) return [];
    if (said.length !== shown.length) return [`${said.length} signs are said and ${shown.length} are shown`];
    const open = [], uneven = [];
    said.forEach((sign, i) => {
        const text = sign.textContent.trim(), high = shown[i].getBoundingClientRect().height;
        if (/^[(\[{]$/.test(text)) open.push(high);
        if (!/^[)\]}]$/.test(text) || !open.length) return;
        const partner = open.pop();
        if (Math.abs(partner - high) > 1) uneven.push([partner, high]);
    });
    return uneven.map(pair => pair.map(Math.round).join(" and "));
})"""

# The contrast of each link with what lies behind it, by the formula of the W3C.
LINKS = r"""(() => {
    const parts = text => { const found = text.match(/[\d.]+/g).map(Number), unit = text.startsWith("color(") ? 255 : 1;
        return [...found.slice(0, 3).map(one => one * unit), found[3] ?? 1]; };
    const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const linear = one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
    const light = colour => { const [r, g, b] = colour.map(one => linear(one / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const known = new Map([[null, [255, 255, 255, 1]]]);
    const behind = one => {
        if (!known.has(one)) known.set(one, over(parts(getComputedStyle(one).backgroundColor), behind(one.parentElement)));
        return known.get(one); };
    const weak = new Set();
    for (const one of document.querySelectorAll(".bd-article a[href]:not(.sd-btn), .bd-article button.opens")) {
        if (!one.checkVisibility() || !one.textContent.trim() || one.closest("svg")) continue;
        const below = behind(one), pair = [light(over(parts(getComputedStyle(one).color), below)), light(below)].sort((a, b) => b - a);
        const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
        if (contrast < 4.5) weak.add(`${contrast.toFixed(2)}: ${one.textContent.trim().slice(0, 30)}`);
    }
    return [...weak];
})()"""


def poll(browser: Browser, script: str, good: Any) -> Any:
    """The value of a script as soon as it is what is wanted; if that never happens, its last value."""
    end = time.monotonic() + 20
    while (value := browser.run(script)) != good and time.monotonic() < end:
        time.sleep(0.05)
    return value


def some(browser: Browser, script: str) -> bool:
    """Whether a list of faults comes to have something in it."""
    return poll(browser, f"({script}).length > 0", True) is True


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
def test_a_page_can_be_read_on_a_phone(phone: Browser, page: str) -> None:
    unfolded(phone, BOOK / page)
    for check in (SENTENCES, CODE, BRACKETS):
        assert poll(phone, check, []) == []
    for theme in ("light", "dark"):
        phone.run(f"document.documentElement.dataset.theme = '{theme}'; true")
        assert poll(phone, LINKS, []) == []


def test_a_sentence_that_is_cut_would_be_noticed(phone: Browser, broken: Path) -> None:
    unfolded(phone, altered(broken, "what_momentum_costs.html", "breakLines();\n    fit();", ""))
    assert some(phone, SENTENCES)


def test_a_formula_that_cannot_be_broken_fades_and_takes_its_comma_along(phone: Browser, broken: Path) -> None:
    product = " ".join(["x_k"] * 40)
    text = (BOOK / "use_it.html").read_text("utf-8")
    words = f"<p id=long>Here \\\\({product}\\\\), and so on. There \\\\({product} + {product}\\\\).</p>"
    broken.write_text(re.sub(r"(<article[^>]*>)", rf"\1{words}", text), "utf-8")
    phone.open(broken)
    own = "[...document.querySelectorAll('#long mjx-container')].map(one => [one.matches('.own-line'), one.matches('.more-right')])"
    assert poll(phone, own, [[True, True], [True, True]]) == [[True, True], [True, True]]
    shown = "[...document.querySelectorAll('#long .after-formula')].map(one => one.checkVisibility())"
    assert phone.run(shown) == [False, False]
    assert phone.run("document.querySelector('#long mjx-assistive-mml').textContent").endswith(",")
    phone.run("document.querySelectorAll('#long .more-right').forEach(one => one.classList.remove('more-right')); true")
    assert len(phone.run(SENTENCES)) == 2


def test_code_that_is_cut_would_be_noticed(phone: Browser, broken: Path) -> None:
    unfolded(phone, altered(broken, "verify_your_own.html", ".bd-article pre, ", ""))
    assert some(phone, CODE)


def test_uneven_brackets_would_be_noticed(phone: Browser, broken: Path) -> None:
    unfolded(phone, altered(broken, "what_momentum_costs.html", "`\\\\${size}r$", "`\\\\bigr$"))
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
    assert poll(phone, f"{broken_ones} > 3 && document.querySelectorAll('.own-line').length > 0", True) is True
    size: dict[str, Any] = {"height": 844, "deviceScaleFactor": 2, "mobile": True}
    try:
        phone.call("Emulation.setDeviceMetricsOverride", width=1400, **size)
        assert poll(phone, broken_ones, 0) == 0
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
