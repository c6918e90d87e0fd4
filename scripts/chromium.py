"""A headless Chromium, spoken to over a pair of pipes: open a page, run a script in it, print it.  It asks no other host."""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
from fcntl import F_DUPFD, fcntl
from pathlib import Path
from typing import Any

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync", "--disable-quic"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *("--allow-file-access-from-files", "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"),
)

PATIENCE = 300  # seconds


class NoBrowser(Exception):
    """There is no Chromium, or it ended."""


def program() -> str:
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        raise NoBrowser("chromium is needed: install it (Debian: apt-get install chromium) or name one in CHROMIUM")
    return found


def complaint(event: dict[str, Any]) -> list[str]:
    """What an event of the protocol says that is broken on the page: a missing file, an error of a script."""
    about = event.get("params", {})
    match event.get("method"):
        case "Log.entryAdded" if about["entry"]["level"] == "error":
            return [f"{about['entry']['text']} {about['entry'].get('url', '')}"]
        case "Runtime.exceptionThrown":
            thrown = about["exceptionDetails"]
            return [str(thrown.get("exception", {}).get("description", thrown["text"]))]
        case "Runtime.consoleAPICalled" if about["type"] in ("error", "assert"):
            return [" ".join(str(one.get("value", one.get("description"))) for one in about["args"])]
    return []


class Browser:
    """One page of one browser; use it in a ``with`` statement."""

    def __init__(self, width: int = 1200, height: int = 900) -> None:
        self.window = f"--window-size={width},{height}"

    def __enter__(self) -> "Browser":
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        hear, self.say = os.pipe()
        self.hear, say = os.pipe()
        hear, say = fcntl(hear, F_DUPFD, 10), fcntl(say, F_DUPFD, 10)  # out of the way of 3 and 4

        def connect() -> None:  # Chromium reads from 3 and writes to 4
            os.dup2(hear, 3)
            os.dup2(say, 4)

        self.process = subprocess.Popen(
            [program(), *FLAGS, self.window, f"--user-data-dir={self.profile.name}"],
            preexec_fn=connect,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(hear)
        os.close(say)
        self.rest, self.numbers, self.session = b"", itertools.count(1), ""
        self.complaints: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self.call(f"{part}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.say)
        os.close(self.hear)
        self.profile.cleanup()

    def message(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            if not select.select([self.hear], [], [], PATIENCE)[0]:
                raise NoBrowser(f"chromium said nothing for {PATIENCE} s")
            piece = os.read(self.hear, 1 << 20)
            if not piece:
                raise NoBrowser("chromium ended before its work was done")
            self.rest += piece
        text, _, self.rest = self.rest.partition(b"\0")
        return dict(json.loads(text))

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and wait for its answer."""
        number = next(self.numbers)
        order = {"id": number, "method": method, "params": parameters}
        if self.session:
            order["sessionId"] = self.session
        data = json.dumps(order).encode() + b"\0"
        while data:
            data = data[os.write(self.say, data) :]
        while (answer := self.message()).get("id") != number:
            self.complaints += complaint(answer)
        if "error" in answer:
            raise NoBrowser(f"{method}: {answer['error'].get('message')}")
        return dict(answer["result"])

    def open(self, page: Path | str) -> None:
        """Open a page, or an address, and wait until it is loaded and its formulas are set; ``complaints`` are of it alone."""
        self.complaints.clear()
        self.call("Page.stopLoading")  # an answer is lost where the page is on its way elsewhere
        self.call("Page.navigate", url=page if isinstance(page, str) else page.resolve().as_uri())
        self.run(
            """new Promise(done => {
                const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
                const set = () => (window.MathJax?.startup?.promise ?? Promise.resolve()).then(drawn);
                document.readyState === "complete" ? set() : addEventListener("load", set); })"""
        )

    def run(self, script: str) -> Any:
        """The value of an expression, or of the promise that it is."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise NoBrowser(str(answer["exceptionDetails"].get("exception", {}).get("description", answer)))
        return answer["result"].get("value")

    def until(self, script: str, seconds: float = 20) -> bool:
        """Wait until an expression is true, for so long at most; says whether it became so."""
        wait = f"const end = performance.now() + {1000 * seconds}; while (performance.now() < end && !({script}))"
        return bool(
            self.run(f"(async () => {{ {wait} await new Promise(go => setTimeout(go, 20)); return !!({script}) }})()")
        )

    def pdf(self, whole: bool = True) -> bytes:
        """The page on paper, with the outline of its headings as bookmarks; if not ``whole``, without these and without tags."""
        wishes = {
            "generateDocumentOutline": whole,
            "generateTaggedPDF": whole,
            "preferCSSPageSize": True,
            "printBackground": True,
        }
        stream = self.call("Page.printToPDF", transferMode="ReturnAsStream", **wishes)["stream"]
        pieces, ended = [], False
        while not ended:
            part = self.call("IO.read", handle=stream, size=1 << 20)
            pieces.append(
                base64.b64decode(part["data"]) if part.get("base64Encoded") else part["data"].encode("latin-1")
            )
            ended = part["eof"]
        self.call("IO.close", handle=stream)
        return b"".join(pieces)
