"""Figures in a real browser: they follow the theme and the width of the screen, can be read on a phone, enlarged and printed.

Each kind of check is also shown to fail on a page that was broken on purpose.
"""

import base64
import io
import itertools
import re
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest
from chromium import Browser
from looking import BOOK, Seen, themed

PAGES = sorted(path.name for path in BOOK.glob("*.html") if "on-phone" in path.read_text("utf-8"))
WITH_SLIDERS = sorted(path.name for path in BOOK.glob("*.html") if "data-play=" in path.read_text("utf-8"))
LEAST = 9.5
SCALE = re.compile(r"scale\(([\d.]+) -[\d.]+\)")


def look(browser: Browser, page: Path | None, theme: str) -> list[Any]:
    """What each figure of a page, or of the one that is open, shows: class, address and width."""
    if page:
        browser.open(page)
    return themed(browser, theme)


def tones(browser: Browser) -> tuple[float, float, float]:
    """How bright the corner, the darkest and the lightest spot of the first figure are, from 0 to 1."""
    script = """(async () => { const [one] = [...document.querySelectorAll("figure img")].filter(img => img.offsetWidth);
        one.loading = "eager"; one.scrollIntoView({block: "start", behavior: "instant"}); await one.decode();
        await new Promise(done => setTimeout(done, 300)); const at = one.getBoundingClientRect();
        return [at.x + scrollX, at.y + scrollY, at.width, at.height] })()"""
    place = dict(zip(("x", "y", "width", "height"), browser.run(script), strict=True))
    picture = browser.call("Page.captureScreenshot", format="png", clip={**place, "scale": 1})["data"]
    grey = plt.imread(io.BytesIO(base64.b64decode(picture)))[..., :3].mean(axis=2)
    return float(grey[20, 20]), float(grey.min()), float(grey.max())


@pytest.mark.parametrize("page", PAGES)
def test_figures_follow_theme_and_screen_and_are_read_on_a_phone(on_desk: Seen, on_phone: Seen, page: str) -> None:
    for seen, kind in ((on_desk, "on-desk"), (on_phone, "on-phone")):
        for theme, figures in seen(page)["figures"].items():
            assert figures
            for (classes, address, width), *others in figures:
                assert others == []
                assert {kind, f"in-{theme}"} <= set(classes.split())
                assert address.endswith(f".svg#{theme}")
                assert 250 < width < 800
    assert {address: size for address, size in smallest(figures).items() if size < LEAST} == {}


def test_a_figure_has_the_background_of_the_page(desk: Browser, broken: Path) -> None:
    page = BOOK / "weak_convexity.html"
    desk.open(page)
    for _ in range(2):  # there and back, and again
        look(desk, None, "light")
        corner, darkest, _ = tones(desk)
        assert corner > 0.95
        assert darkest < 0.3
        look(desk, None, "dark")
        corner, _, lightest = tones(desk)
        assert corner < 0.15
        assert lightest > 0.7
    broken.write_text(page.read_text("utf-8").replace("svg#dark", "svg#light"), "utf-8")
    look(desk, broken, "dark")
    assert tones(desk)[0] > 0.95


def smallest(figures: list[Any]) -> dict[str, float]:
    """Pixels of the smallest letters of each figure, indices apart."""
    found = {}
    for (_, address, width), *_ in figures:
        text = (BOOK / address.partition("#")[0]).read_text("utf-8")
        box = re.search(r'viewBox="0 0 ([\d.]+)', text)
        assert box is not None
        sizes = [100 * float(one) for one in SCALE.findall(text)]
        if sizes:  # of a picture without axes all letters have a rim, and are outlines
            found[address] = min(sizes) * width / float(box.group(1))
    return found


def test_small_letters_would_be_noticed(phone: Browser, broken: Path) -> None:
    text = (BOOK / "weak_convexity.html").read_text("utf-8")
    broken.write_text(text.replace(".phone.svg", ".desk.svg"), "utf-8")
    assert min(smallest(look(phone, broken, "light")).values()) < LEAST


OPEN = "document.querySelector('dialog.large')?.open ?? null"
LARGE = "[...document.querySelectorAll('dialog.large img')].filter(one => one.offsetWidth).map(one => one.className)"


def press(browser: Browser, key: str) -> None:
    code = {"Escape": 27, "Enter": 13}[key]
    more = {"text": "\r"} if key == "Enter" else {}
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)


def test_a_figure_is_enlarged_and_closed_by_keyboard(desk: Browser) -> None:
    look(desk, BOOK / "weak_convexity.html", "dark")
    desk.run("document.querySelector('button.enlarge').focus(); true")
    press(desk, "Enter")
    assert desk.run(OPEN) is True
    (shown,) = desk.run(LARGE)
    assert "in-dark" in shown
    press(desk, "Escape")
    assert desk.run(OPEN) is False
    assert desk.run("document.activeElement.className") == "enlarge"


def test_a_tap_enlarges_a_figure_beyond_the_screen_and_a_tap_closes_it(phone: Browser) -> None:
    look(phone, BOOK / "weak_convexity.html", "light")
    phone.run("[...document.querySelectorAll('figure img')].find(one => one.offsetWidth).click(); true")
    assert phone.run(OPEN) is True
    assert (
        phone.run("[...document.querySelectorAll('dialog.large img')].find(one => one.offsetWidth).offsetWidth") > 700
    )
    phone.run("document.querySelector('dialog.large').click(); true")
    assert phone.run(OPEN) is False


def test_a_figure_that_cannot_be_enlarged_would_be_noticed(desk: Browser, broken: Path) -> None:
    text = (BOOK / "weak_convexity.html").read_text("utf-8")
    broken.write_text(text.replace("_static/book.js", "_static/none.js"), "utf-8")
    look(desk, broken, "light")
    assert desk.run("document.querySelectorAll('button.enlarge').length") == 0
    assert desk.run(OPEN) is None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_wide_light_figure_is_printed(phone: Browser, theme: str) -> None:
    phone.call("Emulation.setEmulatedMedia", media="print")
    try:
        figures = look(phone, BOOK / "weak_convexity.html", theme)
    finally:
        phone.call("Emulation.setEmulatedMedia", media="")
    assert all("on-desk in-light" in classes for ((classes, _, _),) in figures)


# --- pictures with sliders

TICKS = """[...document.querySelectorAll(".play svg")].map(svg => [...svg.querySelectorAll("text[text-anchor=end]:not(.name)")]
    .map(one => Number(one.textContent)))"""


def odd(ticks: list[float]) -> bool:
    """Whether the distances of ticks are none of 1, 2 and 5 times a power of ten."""
    steps = {f"{abs(b - a):.2e}" for a, b in itertools.pairwise(ticks)}
    return len(ticks) < 2 or len(steps) > 1 or steps.pop()[:4] not in ("1.00", "2.00", "5.00")


def odd_ticks(browser: Browser, page: Path) -> list[list[float]]:
    browser.open(page)
    drawn = list(browser.run(TICKS))
    assert drawn
    return [ticks for ticks in drawn if odd(ticks)]


@pytest.mark.parametrize("page", WITH_SLIDERS)
def test_ticks_are_round_and_letters_are_read(desk: Browser, phone: Browser, page: str) -> None:
    for browser in (desk, phone):
        assert odd_ticks(browser, BOOK / page) == []
        script = """[...document.querySelectorAll(".play svg text")].map(one => parseFloat(getComputedStyle(one).fontSize)
            * one.ownerSVGElement.clientWidth / one.ownerSVGElement.viewBox.baseVal.width)"""
        assert min(browser.run(script)) > 10
        inside = """[...document.querySelectorAll(".play svg text")].filter(one => { const box = one.getBBox();
            return box.x < 0 || box.x + box.width > one.ownerSVGElement.viewBox.baseVal.width }).map(one => one.textContent)"""
        assert browser.run(inside) == []


def test_odd_ticks_would_be_noticed(desk: Browser, broken: Path) -> None:
    text = (BOOK / WITH_SLIDERS[0]).read_text("utf-8")
    assert "round(y0, y1, 5)" in text
    broken.write_text(text.replace("round(y0, y1, 5)", "range(y0, y1, 8)"), "utf-8")
    assert odd_ticks(desk, broken) != []
