# SPDX-License-Identifier: GPL-2.0
"""Compare a patch with 32 bits and the other byte order, too, where x86-64 may not show what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotcocci.findings import NOT_PROVEN, PROVEN, Execution
from hotcocci.pipeline.executions import Runner, executions
from hotcocci.pipeline.preparing import prepared
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.gate import Change
from hotcocci.proof.task import tasks
from hotcocci.proof.widths import depending
from hotcocci.tree.build import BuildError
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import POWERPC_32

# At most this many words are named.
SHOWN = 4


def with_other_width(
    tree: Tree,
    wanted: Sequence[Change],
    ran: Mapping[str, Sequence[Sequence[Execution]]],
    runner: Runner,
    settings: Settings,
) -> dict[str, tuple[Execution, ...]]:
    """The comparisons of proven changes whose words depend on width or byte order, by file.

    Changes with lines that x86-64 does not see are compared, too; that counts only if it proves them.
    """
    words = {c.file: depending(c.file, c.old, c.new) for c in wanted}
    asked = [c for c in wanted if _is_asked(c, ran.get(c.file, ()), words[c.file])]
    if not asked:
        return {}
    try:
        build = prepared(tree, POWERPC_32, settings)
    except BuildError as error:
        return {
            c.file: (_unknown(c.file, words[c.file], str(error)),)
            for c in asked
            if words[c.file]
        }
    todo = tasks(
        build,
        [(c.file, c.old, c.new) for c in asked],
        {c.file: c.others for c in asked},
    )
    # Of a header's users, those that only kernels for 64 bits have do not count.
    todo = [replace(t, left=max(t.left - len(t.missing), 0)) for t in todo]
    compiled = {task.file for task in todo if task.commands}
    found: dict[str, tuple[Execution, ...]] = {}
    for (file, _), made in executions(todo, runner, settings).items():
        if words[file] and file not in compiled:
            why = "kbuild does not compile it there"
            found[file] = (_unknown(file, words[file], why),)
        elif words[file] or _agrees(made):
            found[file] = made
    return found


def _is_asked(
    change: Change, ran: Sequence[Sequence[Execution]], words: Sequence[str]
) -> bool:
    several = [each for made in ran for each in made]
    unseen = any(each.unseen is not None for each in several)
    common = not change.file.startswith("arch/")
    return bool(several and (words or unseen)) and common and _agrees(several)


def _agrees(several: Sequence[Execution]) -> bool:
    """Whether what was compared is proven."""
    return all(e.verdict == PROVEN or e.unseen is not None for e in several)


def _unknown(file: str, words: Sequence[str], why: str) -> Execution:
    more = " and others" if len(words) > SHOWN else ""
    named = ", ".join(words[:SHOWN]) + more
    return Execution(
        POWERPC_32.name,
        file,
        "",
        NOT_PROVEN,
        f"it may differ with 32 bits or the other byte order ({named}): {why}",
    )
