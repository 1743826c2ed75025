#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the functions of a tree that load credentials twice by a text search, and compares with LD301.

    python3 benchmarks/credential_census.py TREE [--cache-dir FOLDER] [--jobs N] [--list]

This is independent of the rule: a function is the text between two braces in the first column, a
load is a name. It counts functions with at least two loads of one pointer that do not mention
overriding, reverting or committing credentials; --list prints those without a finding.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = ("tools", "Documentation", "scripts")
NO_CODE = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
BODY = re.compile(r"^\{.*?^\}", re.DOTALL | re.MULTILINE)
SUBJECTIVE = re.compile(
    r"\bcurrent\s*->\s*cred\b|\b(?:get_)?current_(?:cred|cred_xxx|user|user_ns|groups|ucounts|cap"
    r"|uid|gid|euid|egid|suid|sgid|fsuid|fsgid|uid_gid|euid_egid|fsuid_fsgid)\s*\("
)
OBJECTIVE = re.compile(r"\bcurrent\s*->\s*real_cred\b|\bcurrent_real_cred\s*\(")
CHANGE = re.compile(
    r"\b(?:\w*override_\w*creds?\w*|\w*revert_\w*creds?\w*|\w*commit_creds\w*|scoped_with_\w*creds?)\b"
)


@dataclass(frozen=True)
class Counted:
    """A function: its file, the lines of its body, and whether it changes credentials."""

    file: str
    first: int
    last: int
    changes: bool


def functions(root: Path) -> Iterator[Counted]:
    """Find all functions with two loads of one pointer."""
    for path in sorted((*root.rglob("*.c"), *root.rglob("*.h"))):
        file = path.relative_to(root)
        if file.parts[0] in OUTSIDE or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if "current" in text:
            yield from _in_file(str(file), NO_CODE.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _in_file(file: str, text: str) -> Iterator[Counted]:
    for match in BODY.finditer(text):
        body = match.group()
        if any(len(load.findall(body)) > 1 for load in (SUBJECTIVE, OBJECTIVE)):
            first = text.count("\n", 0, match.start()) + 1
            last = first + body.count("\n")
            yield Counted(file, first, last, CHANGE.search(body) is not None)


def findings(tree: Path, arguments: list[str]) -> list[dict[str, object]]:
    """Run the rule on a tree and return its findings."""
    command = [
        sys.executable,
        str(ROOT / "run.py"),
        "lint",
        "--all",
        "--churn",
        str(tree),
    ]
    command += ["--rule", "LD301", "--format", "json", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)
    found: list[dict[str, object]] = json.loads(done.stdout)["findings"]
    return found


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--cache-dir", default="")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    options = ["--jobs", args.jobs]
    options += ["--cache-dir", args.cache_dir] if args.cache_dir else []
    known = findings(args.tree, options)
    counted = list(functions(args.tree.resolve()))

    def of(one: Counted) -> list[dict[str, object]]:
        return [
            f
            for f in known
            if f["file"] == one.file and one.first <= int(str(f["line"])) <= one.last
        ]

    plain = [one for one in counted if not one.changes]
    missed = [one for one in plain if not of(one)]
    offered = [
        one
        for one in counted
        if one.changes and any(f["verdict"] == "rewrite" for f in of(one))
    ]
    rewritten = sum(any(f["verdict"] == "rewrite" for f in of(one)) for one in plain)
    print(f"functions with two loads that change no credentials: {len(plain)}")
    print(f"of these found: {len(plain) - len(missed)}, to be rewritten: {rewritten}")
    print(f"functions with two loads that do: {len(counted) - len(plain)}")
    print(f"of these to be rewritten: {len(offered)}")
    for one in (*missed, *offered) if args.list else ():
        print(f"{one.file}:{one.first}")


if __name__ == "__main__":
    main()
