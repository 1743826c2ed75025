# SPDX-License-Identifier: GPL-2.0
"""Commands in README and docs/ parse, and links resolve."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from hotcocci.cli.main import parser

ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
)
COMMAND = re.compile(r"^(?:python3 )?run\.py (?!--setup)(.*)$", re.MULTILINE)
BLOCK = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def commands(text: str) -> list[str]:
    """Extract the commands from the code blocks of a page."""
    return [line for block in BLOCK.findall(text) for line in COMMAND.findall(block)]


def words(command: str) -> list[str]:
    """Split a command into words, up to a redirection or another command."""
    lexer = shlex.shlex(command.replace("…", ""), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    found = list(lexer)
    ends = [i for i, word in enumerate(found) if set(word) <= set(";<>|&()")]
    return found[: ends[0]] if ends else found


def anchor(heading: str) -> str:
    """The anchor that a forge generates for a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_commands_parse() -> None:
    shown = [commands(page.read_text(encoding="utf-8")) for page in PAGES]
    # The first is README.md.
    assert len(shown[0]) >= 5 and sum(map(len, shown)) > 40
    for command in (command for some in shown for command in some):
        arguments = words(command)
        if arguments and arguments[0] != "test":
            # It prints what it does not know.
            parser().parse_args(arguments)


def test_links_resolve() -> None:
    for page in PAGES:
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" in link:
                continue
            name, _, part = link.partition("#")
            there = (page.parent / name).resolve() if name else page
            assert there.exists(), f"{page}: {link}"
            if part:
                headings = HEADING.findall(there.read_text(encoding="utf-8"))
                assert part in map(anchor, headings), f"{page}: {link}"


def test_files_for_a_new_rule_exist() -> None:
    """The files named in the guide for new rules; one without a folder is in rewrite/."""
    text = (ROOT / "docs/adding-a-rule.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/*-]+(?:\.py|\.c|\.cpp|/))`", text)
    assert len(named) > 30
    near = ("", "hotcocci/", "hotcocci/rewrite/", "hotcocci/rules/", "kernel-fixtures/")
    near += ("hotcocci/rules/*/", "hotcocci/windows/")
    for name in named:
        assert any(any(ROOT.glob(f"{folder}{name}")) for folder in near), name
