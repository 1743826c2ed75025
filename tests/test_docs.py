# SPDX-License-Identifier: GPL-2.0
"""Commands in README and docs/ parse, and links resolve."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_parse(page: Path) -> None:
    for command in commands(page.read_text(encoding="utf-8")):
        arguments = words(command)
        if arguments and arguments[0] != "test":
            parser().parse_args(arguments)


def test_commands_are_found() -> None:
    shown = [commands(page.read_text(encoding="utf-8")) for page in PAGES]
    assert len(commands((ROOT / "README.md").read_text(encoding="utf-8"))) >= 5
    assert sum(map(len, shown)) > 40


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        name, _, part = link.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.exists(), link
        if part:
            headings = HEADING.findall(there.read_text(encoding="utf-8"))
            assert part in map(anchor, headings), link


def test_files_for_a_new_rule_exist() -> None:
    """The files named in the guide for new rules; one without a folder is in rewrite/."""
    text = (ROOT / "docs/adding-a-rule.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/*-]+(?:\.py|\.c|\.cpp|/))`", text)
    assert len(named) > 30
    near = ("", "hotcocci/", "hotcocci/rewrite/", "hotcocci/rules/", "kernel-fixtures/")
    near += ("hotcocci/rules/*/", "hotcocci/windows/")
    for name in named:
        assert any(any(ROOT.glob(f"{folder}{name}")) for folder in near), name
