# SPDX-License-Identifier: GPL-2.0
"""Commands in README and docs/ parse, and links resolve."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def anchor(heading: str) -> str:
    """The anchor that a forge generates for a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_links_resolve():
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


def test_files_for_a_new_rule_exist():
    """The files named in the guide for new rules; one without a folder is in rewrite/."""
    text = (ROOT / "docs/adding-a-rule.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/*-]+(?:\.py|\.c|\.cpp|/))`", text)
    assert len(named) > 30
    near = ("", "hotcocci/", "hotcocci/rewrite/", "hotcocci/rules/", "kernel-fixtures/")
    near += ("hotcocci/rules/*/", "hotcocci/windows/")
    for name in named:
        assert any(any(ROOT.glob(f"{folder}{name}")) for folder in near), name
