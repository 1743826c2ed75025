# SPDX-License-Identifier: GPL-2.0
"""What the counts by a text search share: the code of a tree without comments, and a rule's findings."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = ("tools", "Documentation", "scripts")
NO_CODE = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
Findings = list[dict[str, Any]]


def parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of a census; ``description`` is the script's docstring."""
    made = argparse.ArgumentParser(description=(description or "").split("\n")[0])
    made.add_argument("tree", type=Path, metavar="TREE")
    made.add_argument("--cache-dir", default="")
    made.add_argument("--jobs", default="2")
    return made


def code(root: Path, word: str) -> Iterator[tuple[str, str]]:
    """The files with a word, and their text; comments, strings and directives are blanks."""
    for path in sorted((*root.rglob("*.c"), *root.rglob("*.h"))):
        file = path.relative_to(root)
        if file.parts[0] in OUTSIDE or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if word in text:
            yield str(file), without_comments(text)


def without_comments(text: str) -> str:
    """A text with blanks in place of comments, strings and directives; lines stay."""
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def findings(tree: Path, rule: str, jobs: str, cache_dir: str) -> Findings:
    """All findings of a rule in a tree, offered or not; ends the script if 'lint' fails."""
    argv = [sys.executable, str(ROOT / "run.py"), "lint", "--all", "--churn"]
    argv += [str(tree), "--rule", rule, "--format", "json", "--jobs", jobs]
    argv += ["--cache-dir", cache_dir] if cache_dir else []
    done = subprocess.run(argv, check=False, capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)
    found: Findings = json.loads(done.stdout)["findings"]
    return found
