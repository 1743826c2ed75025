#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the functions of a tree that load credentials twice by a text search, and compares with LD301.

    python3 benchmarks/credential_census.py TREE [--cache-dir FOLDER] [--jobs N] [--list]

This is independent of the rule: a function is the text between two braces in the first column, a
load is a name. It counts functions with at least two loads of one pointer that do not mention
overriding, reverting or committing credentials; --list prints those without a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from census import Findings, code, findings, parser

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
    for file, text in code(root, "current"):
        yield from _in_file(file, text)


def _in_file(file: str, text: str) -> Iterator[Counted]:
    for match in BODY.finditer(text):
        body = match.group()
        if any(len(load.findall(body)) > 1 for load in (SUBJECTIVE, OBJECTIVE)):
            first = text.count("\n", 0, match.start()) + 1
            last = first + body.count("\n")
            yield Counted(file, first, last, CHANGE.search(body) is not None)


def main() -> None:
    """Print the counts."""
    options = parser(__doc__)
    options.add_argument("--list", action="store_true")
    args = options.parse_args()
    known = findings(args.tree, "LD301", args.jobs, args.cache_dir)
    counted = list(functions(args.tree.resolve()))

    def of(one: Counted) -> Findings:
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
