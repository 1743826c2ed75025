# SPDX-License-Identifier: GPL-2.0
"""Run the tool on all cases of a tree at once."""

import contextlib
import io
import shutil
from dataclasses import asdict, dataclass, replace
from typing import Any

from case_files import FIXTURES, TREE_OF_API

from hotcocci.api import Settings, analyse, changes, chosen_rewrites, trees
from hotcocci.cli.main import main
from hotcocci.findings import MANUAL, PREPARED
from hotcocci.rules.rulebook import implementation_of
from tests.shared import CACHE


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


def make_tree(api, cases, root):
    """A complete tree with the cases in it, laid out like a kernel."""
    shutil.copytree(FIXTURES / TREE_OF_API[api], root)
    shutil.copytree(FIXTURES / "harness/include", root / "include", dirs_exist_ok=True)
    for case in cases:
        path = root / case.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(case.source, encoding="utf-8")


def call(arguments):
    """Run one command line, and return its output."""
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    errors = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        code = main(arguments)
    if code == 2:
        raise RuntimeError(f"{' '.join(arguments)}: {errors.getvalue()}")
    output.seek(0)
    return output.read()


def run_tool(api, rules, cases, folder):
    """Find and rewrite, and both once more.

    The gate of ``patch`` is left out: test_texts.py compiles what this makes, and runs sparse on it.
    """
    root = folder / "tree"
    make_tree(api, cases, root)
    heat = any(implementation_of(rule).uses_hotness for rule in rules)
    settings = Settings(
        rules=tuple(rules),
        tier=MANUAL,
        api=api,
        show="all",
        cold=True,
        profile=FIXTURES / "hot.txt" if heat else None,
        # What spatch said of a case is known to the next run, as it is to users.
        cache_dir=CACHE / "cases",
    )
    before, texts = rewritten(root, cases, settings)
    after, again = rewritten(root, cases, replace(settings, tier=PREPARED))
    return Outcome(
        findings=tuple(asdict(finding) for finding in before.findings),
        skipped=tuple(asdict(skip) for skip in before.skipped),
        texts=texts,
        header=(root / "include/linux/uaccess.h").read_text(encoding="utf-8"),
        left=tuple(asdict(finding) for finding in after.findings),
        texts_again=again,
    )


def rewritten(root, cases, settings):
    """Write all rewrites of a tree; the texts of the cases afterwards."""
    [(tree, paths)] = trees([root])
    analysis = analyse(tree, paths, settings)
    chosen = chosen_rewrites(analysis, settings)
    for change in changes(chosen, analysis.possible, analysis.texts):
        (root / change.file).write_text(change.new, encoding="utf-8")
        for other in change.others:
            (root / other.file).write_text(other.new, encoding="utf-8")
    return analysis, {
        c.name: (root / c.path).read_text(encoding="utf-8") for c in cases
    }
