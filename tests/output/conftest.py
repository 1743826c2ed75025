# SPDX-License-Identifier: GPL-2.0
"""Input for the formats: a tree with two files and findings, and a browser."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hotcocci.findings import PERHAPS, WORTH, Edit, Finding, Rewrite, Saves, Skip
from hotcocci.tree.kernel import Features, Tree
from hotcocci.tree.source import decode
from tests.shared import finding

# The comment has characters of two and three bytes, and of two UTF-16 units.
TEXT = Path(__file__).with_name("text.c").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Found:
    """What a command passes to a format."""

    tree: Tree
    findings: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    skipped: tuple[Skip, ...]
    texts: dict[str, str]


def _finding(line, end, function, tier):
    found = finding(
        file="fs/a b.c",
        line=line,
        function=function,
        message=f"accesses of <p> & 100% in {function}()",
        tier=tier,
        share=2.5 if function == "first" else None,
        share_at_most=None if function == "first" else 7.25,
        saves=Saves(5, 84, 30) if tier == "safe" else None,
        band={"safe": WORTH, "prepared": PERHAPS}.get(tier or ""),
    )
    if tier is None:
        report = {"rule": "UA102", "accesses": None, "file": "drivers/char/b.c"}
        found = replace(found, verdict="report", reason="call-between", **report)
    return replace(found, end_line=end)


@pytest.fixture
def found():
    text = decode(TEXT.encode())
    first = _finding(3, 3, "first", "safe")
    second = _finding(9, 11, "second", "prepared")
    report = _finding(11, 11, "second", None)
    again = _finding(12, 12, "second", None)
    start = text.index("get_user(a, p); get")
    end = text.index("\n\treturn 0;")
    condition = text.index("\tif (get_user")
    statement = text.index("\tget_user(b, p);\n\tget")
    edits = (
        Edit(condition, condition, decode("\t/* für */\n".encode())),
        Edit(statement, statement + len("\tget_user(b, p);\n"), ""),
    )
    none = Features(False, False, False, False, False, frozenset())
    return Found(
        Tree(Path("/k/linux"), none),
        (first, second, report, again),
        (
            Rewrite(first, (Edit(start, end, "window(p);"),), "A", "classic"),
            Rewrite(second, edits, "A", "classic", ("A note.",)),
        ),
        (Skip("fs/c d.c", "took too long"), Skip(".", "objtool: not there")),
        dict.fromkeys((first.file, report.file), text),
    )


@pytest.fixture(scope="session")
def browser():
    """Debian's chromium, without the sandbox so that root can run it."""
    # Every worker reads this file, and one runs a browser at most.
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(option)
    # Requests to other hosts fail and are logged.
    options.add_argument("--proxy-server=127.0.0.1:9")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page; at the end, the browser log must be empty."""

    def show(page):
        path = tmp_path / "page.html"
        path.write_text(page, encoding="utf-8")
        browser.get(path.as_uri())
        return browser

    yield show
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert browser.get_log("browser") == []
