"""What a reader does with the built book, in a real browser: previews, letters, ledger, map, numbers, formulas that fit.

Each kind of check is also shown to fail on a page that was broken on purpose.
"""

import re
from pathlib import Path

import pytest
from chromium import Browser
from looking import BOOK, CODE, UNFOLD

from shbcore.claims.registry import claims, tag

HTML = BOOK.parent


def where(browser: Browser, selector: str) -> dict[str, float]:
    """Bring something into view and say where it is."""
    look = "one => (one.scrollIntoView({block: 'center', behavior: 'instant'}), one.getBoundingClientRect().toJSON())"
    script = f"({look})(document.querySelector({selector!r}))"
    return dict(browser.run(script))


# --- previews and letters

SHOWN = "document.getElementById('preview')?.hidden === false"


def preview(browser: Browser, page: Path, selector: str) -> list[object] | None:
    """What the preview of a link shows: its text, whether a formula is set in it, and whether one is broken."""
    browser.open(page)
    browser.run(f"document.querySelector({selector!r}).focus(); true")
    assert browser.until("window.bookPreviews")
    if not browser.until(f"{SHOWN} && document.querySelector('#preview mjx-container')", 3):
        return None
    tip = "document.getElementById('preview')"
    return list(browser.run(f"[{tip}.textContent, {SHOWN}, {tip}.querySelectorAll('[data-mjx-error]').length > 0]"))


PREVIEWS = {
    "a statement": ("use_it.html", "article a[href*='#lem:Vfunc:non-smooth']", "Lemma 4"),
    "a formula": ("complexity.html", "article a[href*='#equation-eq-lem-vfunc']", "(11)"),
    "a symbol": ("intro.html", "article a[href*='#sym-rho']", "convex"),
    "an entry": ("complexity.html", "article a[href*='ledger.html#eq:thrm:1']", "wrong"),
}


@pytest.mark.parametrize("kind", PREVIEWS)
def test_a_reference_shows_what_it_refers_to(desk: Browser, kind: str) -> None:
    page, selector, words = PREVIEWS[kind]
    found = preview(desk, BOOK / page, selector)
    assert found is not None
    assert words in str(found[0])
    assert found[1:] == [True, False]


def test_a_preview_is_closed_by_escape_and_comes_by_hover(desk: Browser) -> None:
    assert preview(desk, BOOK / "intro.html", "article a[href*='#sym-rho']")
    desk.run("dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'})); true")
    assert desk.run("document.getElementById('preview').hidden") is True
    assert any(hovered(desk, "article a[href*='#sym-l']") for _ in range(5))  # what is still being set may move it away


def hovered(browser: Browser, selector: str) -> bool:
    """Whether a preview comes when the mouse goes to a link."""
    at = where(browser, selector)
    for by in (-40, 3):
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=at["x"] + by, y=at["y"] + by)
    return browser.until(SHOWN, 4)


def test_a_tap_shows_a_preview_and_does_not_leave_the_page(phone: Browser) -> None:
    phone.open(BOOK / "intro.html")
    assert phone.until("window.bookPreviews")
    at = where(phone, "article a[href*='#sym-rho']")
    spot = [{"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}]
    phone.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=spot)
    phone.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert phone.until(SHOWN)
    assert phone.run("location.pathname").endswith("intro.html")


def test_a_missing_preview_would_be_noticed(desk: Browser, broken: Path) -> None:
    text = (BOOK / "intro.html").read_text("utf-8")
    broken.write_text(text.replace("#sym-rho", "#sym-nothing"), "utf-8")
    assert preview(desk, broken, "article a[href*='#sym-nothing']") is None


def letters(browser: Browser, page: Path) -> str:
    browser.open(page)
    browser.run("document.querySelector('.letters-button').click(); true")
    assert browser.until("document.querySelector('ul.letters')?.textContent")
    return str(browser.run("document.querySelector('ul.letters').textContent"))


def test_a_statement_names_its_letters(desk: Browser, broken: Path) -> None:
    found = letters(desk, BOOK / "intro.html")
    assert all(words in found for words in ("Moreau envelope", "stepsize", "weight of the fresh subgradient"))
    text = (BOOK / "intro.html").read_text("utf-8")
    broken.write_text(text.replace(r"\beta", "b"), "utf-8")
    assert "weight of the fresh subgradient" not in letters(desk, broken)


def test_every_letter_that_the_script_knows_is_in_the_table_of_symbols() -> None:
    script = (HTML / "_static" / "book.js").read_text("utf-8")
    known = re.findall(r'\["(\w+)", /', script)
    table = (BOOK / "symbols.html").read_text("utf-8")
    assert len(known) > 20
    assert [name for name in known if f'id="sym-{name.lower()}"' not in table] == []


# --- the ledger

SEARCH = """(words => {{ const field = document.querySelector(".ledger-tools input"); field.value = words;
    field.dispatchEvent(new Event("input", {{bubbles: true}}));
    return [...document.querySelectorAll("table.ledger tbody[id]")].filter(one => !one.hidden).map(one => one.id) }})({!r})"""


def found_by(browser: Browser, words: str) -> list[str]:
    return list(browser.run(SEARCH.format(words)))


def test_a_search_finds_a_letter_in_each_spelling(desk: Browser) -> None:
    desk.open(BOOK / "ledger.html")
    for word, sign in (("gamma", "γ"), ("rho", "ρ"), ("xi", "ξ"), ("lambda", "λ")):
        found = found_by(desk, word)
        assert found == found_by(desk, sign) == found_by(desk, f"\\{word}")
        needed = [one.label for one in claims() if f"\\{word}" in one.title]
        assert set(needed) <= set(found)
        assert len(found) < len(claims())


def test_the_search_of_the_first_version_would_be_noticed(desk: Browser, broken: Path) -> None:
    text = (BOOK / "ledger.html").read_text("utf-8")
    script = (HTML / "_static" / "ledger.js").read_text("utf-8")
    old = re.sub(r"const plain = \(text\) => text[^;]*;", "const plain = (text) => text.toLowerCase();", script)
    assert old != script
    broken.write_text(
        re.sub(r'<script src="\.\./_static/ledger\.js"[^>]*></script>', lambda _: f"<script>{old}</script>", text),
        "utf-8",
    )
    desk.open(broken)
    assert found_by(desk, "gamma") != found_by(desk, "γ")


MOVED = """[...document.querySelectorAll("button.opens mjx-container")].filter(one => one.matches(".own-line")
    || Math.abs(one.querySelector("mjx-math").getBoundingClientRect().left - one.getBoundingClientRect().left) > 2).length"""


def test_letters_in_the_titles_of_the_ledger_stand_in_their_line_on_a_phone(phone: Browser, broken: Path) -> None:
    """A hanging indent of the title would move them away, or out of sight."""
    text = (BOOK / "ledger.html").read_text("utf-8")
    style = "<style>table.ledger button.opens mjx-container { text-indent: -1.1em !important }</style>"
    broken.write_text(text.replace("</head>", f"{style}</head>"), "utf-8")
    for page, condition in ((BOOK / "ledger.html", "=== 0"), (broken, "> 10")):
        phone.open(page)
        assert phone.until("document.querySelectorAll('button.opens mjx-container').length > 30")
        assert phone.until(f"{MOVED} {condition}")


def test_filters_and_search_stand_in_the_address_and_come_from_it(desk: Browser) -> None:
    desk.open((BOOK / "ledger.html").as_uri() + "?search=gamma&verdict=wrong")
    shown = "[...document.querySelectorAll('table.ledger tbody[id]')].filter(one => !one.hidden).map(one => one.id)"
    found = desk.run(shown)
    assert "lem:Vfunc:non-smooth/gamma" in found
    assert {one.as_printed for one in claims() if one.label in found} == {"wrong"}
    field = "document.querySelector('.ledger-tools [name=verdict]')"
    desk.run(f"{field}.value = 'false'; {field}.dispatchEvent(new Event('input', {{bubbles: true}})); true")
    assert desk.run("location.search") == "?search=gamma&verdict=false"


def test_a_link_to_an_entry_opens_it_over_the_whole_width(desk: Browser) -> None:
    desk.open((BOOK / "ledger.html").as_uri() + "#eq:znorm")
    box = "document.getElementById('eq:znorm').querySelector('tr.more td').getBoundingClientRect().width"
    whole = "document.querySelector('table.ledger').getBoundingClientRect().width"
    assert desk.run(f"{box} / {whole}") > 0.95
    assert desk.run("document.querySelectorAll('tr.more ul.evidence li').length") > len(claims())
    assert desk.run("getComputedStyle(document.getElementById('eq:thrm:1').querySelector('tr.more')).display") == "none"


# --- the map

PIN = """(name => { const node = document.querySelector(`.map-wide a.node[aria-label^="${name}"]`);
    node.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
    const svg = node.closest("svg");
    return [svg.classList.contains("pinned"), [...svg.querySelectorAll("a.node.on")].map(one => one.getAttribute("href")),
            svg.querySelectorAll("a.node").length, location.pathname] })"""


LISTED = """[...document.querySelectorAll(".map-panel ul")].map(list => [list.previousElementSibling.textContent,
    [...list.querySelectorAll("a")].map(one => one.getAttribute("href"))])"""


def test_a_click_on_the_map_pins_what_a_claim_rests_on(desk: Browser) -> None:
    desk.open(BOOK / "map.html")
    pinned, kept, nodes, path = desk.run(f'{PIN}("Theorem 1")')
    assert pinned
    assert "ledger.html#lem:xdiff:non-smooth" in kept
    assert 5 < len(kept) < nodes
    assert str(path).endswith("map.html")
    assert (
        desk.run("document.querySelector('.map-panel a').getAttribute('href')")
        == "ledger.html#thrm:non-smooth:complexity"
    )
    assert desk.run("getComputedStyle(document.querySelector('svg.pinned a.node:not(.on)')).opacity") < "0.5"
    desk.run("dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'})); true")
    assert desk.run("document.querySelectorAll('svg.pinned').length") == 0


def test_a_pinned_claim_lists_what_it_rests_on_and_what_needs_it(desk: Browser, phone: Browser) -> None:
    for browser in (desk, phone):
        browser.open((BOOK / "map.html").as_uri() + "#map-lem:Wfunc:smooth")
        assert browser.until(f"{LISTED}.length")
        found = dict(browser.run(LISTED))
        assert "ledger.html#lem:z:diff" in found["Rests on"]
        assert "ledger.html#assumption:A3" in {*found["Rests on"], *found["and through these on"]}
        assert "ledger.html#thrm:smooth:unconstrained:complexity" in found["Needed by"]
        assert "ledger.html#thrm:non-smooth:complexity" not in found["Needed by"]
        seen = "document.querySelector('.map-panel:not(:empty)').getBoundingClientRect().bottom <= innerHeight"
        assert browser.run(seen) is True
    desk.open("about:blank")
    desk.open((BOOK / "map.html").as_uri() + "#map-no:such:claim")
    assert not desk.until(f"{LISTED}.length", 0.5)


THROUGH = """(() => { const found = [];
    for (const svg of document.querySelectorAll("svg.map")) {
        if (!svg.getBoundingClientRect().width) continue;
        const boxes = [...svg.querySelectorAll("a.node rect:not(.band)")].map(one => one.getBBox());
        for (const edge of svg.querySelectorAll(".edge")) for (let at = 0; at <= edge.getTotalLength(); at += 3) {
            const p = edge.getPointAtLength(at);
            const inside = b => p.x > b.x + 1 && p.x < b.x + b.width - 1 && p.y > b.y + 1 && p.y < b.y + b.height - 1;
            if (boxes.some(inside)) { found.push(edge); break; }
        } }
    return found.length })()"""


def test_no_edge_of_the_map_runs_through_a_box(desk: Browser, phone: Browser, broken: Path) -> None:
    for browser in (desk, phone):
        browser.open(BOOK / "map.html")
        browser.run(UNFOLD)
        assert browser.run(THROUGH) == 0
    text = (BOOK / "map.html").read_text("utf-8")
    broken.write_text(re.sub(r'(<path class="edge"[^>]* d=")[^"]*', r"\1M0 0L700 600", text), "utf-8")
    desk.open(broken)
    assert desk.run(THROUGH) > 0


def test_a_map_without_its_script_would_be_noticed(desk: Browser, broken: Path) -> None:
    text = (BOOK / "map.html").read_text("utf-8")
    broken.write_text(text.replace("_static/map.js", "_static/none.js"), "utf-8")
    desk.open(broken)
    stay = PIN.replace(
        "node.dispatchEvent", 'node.removeAttribute("href"); node.dispatchEvent'
    )  # the link would be followed
    assert desk.run(f'{stay}("Theorem 1")[0]') is False


def test_no_label_of_the_map_leaves_its_box(desk: Browser, broken: Path) -> None:
    wide = """[...document.querySelectorAll(".map-wide a.node")].filter(node => { const box = node.querySelector("rect").getBBox();
        const right = text => text.getBBox().x + text.getBBox().width;
        return box.width > 0 && [...node.querySelectorAll("text")].some(text => right(text) > box.x + box.width) }).length"""
    desk.open(BOOK / "map.html")
    desk.run(UNFOLD)
    assert desk.run(wide) == 0
    text = (BOOK / "map.html").read_text("utf-8")
    broken.write_text(
        text.replace("Progress of one step</text>", "Progress of one step, at considerable length</text>"), "utf-8"
    )
    desk.open(broken)
    assert desk.run(wide) > 0


# --- the front page and the paper line by line


def test_the_front_page_answers_above_the_fold(desk: Browser) -> None:
    desk.open(BOOK / "intro.html")
    seen = "['.numbers', 'dl.strip', '.admonition.statement'].map(one => document.querySelector(one).getBoundingClientRect().bottom)"
    assert max(desk.run(seen)) < 900
    assert desk.run("document.querySelectorAll('dl.strip a').length") == sum(not one.own for one in claims())
    words = desk.run("document.querySelector('article').innerText")
    assert all(part in words for part in ("ICML 2020", "arXiv:2002.05466", "defects", "rates change"))
    assert "https://arxiv.org/abs/2002.05466" in desk.run(
        "[...document.querySelectorAll('article a')].map(one => one.href)"
    )


LOOKS = """[...document.querySelectorAll(".strip-key .square")].map(one => { const style = getComputedStyle(one);
    const filled = style.backgroundColor !== "rgba(0, 0, 0, 0)", cuts = style.backgroundImage.split("linear").length;
    return [one.className, [cuts, filled, style.borderTopStyle, style.borderTopWidth].join()] })"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_verdict_can_be_told_without_its_colour(desk: Browser, broken: Path, theme: str) -> None:
    def alike() -> int:
        desk.run(f"document.documentElement.dataset.theme = '{theme}'; true")
        found = [shape for _, shape in desk.run(LOOKS)]
        return len(found) - len(set(found))

    desk.open(BOOK / "intro.html")
    assert len(desk.run(LOOKS)) == 7
    assert alike() == 0
    text = (BOOK / "intro.html").read_text("utf-8")
    broken.write_text(
        text.replace("</head>", "<style>.square.open { border: 4.5px solid #ccc !important }</style></head>")
    )
    desk.open(broken)
    assert alike() > 0


def test_the_squares_wrap_on_a_phone(phone: Browser, broken: Path) -> None:
    right = "Math.max(...[...document.querySelectorAll('dl.strip a')].map(one => one.getBoundingClientRect().right))"
    phone.open(BOOK / "intro.html")
    assert phone.run(right) <= 390
    text = (BOOK / "intro.html").read_text("utf-8")
    broken.write_text(text.replace("</head>", "<style>dl.strip dd { flex-wrap: nowrap !important }</style></head>"))
    phone.open(broken)
    assert phone.run(right) > 390


ANSWERS = {
    "Is its proof right?": "line-lem:Vfunc:non-smooth",
    "What does Theorem 3 rest on?": "map-thrm:smooth:unconstrained:complexity",
    "Where is a given line": "line-eq:znorm/b",
}


@pytest.mark.parametrize("question", ANSWERS)
def test_a_newcomer_is_one_click_from_the_answer(desk: Browser, question: str) -> None:
    desk.open(BOOK / "intro.html")
    row = f"[...document.querySelectorAll('article li')].find(one => one.textContent.includes({question!r}))"
    links = f"[...{row}.querySelectorAll('a')].map(one => one.href)"
    (address,) = (one for one in desk.run(links) if one.endswith(ANSWERS[question]))
    desk.open(address)
    if "#map" in address:
        assert desk.until("document.querySelector('.map-panel:not(:empty)')?.textContent.includes('Theorem 3')")
    else:
        top = f"document.getElementById({ANSWERS[question]!r}).getBoundingClientRect().top"
        assert desk.until(f"0 <= {top} && {top} < 400", 60)


# --- tables on a phone


def test_a_stacked_row_has_all_columns_each_behind_its_head(phone: Browser) -> None:
    phone.open(BOOK / "symbols.html")
    row = "document.getElementById('sym-beta').closest('tr')"
    assert phone.until(f"{row}.closest('table').classList.contains('stacked')")
    words = str(phone.run(f"{row}.innerText"))
    parts = ("in shbcore", "weight of the fresh subgradient", "explained in", "The algorithm")
    assert [part for part in parts if part not in words] == [], words


def test_what_is_to_be_cited_can_be_copied(desk: Browser) -> None:
    desk.open(BOOK / "use_it.html")
    assert desk.until("document.querySelectorAll('.highlight-bibtex button.copybtn').length === 1")


def numbers_of(browser: Browser, page: Path) -> list[str]:
    browser.open(page)
    return list(
        browser.run("[...document.querySelectorAll('div.proof .caption-number')].map(one => one.textContent.trim())")
    )


def test_lemmas_and_displays_carry_the_numbers_of_the_paper(desk: Browser, broken: Path) -> None:
    assert "Lemma 3" in numbers_of(desk, BOOK / "one_step.html")
    assert "Lemma 4" in numbers_of(desk, BOOK / "lyapunov_V.html")
    assert "Theorem 1" in numbers_of(desk, BOOK / "complexity.html")
    assert desk.run("document.querySelector('#equation-eq-thrm-1 .eqno').textContent").startswith("(12)")
    text = (BOOK / "one_step.html").read_text("utf-8")
    broken.write_text(re.sub(r"Lemma 3 *</span>", "Lemma 5.1 </span>", text), "utf-8")
    assert "Lemma 3" not in numbers_of(desk, broken)


LINES = "[...document.querySelectorAll('.line:not([hidden])')]"


def test_the_paper_line_by_line_has_every_line_and_each_leads_to_its_entry(desk: Browser) -> None:
    desk.open(BOOK / "line_by_line.html")
    ids = desk.run("[...document.querySelectorAll('.line, .line > span')].map(one => one.id.slice(5)).filter(Boolean)")
    expected = {one.label: one for one in claims() if not one.own}
    assert set(expected) <= set(ids)
    assert len(set(ids)) == len(ids)
    parts = "one.querySelector('.line-margin a').getAttribute('href'), one.querySelector('.badge-verdict').textContent"
    for label, href, verdict in desk.run(f"{LINES}.map(one => [one.id.slice(5), {parts}])"):
        if label in expected:
            assert verdict == tag(expected[label].as_printed)
        assert href.removeprefix("ledger.html#") in expected
    text = (BOOK / "ledger.html").read_text("utf-8")
    assert [label for label in expected if f'id="{label}"' not in text] == []


def test_a_line_is_found_by_number_label_or_letter(desk: Browser, broken: Path) -> None:
    desk.open((BOOK / "line_by_line.html").as_uri() + "?find=(24), line (b)")
    assert desk.run(f"{LINES}.map(one => one.id)") == ["line-eq:znorm/b"]
    find = """(words => {{ const field = document.querySelector(".line-nav input"); field.value = words;
        field.dispatchEvent(new Event("input", {{bubbles: true}})); return {lines}.map(one => one.id) }})({words!r})"""
    assert "line-eq:znorm" in desk.run(find.format(lines=LINES, words="eq:znorm"))
    assert desk.run("decodeURIComponent(location.search)") == "?find=eq:znorm"
    greek = [desk.run(find.format(lines=LINES, words=words)) for words in ("gamma", "γ", "\\\\gamma")]
    assert "line-lem:Vfunc:non-smooth/gamma" in greek[0]
    assert len(greek[0]) < 60
    text = (BOOK / "line_by_line.html").read_text("utf-8")
    broken.write_text(text.replace("_static/ledger.js", "_static/none.js"), "utf-8")
    desk.open(broken.as_uri() + "?find=(24), line (b)")
    assert len(desk.run(f"{LINES}.map(one => one.id)")) > 100


def test_a_filter_leaves_the_lines_that_are_not_true(desk: Browser, broken: Path) -> None:
    text, script = (BOOK / "line_by_line.html").read_text("utf-8"), (HTML / "_static" / "ledger.js").read_text("utf-8")
    without = script.replace("|| (only.checked && one.matches(", "|| (false && one.matches(")
    assert without != script
    broken.write_text(
        re.sub(r'<script src="../_static/ledger.js"[^>]*>', lambda _: f"<script>{without}", text), "utf-8"
    )
    shown = f"{LINES}.map(one => one.querySelector('.badge-verdict').textContent)"
    rows = sum(one.defective and not one.own for one in claims())
    for page, works in ((BOOK / "line_by_line.html", True), (broken, False)):
        desk.open(page.as_uri() + "?only=not-true")
        found = desk.run(shown)
        assert (not {"true", "not judged"} & set(found)) is works
        assert (
            rows - 10 < len(found) < rows + 10
        ) is works  # a lemma and its display are one row, lettered steps have their own
        desk.run("document.querySelector('.line-nav [name=only]').click(); true")
        assert {"true", "not judged"} < set(desk.run(shown))
        assert "only" not in desk.run("location.search")


STRIP = """(scrollTo({top: 3000, behavior: "instant"}), new Promise(go => requestAnimationFrame(() => go(
    document.querySelector(".line-nav").getBoundingClientRect().top
        - document.querySelector(".bd-header-article").getBoundingClientRect().bottom))))"""


def test_no_text_is_seen_between_the_head_of_the_page_and_the_field(
    desk: Browser, phone: Browser, broken: Path
) -> None:
    text = (BOOK / "line_by_line.html").read_text("utf-8")
    broken.write_text(text.replace("</head>", "<style>.line-nav { top: 4rem !important; }</style></head>"), "utf-8")
    for browser in (desk, phone):
        browser.open(BOOK / "line_by_line.html")
        assert -4 < browser.run(STRIP) <= 0
        browser.open(broken)
        assert browser.run(STRIP) > 4


def test_a_link_to_a_line_arrives_there_when_the_formulas_are_set(desk: Browser) -> None:
    top = "document.getElementById('line-eq:proof:thrm:3:evn:5').getBoundingClientRect().top"
    for place, there in (("line-eq:proof:thrm:3:evn:5", True), ("line-no:such:line", False)):
        desk.open((BOOK / "line_by_line.html").as_uri() + f"?#{place}")
        assert desk.until(f"0 <= {top} && {top} < 400", 20 if there else 1) is there
        desk.open("about:blank")


# --- code, statements, phones

CHIPS = "[...document.querySelectorAll('details.code-fold')]"


def bare_code(browser: Browser, page: Path) -> int:
    """How many code cells of a page are seen without asking for them."""
    browser.open(page)
    return int(browser.run(CODE))


def test_one_switch_opens_all_code_and_the_browser_remembers(desk: Browser, broken: Path) -> None:
    assert bare_code(desk, BOOK / "lyapunov_V.html") == 0
    assert desk.until("document.querySelector('.code-switch')")
    desk.run("document.querySelector('.code-switch').focus(); 1")
    for kind in ("keyDown", "keyUp"):
        desk.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    assert desk.run(f"{CHIPS}.length > 5 && {CHIPS}.every(one => one.open)")
    assert desk.run("document.querySelector('.code-switch').getAttribute('aria-pressed')") == "true"
    desk.open(BOOK / "one_step.html")
    assert desk.run(f"{CHIPS}.every(one => one.open)")
    desk.run("document.querySelector('.code-switch').click(); 1")
    desk.open(BOOK / "lyapunov_V.html")
    assert desk.run(f"{CHIPS}.some(one => one.open)") is False
    text = (BOOK / "one_step.html").read_text("utf-8")
    deny = "<script>Object.defineProperty(window, 'localStorage', {get() { throw new Error('forbidden') }})</script>"
    broken.write_text(text.replace("<head>", f"<head>{deny}", 1), "utf-8")
    desk.open(broken)
    desk.run("document.querySelector('.code-switch').click(); 1")
    assert desk.run(f"{CHIPS}.every(one => one.open)")
    broken.write_text(text.replace("_static/book.js", "_static/none.js"), "utf-8")
    assert bare_code(desk, broken) == 0  # closed without a script, too


BEYOND = """[...document.querySelectorAll("article div.proof:not([class='proof admonition']) mjx-container[display='true']")]
    .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 2).length"""
SMALLER = """[...document.querySelectorAll("article div.proof mjx-container[display='true']")].filter(one => one.checkVisibility() &&
    parseFloat(getComputedStyle(one).fontSize) < 0.85 * parseFloat(getComputedStyle(
        one.closest("div.proof").querySelector("p mjx-container:not([display])") ?? one).fontSize)).length"""


@pytest.mark.parametrize("page", ["lyapunov_V", "complexity", "smooth_constrained", "smooth_unconstrained", "one_step"])
def test_a_statement_keeps_its_constant_on_a_phone(phone: Browser, broken: Path, page: str) -> None:
    phone.open(BOOK / f"{page}.html")
    assert phone.run(BEYOND) == 0
    assert phone.run(SMALLER) == 0
    phone.run(
        "document.querySelector(\"article div.proof mjx-container[display='true']\").style.fontSize = '80%'; true"
    )
    assert phone.run(SMALLER) == 1
    script = (
        (HTML / "_static" / "book.js")
        .read_text("utf-8")
        .replace("const breakLines = () => {", "const breakLines = () => { return;")
    )
    text = (BOOK / f"{page}.html").read_text("utf-8")
    broken.write_text(
        re.sub(r'<script src="\.\./_static/book\.js[^>]*></script>', lambda _: f"<script>{script}</script>", text),
        "utf-8",
    )
    phone.open(broken)
    assert phone.run(BEYOND) > 0


OWN = re.compile(r'<span class="caption-number">(?!Fig)[A-Z][a-z]+ (\d+)\.(\d+) *</span>')


def missing(text: str) -> list[str]:
    """Numbers of own results on a page that are not the next ones."""
    found = OWN.findall(text)
    return [f"{chapter}.{number}" for n, (chapter, number) in enumerate(found, 1) if int(number) != n]


def test_own_results_are_numbered_without_a_hole() -> None:
    pages = {page.stem: page.read_text("utf-8") for page in BOOK.glob("*.html")}
    assert sum(len(OWN.findall(text)) for text in pages.values()) > 40
    assert {name: found for name, text in pages.items() if (found := missing(text))} == {}
    assert missing(OWN.sub("", pages["one_step"], count=1)) != []
