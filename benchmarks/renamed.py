#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Count how much of what is offered stays if all functions and files with a finding have other names.

    python3 benchmarks/renamed.py TREE FINDINGS.json COPY

FINDINGS.json is what ``run.py lint TREE --all --format json`` prints. COPY becomes a copy of the tree by hard
links, in which these functions, those that call them in their files, and these files have new names, in
Makefiles too. System calls keep theirs. The heat of both trees is derived, and the decision made with each.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hotcocci.cache import Cache, default_folder  # noqa: E402
from hotcocci.findings import COLD, Finding  # noqa: E402
from hotcocci.heat.heats import Heats, heats  # noqa: E402
from hotcocci.heat.index import index  # noqa: E402
from hotcocci.records import rebuilt  # noqa: E402
from hotcocci.rules.offer import band, refused  # noqa: E402


def main() -> None:
    """Print what is offered, what stays, and what does not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("findings", type=Path)
    parser.add_argument("copy", type=Path)
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rows = json.loads(options.findings.read_text())["findings"]
    found = [finding(row) for row in rows if row["saves"] is not None]
    functions = names_of(options.tree, found)
    files = {f.file: renamed_file(f.file) for f in found if f.file.endswith(".c")}
    if not options.copy.exists():
        rename(options.tree, options.copy, functions, files)
    with Cache(options.cache_dir) as cache:

        def of(root: Path, wanted: list[str]) -> Heats:
            return heats(root, wanted, cache, options.jobs, lambda _: nullcontext())

        before = of(options.tree.resolve(), [f.file for f in found])
        after = of(options.copy.resolve(), [files.get(f.file, f.file) for f in found])

    def with_heat(known: Heats, root: Path, found: Finding) -> Finding:
        return known.on(found, (root / found.file).read_text(encoding="latin-1"))

    all_before = (with_heat(before, options.tree, each) for each in found)
    offered = [each for each in all_before if is_offered(each)]
    lost = []
    for each in offered:
        renamed = replace(
            each,
            file=files.get(each.file, each.file),
            function=functions.get(each.function or "", each.function),
            heat=None,
            per=None,
        )
        other = with_heat(after, options.copy, renamed)
        if not is_offered(other):
            lost.append((each, other))
    share = 100 * (1 - len(lost) / max(len(offered), 1))
    print(f"renamed: {len(functions)} functions, {len(files)} files")
    print(f"offered: {len(offered)}; of these stay: {share:.1f} %")
    for each, other in lost:
        print(
            f"{each.file}: {each.function}(): {each.heat} ({each.per}) -> {other.heat} ({other.per})"
        )


def is_offered(found: Finding) -> bool:
    """Whether a rewrite is worth it, or perhaps."""
    return refused(found, found.saves) is None and band(found, found.saves) != COLD


def finding(row: dict[str, Any]) -> Finding:
    """A finding as it was before the decision."""
    names = {each.name for each in fields(Finding)} - {"heat", "per", "band"}
    return rebuilt(Finding, {name: row[name] for name in names})


def names_of(tree: Path, found: list[Finding]) -> dict[str, str]:
    """The new name of each function with a finding, and of those that call it in its file."""
    wanted: dict[str, set[str]] = {}
    for each in found:
        if each.function:
            wanted.setdefault(each.file, set()).add(each.function)
    old = set()
    for file, names in wanted.items():
        read = index((tree / file).read_bytes())
        lines = read.calls.split("\n")
        for name, calls in zip(read.names.split(), lines, strict=True):
            called = {call.lstrip("&>") for call in calls.split()}
            if name in names or names & called:
                old.add(name)
    plain = sorted(name for name in old if not name.startswith(("sys_", "compat_sys_")))
    return {name: f"rn{number}_x" for number, name in enumerate(plain)}


def renamed_file(file: str) -> str:
    """Another name in the same folder."""
    folder, name = os.path.split(file)
    return f"{folder}/rn_{Path(name).stem[::-1]}.c"


def rename(
    tree: Path, copy: Path, functions: dict[str, str], files: dict[str, str]
) -> None:
    """Make the copy."""
    subprocess.run(["cp", "-al", str(tree), str(copy)], check=True)
    words = "\n".join(functions)
    listed = subprocess.run(
        ["grep", "-rlwF", "--include=*.[chS]", "-f", "/dev/stdin", "."],
        input=words, cwd=copy, text=True, capture_output=True, check=True,
    ).stdout.split()  # fmt: skip
    # A member or a slot of the same name is another thing.
    name = re.compile(r"(?<![\w.>])(?:" + "|".join(functions) + r")\b")
    for each in listed:
        path = copy / each
        text = path.read_text(encoding="latin-1")
        write(path, name.sub(lambda match: functions[match[0]], text))
    for old, new in files.items():
        os.rename(copy / old, copy / new)
        stem, other = Path(old).stem, Path(new).stem
        for path in (copy / new).parent.glob("*.c"):
            text = path.read_text(encoding="latin-1")
            if f'"{stem}.c"' in text:
                write(path, text.replace(f'"{stem}.c"', f'"{other}.c"'))
        for build in ("Makefile", "Kbuild"):
            path = (copy / old).with_name(build)
            if path.exists():
                text = path.read_text(encoding="latin-1")
                write(path, re.sub(rf"\b{re.escape(stem)}\.o\b", f"{other}.o", text))


def write(path: Path, text: str) -> None:
    """Write a file of its own: the tree's must stay."""
    path.unlink()
    path.write_text(text, encoding="latin-1")


if __name__ == "__main__":
    main()
