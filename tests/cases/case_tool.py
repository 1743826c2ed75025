# SPDX-License-Identifier: GPL-2.0
"""Run the tool on all cases of a tree at once."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from case_files import FIXTURES, TREE_OF_API, Case

from hotcocci.cli.main import main
from hotcocci.rules.implementation import implementation_of


@dataclass(frozen=True)
class Outcome:
    """The findings of the tool, and the text of every case afterwards."""

    findings: tuple[dict[str, Any], ...]
    skipped: tuple[dict[str, Any], ...]
    texts: dict[str, str]
    # include/linux/uaccess.h, which rewrites may need changed
    header: str
    # The same after the tool was run on its own output
    left: tuple[dict[str, Any], ...]
    texts_again: dict[str, str]


def make_tree(api: str, cases: Iterable[Case], root: Path) -> None:
    """A complete tree with the cases in it, laid out like a kernel."""
    shutil.copytree(FIXTURES / TREE_OF_API[api], root)
    shutil.copytree(FIXTURES / "harness/include", root / "include", dirs_exist_ok=True)
    for case in cases:
        path = root / case.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(case.source, encoding="utf-8")


def call(arguments: list[str]) -> str:
    """Run one command line, and return its output."""
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    errors = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = main(arguments)
    if code == 2:
        raise RuntimeError(f"{' '.join(arguments)}: {errors.getvalue()}")
    output.seek(0)
    return output.read()


def run_tool(
    api: str,
    rules: Iterable[str],
    cases: list[Case],
    folder: Path,
) -> Outcome:
    """Lint, patch, and both once more."""
    root = folder / "tree"
    make_tree(api, cases, root)
    common = [str(root), "--churn", "--api", api, "--cache-dir", str(folder / "cache")]
    common += [word for rule in rules for word in ("--rule", rule)]
    if any(implementation_of(rule).uses_hotness for rule in rules):
        common += ["--profile", str(FIXTURES / "hot.txt")]
    apply = ["patch", *common, "--apply", "--allow-uncompiled", "--tier"]
    lint = ["lint", *common, "--all", "--format", "json"]

    before = json.loads(call(lint))
    call([*apply, "manual"])
    texts = {c.name: (root / c.path).read_text(encoding="utf-8") for c in cases}
    after = json.loads(call(lint))
    call([*apply, "prepared"])
    again = {c.name: (root / c.path).read_text(encoding="utf-8") for c in cases}
    return Outcome(
        findings=tuple(before["findings"]),
        skipped=tuple(before["skipped"]),
        texts=texts,
        header=(root / "include/linux/uaccess.h").read_text(encoding="utf-8"),
        left=tuple(after["findings"]),
        texts_again=again,
    )
