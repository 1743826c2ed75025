#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Inserts credential changes and capability checks before the last load in functions LD301 rewrites.

    python3 benchmarks/credential_mutants.py TREE [--cache-dir FOLDER] [--jobs N]

The changes go to copies of the files in a small tree with the headers of TREE. Exit code 0 if none of
these functions is rewritten any more.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from census import Findings, findings, parser

MUTANTS = {
    "committed": "commit_creds(hc_new);",
    "overridden": "override_creds(hc_new);",
    "in a scope": "scoped_with_kernel_creds() hc_work();",
    "by a helper's helper": "hc_take_on();",
    "by a macro": "HC_TAKE();",
    "assigned": "rcu_assign_pointer(current->cred, hc_new);",
    "stored": "current->cred = hc_new;",
    "exec": "begin_new_exec(hc_program);",
    "of a server": "fh_verify(hc_request, hc_handle, 0, 0);",
    "keyrings": "lookup_user_key(1, 2, 3);",
    "namespaces": "ksys_unshare(1);",
    "capable": "hc_may = capable(CAP_SYS_ADMIN);",
    "capable in a namespace": "hc_may = ns_capable(hc_ns, CAP_SYS_ADMIN);",
    "capable by a helper": "hc_may = hc_asks();",
}
HELPERS = """
static void hc_commits(void)
{
	commit_creds(hc_new);
}

static void hc_take_on(void)
{
	hc_commits();
}

#define HC_TAKE() override_creds(hc_new)

static bool hc_asks(void)
{
	return capable(CAP_SYS_ADMIN);
}
"""
DECLARATION = re.compile(
    r"\s*(?:const |struct |\w+_t |__le\d+ |int |char |unsigned |bool )"
)
NO_START = ("else", "case", "default", "}")


def rewritten(found: Findings) -> Findings:
    """Select the findings with a rewrite."""
    return [f for f in found if f["verdict"] == "rewrite"]


def place(lines: list[str], finding: dict[str, Any]) -> int | None:
    """Find the last line before the last load where a statement can be inserted."""
    for index in range(finding["end_line"] - 1, finding["line"] - 1, -1):
        text = lines[index]
        begins = lines[index - 1].rstrip().endswith(";")
        if begins and not text.strip().startswith(NO_START):
            return None if DECLARATION.match(text) else index
    return None


def plant(
    tree: Path, copy: Path, wanted: Findings, statement: str
) -> set[tuple[str, str]]:
    """Write the changed files; returns the changed functions."""
    for folder in tree.iterdir():
        if folder.is_dir() and folder.name != "include":
            (copy / folder.name).mkdir()
    (copy / "include").symlink_to(tree / "include")
    for name in ("Makefile", "Kconfig", "Kbuild", "MAINTAINERS"):
        (copy / name).write_bytes((tree / name).read_bytes())
    planted = set()
    for file in dict.fromkeys(f["file"] for f in wanted):
        if file.startswith("include/"):
            continue
        text = (tree / file).read_text(encoding="utf-8", errors="surrogateescape")
        lines = text.split("\n")
        own = [f for f in wanted if f["file"] == file]
        for finding in sorted(own, key=lambda f: -int(f["line"])):
            at = place(lines, finding)
            if at is not None:
                indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
                lines.insert(at, indent + statement)
                planted.add((file, str(finding["function"])))
        last = max(i for i, line in enumerate(lines) if line.startswith("#include"))
        lines.insert(last + 1, HELPERS)
        path = copy / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")
    return planted


def listed(functions: Iterable[tuple[str, str]]) -> str:
    """Format functions as a list for the reader."""
    return ", ".join(f"{name}() in {file}" for file, name in sorted(functions))


def main() -> None:
    """Print a line for each inserted statement."""
    args = parser(__doc__).parse_args()
    tree = args.tree.resolve()
    wanted = rewritten(findings(tree, "LD301", args.jobs, args.cache_dir))
    survived = False
    for name, statement in MUTANTS.items():
        with tempfile.TemporaryDirectory(prefix="hotcocci-mutants-") as folder:
            copy = Path(folder, "tree")
            copy.mkdir()
            planted = plant(tree, copy, wanted, statement)
            again = findings(copy, "LD301", args.jobs, f"{folder}/cache")
        left = {(f["file"], f["function"]) for f in rewritten(again)} & planted
        survived = survived or bool(left)
        print(f"{name}: {len(planted)} planted, {len(left)} rewritten {listed(left)}")
    sys.exit(survived)


if __name__ == "__main__":
    main()
