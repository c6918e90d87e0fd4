"""What the tests in a browser share: a desk, a phone, what is seen there, and a place for a page that is broken on purpose."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Browser
from looking import BOOK, Seen, remembering


@pytest.fixture(scope="session")
def desk() -> Iterator[Browser]:
    with Browser(1400, 900) as browser:
        yield browser


@pytest.fixture(scope="session")
def phone() -> Iterator[Browser]:
    with Browser(390, 844) as browser:
        browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
        browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
        yield browser


@pytest.fixture(scope="session")
def on_desk(desk: Browser) -> Seen:
    """What is seen of a page of the book at the desk; it is opened once."""
    return remembering(desk)


@pytest.fixture(scope="session")
def on_phone(phone: Browser) -> Seen:
    """What is seen of a page of the book on the phone; it is opened once."""
    return remembering(phone)


@pytest.fixture
def broken(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A place beside the built pages for a page that is broken on purpose."""
    path = BOOK / f"zz_broken_{request.module.__name__}.html"
    yield path
    path.unlink(missing_ok=True)
