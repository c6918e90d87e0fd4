"""Pictures with sliders in a real browser: the formulas agree with the library, and a slider redraws the picture."""

import json
from pathlib import Path

import numpy as np
import play_inputs
import pytest
from chromium import Browser
from looking import BOOK

from shbcore.pages import play

COUNT = 1000


def evaluated(
    browser: Browser, rows: dict[str, list[list[float]]], folder: Path, damage: str = ""
) -> dict[str, list[float]]:
    """What the browser computes for each formula, after an optional change of the page's text."""
    text = play.piece("envelope").html
    if damage:
        assert damage in text
        text = text.replace(damage, damage + "1.001*")
    page = folder / "formulas.html"
    page.write_text(f'<!doctype html><meta charset="utf-8">{text}', encoding="utf-8")
    browser.open(page)
    each = "([name, all]) => [name, all.map(row => document.querySelector('.play').formulas[name](...row))]"
    return dict(browser.run(f"Object.fromEntries(Object.entries({json.dumps(rows)}).map({each}))"))


def drawn(count: int) -> dict[str, list[list[float]]]:
    """Random inputs of every formula."""
    return {key: play_inputs.inputs(key, tuple(map(str, one.arguments)), count) for key, one in play.formulas().items()}


def agree(name: str, found: list[float], rows: list[list[float]]) -> bool:
    """Whether the browser's numbers are the library's."""
    return np.allclose(found, [play_inputs.REFERENCE[name](*row) for row in rows], rtol=1e-9, atol=1e-9)


def test_the_browser_computes_what_the_library_computes(desk: Browser, tmp_path: Path) -> None:
    rows = drawn(COUNT)
    found = evaluated(desk, rows, tmp_path)
    assert [name for name in rows if not agree(name, found[name], rows[name])] == []


def test_a_wrong_formula_is_noticed(desk: Browser, tmp_path: Path) -> None:
    rows = drawn(20)
    found = evaluated(desk, rows, tmp_path, damage="step: (x, z, alpha) => (")
    assert [name for name in rows if not agree(name, found[name], rows[name])] == ["step"]


MOVE = """(root => {{ const picture = () => root.querySelector("svg").outerHTML.replace(/play-clip[^")]*/g, "");
    const before = picture(), input = root.querySelector("input[type=range]");
    const still = (input.dispatchEvent(new Event("input")), picture());
    input.value = 0.9; input.dispatchEvent(new Event("input"));
    return [before === still, before === picture(), root.querySelector(".play-says").textContent.length]
    }})(document.querySelector('.play[data-play="{}"]'))"""


@pytest.mark.parametrize("name", play.PIECES)
def test_a_slider_redraws_its_picture(desk: Browser, name: str) -> None:
    page = next(path for path in sorted(BOOK.glob("*.html")) if f'data-play="{name}"' in path.read_text("utf-8"))
    desk.open(page)
    still, unmoved, words = desk.run(MOVE.format(name))
    assert still
    assert not unmoved
    assert words > 40
