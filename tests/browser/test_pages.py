"""The built book in a real browser: formulas are set, pages fit a phone, nothing is reported broken, no other host is asked.

Run after `make book`, by `.ci/run`, or with `python -m pytest tests/browser`.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from self_contained import foreign_requests

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
CHAPTERS = sorted(path.relative_to(HTML).as_posix() for path in (HTML / "book").glob("*.html"))
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *("--allow-file-access-from-files", "--virtual-time-budget=20000", "--host-resolver-rules=MAP * ~NOTFOUND"),
)
RAW_TEX = re.compile(r"\\\(|\\\[|\\begin\{|\\(?:norm|inner|proj|xbar|frac|alpha|beta)\b")


def browse(page: str, profile: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Open one built page in a fresh profile and return what the browser wrote."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "chromium is needed for these tests; .ci/run installs it"
    command = [chromium, *FLAGS, f"--user-data-dir={profile}", "--enable-logging=stderr", "--v=0", *options]
    return subprocess.run([*command, (HTML / page).as_uri()], capture_output=True, text=True, check=True, timeout=120)


def width_on_a_phone(page: str, profile: Path) -> int:
    """How wide a page lays itself out in a window of 390 pixels."""
    frame = profile / "frame.html"
    frame.write_text(
        f"""<iframe id="page" src="{(HTML / page).as_uri()}" style="width: 390px; height: 900px; border: 0"></iframe><script>
        window.addEventListener("load", () => setTimeout(() => {{
            document.title = "width " + document.getElementById("page").contentDocument.documentElement.scrollWidth;
        }}, 6000))</script>"""
    )
    found = re.search(r"<title>width (\d+)</title>", browse(frame.as_posix(), profile / "data", "--dump-dom").stdout)
    assert found is not None, "the page could not be measured"
    return int(found.group(1))


def visible_text(dom: str) -> str:
    """The text of the article as a reader sees it: without scripts, code, and what only assistive software reads."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(dom, "html.parser")
    article = soup.find("article")
    assert article is not None
    for tag in article.find_all(["script", "style", "pre", "code", "mjx-container", "mjx-assistive-mml"]):
        tag.decompose()
    return article.get_text(" ")


def test_the_book_was_built() -> None:
    assert "book/intro.html" in CHAPTERS, "run make book first"
    assert "book/algorithm.html" in CHAPTERS


def test_no_page_asks_another_host() -> None:
    assert foreign_requests(HTML) == []


@pytest.mark.parametrize("page", CHAPTERS)
def test_formulas_are_set_and_nothing_is_reported_broken(page: str, tmp_path: Path) -> None:
    run = browse(page, tmp_path, "--dump-dom")
    source = (HTML / page).read_text("utf-8")
    if 'class="math' in source:
        assert "<mjx-container" in run.stdout
    assert "data-mjx-error" not in run.stdout
    assert RAW_TEX.findall(visible_text(run.stdout)) == []
    complaints = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    assert [line for line in complaints if re.search(r"error|failed|refused|uncaught", line, re.IGNORECASE)] == []


@pytest.mark.parametrize("page", CHAPTERS)
def test_the_page_fits_a_phone(page: str, tmp_path: Path) -> None:
    assert width_on_a_phone(page, tmp_path) <= 390


def test_a_page_that_is_too_wide_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "wide.html"
    page.write_text("<!doctype html><div style='width: 700px'>wide</div>")
    assert width_on_a_phone(page.as_posix(), tmp_path) == 700 + 8


def test_unset_formulas_would_be_noticed(tmp_path: Path) -> None:
    source = (HTML / "book" / "algorithm.html").read_text("utf-8")
    assert RAW_TEX.findall(visible_text(source))
