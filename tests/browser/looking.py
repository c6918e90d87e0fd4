"""What is seen of a page in a browser: everything that a test of all pages asks is looked up at one visit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from chromium import Browser

BOOK = Path(__file__).resolve().parents[2] / "_build" / "html" / "book"
Seen = Callable[[str], dict[str, Any]]
WORDS = """(() => { const found = [], walk = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode())
        if (!walk.currentNode.parentElement.closest("script, style, pre, code, mjx-container")) found.push(walk.currentNode.data);
    return found.join(" ") })()"""
"""The text of a page as a reader sees it: without scripts, code and formulas that are set."""
CODE = "[...document.querySelectorAll('article div.cell_input')].filter(one => one.checkVisibility()).length"
ODD_FOLDS = """document.querySelectorAll("article details.hide").length
    + [...document.querySelectorAll("article details .cell_output")].filter(one => !one.closest(".sd-dropdown")).length"""
FIGURES = """[...document.querySelectorAll("figure")].map(one => [...one.querySelectorAll("img:is(.on-desk, .on-phone)")])
    .filter(all => all.length).map(all => all.filter(img => getComputedStyle(img).display !== "none")
    .map(img => [img.className, img.getAttribute("src"), img.getBoundingClientRect().width]))"""
"""What each figure shows: class, address and width."""
UNFOLD = """new Promise(done => {
    const folds = [...document.querySelectorAll("details:not([open])")];
    const end = () => requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
    let told = 0;
    document.addEventListener("toggle", () => { if (++told === folds.length) end(); }, true);
    for (const one of folds) one.open = true;
    if (!folds.length) end();
})"""
"""All folds are opened; the end is when each has said so and the page has been drawn twice."""
CUT = """[...document.querySelectorAll("article mjx-container[display='true']")].filter(one => one.clientWidth > 0
    && one.scrollWidth > one.clientWidth + 2)
    .map(one => [one.scrollWidth + " of " + one.clientWidth, one.classList.contains("more-right")])"""
"""Formulas that are cut, and whether they show that they go on."""
TABLES = """[...document.querySelectorAll("article table")].filter(one => one.getBoundingClientRect().width > 0
    && (one.scrollWidth > one.clientWidth + 3 || one.offsetWidth > one.parentElement.clientWidth + 3))
    .map(one => one.innerText.slice(0, 40))"""
"""Tables that are cut, by themselves or by what they stand in."""
LYING = """(() => { const all = [...document.querySelectorAll("article :is(details.code-fold > summary, button, a.sd-btn)")]
    .filter(one => one.checkVisibility()).map(one => [one, one.getBoundingClientRect()]).filter(([, at]) => at.width);
    const common = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
    const over = (a, b) => common(a, b, "left", "right") > 1 && common(a, b, "top", "bottom") > 1;
    return all.flatMap(([one, a], i) => all.slice(i + 1).filter(([two, b]) => !one.contains(two) && over(a, b))
        .map(([two]) => one.textContent.trim() + " on " + two.textContent.trim())) })()"""
"""Small buttons that lie on each other, while the folds are closed."""
FIRST_TIME = "Got invalid theme mode"
"""What the theme writes where no theme was chosen yet."""

# A formula in a sentence: the box of its signs ends inside the line, or the line scrolls and fades.
SENTENCES = """[...document.querySelectorAll(".bd-article mjx-container:not([display='true'])")].filter(one => {
    const math = one.querySelector("mjx-math"), block = one.closest("p, li, dd, td, th, caption, div");
    if (!math || !one.offsetWidth || one.closest(".more-right, .visually-hidden")) return false;
    const right = math.getBoundingClientRect().right;
    return right > one.getBoundingClientRect().right + 2 || right > block.getBoundingClientRect().right + 2;
}).map(one => Math.round(one.querySelector("mjx-math").getBoundingClientRect().width))"""

LONG_CODE = """[...document.querySelectorAll(".bd-article pre")].filter(one => one.clientWidth > 0
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

# The signs of a formula that was broken, in their order, are those of the whole one; a sign of multiplication may be new.
CHANGED = r"""(() => { const plain = tex => new DOMParser().parseFromString(MathJax.tex2mml(tex), "text/xml").documentElement.textContent
        .replace(/[\s\u2061-\u2064×]/g, "").replace(/[,.;:)\]?]+$/, "");
    const all = [...(window.MathJax?.startup?.document?.math ?? [])].filter(one => one.whole && one.math !== one.whole);
    return all.map(one => [plain(one.whole), plain(one.math)]).filter(([whole, rows]) => whole !== rows) })()"""


def themed(browser: Browser, theme: str) -> list[Any]:
    """What each figure of the open page shows in a theme."""
    browser.run(f"document.documentElement.dataset.theme = {theme!r}")
    return list(browser.run(FIGURES))


def look(browser: Browser, page: Path) -> dict[str, Any]:
    """Everything that is asked of a page, at one visit."""
    browser.open(page)
    first = {
        "formulas": "document.querySelectorAll('mjx-container').length",
        "unset": "document.querySelectorAll('[data-mjx-error], mjx-merror, mjx-mtext[style*=\"color: red\"]').length",
        "words": WORDS,
        "code": CODE,
        "odd folds": ODD_FOLDS,
        "lying": LYING,
        "width": "document.documentElement.scrollWidth",
    }
    found = {name: browser.run(script) for name, script in first.items()}
    found["figures"] = {theme: themed(browser, theme) for theme in ("dark", "light")}
    browser.run(UNFOLD)
    scripts = {
        "cut": CUT,
        "tables": TABLES,
        "sentences": SENTENCES,
        "long code": LONG_CODE,
        "brackets": BRACKETS,
        "changed": CHANGED,
    }
    found |= {name: browser.run(script) for name, script in scripts.items()}
    for theme in ("dark", "light"):
        themed(browser, theme)
        found[f"{theme} links"] = browser.run(LINKS)
    complaints = [one for one in browser.complaints if FIRST_TIME not in one]
    return {**found, "complaints": complaints}


def remembering(browser: Browser) -> Seen:
    """Looks at a page of the book when it is asked for the first time."""
    held: dict[str, dict[str, Any]] = {}

    def seen(page: str) -> dict[str, Any]:
        if page not in held:
            held[page] = look(browser, BOOK / page)
        return held[page]

    return seen
