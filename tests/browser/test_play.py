"""Pictures with sliders in a real browser: the formulas agree with the library, and a slider redraws the picture."""

import html
import json
import re
from pathlib import Path

import numpy as np
import play_inputs
import pytest
from test_pages import HTML, browse

from shbcore.pages import play

COUNT = 1000


def evaluated(rows: dict[str, list[list[float]]], folder: Path, damage: str = "") -> dict[str, list[float]]:
    """What the browser computes for each formula, after an optional change of the page's text."""
    text = play.piece("envelope").html
    if damage:
        assert damage in text
        text = text.replace(damage, damage + "1.001*")
    script = f"""<pre id="out"></pre><script>
        const F = document.querySelector(".play").formulas, rows = {json.dumps(rows)};
        const of = ([name, all]) => [name, all.map((row) => F[name](...row))];
        document.getElementById("out").textContent = JSON.stringify(Object.fromEntries(Object.entries(rows).map(of)));</script>"""
    page = folder / "formulas.html"
    page.write_text(f'<!doctype html><meta charset="utf-8">{text}{script}', encoding="utf-8")
    found = re.search(r'<pre id="out">(.*?)</pre>', browse(page.as_posix(), folder / "profile", "--dump-dom").stdout)
    assert found is not None
    return dict(json.loads(html.unescape(found.group(1))))


def drawn(count: int) -> dict[str, list[list[float]]]:
    """Random inputs of every formula."""
    return {key: play_inputs.inputs(key, tuple(map(str, one.arguments)), count) for key, one in play.formulas().items()}


def agree(name: str, found: list[float], rows: list[list[float]]) -> bool:
    """Whether the browser's numbers are the library's."""
    return np.allclose(found, [play_inputs.REFERENCE[name](*row) for row in rows], rtol=1e-9, atol=1e-9)


def test_the_browser_computes_what_the_library_computes(tmp_path: Path) -> None:
    rows = drawn(COUNT)
    found = evaluated(rows, tmp_path)
    assert [name for name in rows if not agree(name, found[name], rows[name])] == []


def test_a_wrong_formula_is_noticed(tmp_path: Path) -> None:
    rows = drawn(20)
    found = evaluated(rows, tmp_path, damage="step: (x, z, alpha) => (")
    assert [name for name in rows if not agree(name, found[name], rows[name])] == ["step"]


@pytest.mark.parametrize("name", play.PIECES)
def test_a_slider_redraws_its_picture(name: str, tmp_path: Path) -> None:
    page = next(
        path for path in sorted((HTML / "book").glob("*.html")) if f'data-play="{name}"' in path.read_text("utf-8")
    )
    move = """<span id="out"></span><script>
        const root = document.querySelector('.play[data-play="NAME"]');
        const picture = () => root.querySelector("svg").outerHTML.replace(/play-clip[^")]*/g, "");
        const before = picture(), input = root.querySelector("input[type=range]");
        const still = (input.dispatchEvent(new Event("input")), picture());
        input.value = 0.9; input.dispatchEvent(new Event("input"));
        const words = root.querySelector(".play-says").textContent.length;
        document.getElementById("out").textContent = JSON.stringify([before === still, before === picture(), words]);
        </script>""".replace("NAME", name)
    copy = page.with_name(f"_play_{name}.html")
    copy.write_text(page.read_text("utf-8").replace("</body>", move + "</body>"), encoding="utf-8")
    try:
        found = re.search(r'<span id="out">(.*?)</span>', browse(f"book/{copy.name}", tmp_path, "--dump-dom").stdout)
    finally:
        copy.unlink()
    assert found is not None
    still, unmoved, words = json.loads(html.unescape(found.group(1)))
    assert still
    assert not unmoved
    assert words > 40
