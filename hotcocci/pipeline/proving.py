# SPDX-License-Identifier: GPL-2.0
"""Prove changes on every requested target: checks, costs and executions."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from hotcocci.c.source import COMMENT, bare, tokenize
from hotcocci.errors import AGAIN
from hotcocci.findings import (
    MAY_DIFFER,
    NO_LONGER,
    NOT_PROVEN,
    PROVEN,
    STYLE,
    Change,
    Execution,
    Proof,
    Rewrite,
)
from hotcocci.names import count
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.changes import changes, chosen_rewrites
from hotcocci.pipeline.checks import Executions, Runner, check_changes, executions
from hotcocci.pipeline.inputs import prepared
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.window_reports import window_checks
from hotcocci.proof import cluster
from hotcocci.proof.changed import aligned, depending, is_layout
from hotcocci.proof.task import (
    NO_CODE,
    NO_MORE,
    Task,
    grouped,
    nowhere,
    require_provers,
    run_all,
    tasks,
    users_left,
)
from hotcocci.tree.build import BuildError
from hotcocci.tree.incoming import Patch, changed, not_compared
from hotcocci.tree.includes import read_as_text
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import (
    ALL,
    POWERPC_32,
    TARGETS,
    X86_64,
    Target,
    among,
    compiled_for,
    usual,
)

# At most this many words that depend on the width are named.
SHOWN = 4
READ = "{} names it: other programs than a compiler may read it, comments too"
# usr/include/Makefile compiles headers for user space with -std=c90; C++ programs include them, too.
OLDER = "programs that are compiled as C90 or C++ may include it, which do not take {}"
_NEWER = re.compile(
    r"\b(?:typeof|restrict|class|delete|explicit|friend|mutable|namespace|new|operator|private|protected|public|template"
    r"|this|throw|try|typename|using|virtual)\b|\bfor \(\w+ (?=[\w *]+=)"
)


@dataclass(frozen=True)
class Proposed:
    """Changes to prove; for our own rewrites, also the rewrites and their analysis.

    ``left`` are proofs of files that cannot be examined, with the reason.
    """

    changes: tuple[Change, ...]
    rewrites: tuple[Rewrite, ...] = ()
    analysis: Analysis | None = None
    left: tuple[Proof, ...] = ()


def propose(tree: Tree, paths: Sequence[Path], settings: Settings) -> Proposed:
    """Return the changes by our rewrites of files at and below the paths."""
    analysis = analyse(tree, paths, settings)
    rewrites = chosen_rewrites(analysis, settings)
    wanted = changes(rewrites, analysis.possible, analysis.texts)
    return Proposed(tuple(wanted), tuple(rewrites), analysis)


def propose_patches(tree: Tree, patches: Sequence[Patch]) -> Proposed:
    """Return the changes by given patches; each file is compiled with all headers that they change.

    Raises UserError for the first patch that does not apply, and without grep.
    """
    made = changed(tree.root, patches)
    headers = [c for c in made if c.file.endswith(".h")]
    left = not_compared(tree.root, patches)
    for header in headers:
        makefile = read_as_text(tree.root, header.file)
        newer = _newer(header.new) - _newer(header.old)
        if makefile:
            left[header.file] = READ.format(makefile)
        elif "uapi/" in header.file and newer:
            left[header.file] = OLDER.format(min(newer))
    return Proposed(
        tuple(
            Change(c.file, c.old, c.new, tuple(h for h in headers if h is not c))
            for c in made
        ),
        left=tuple(_not_proven(file, "any target", why) for file, why in left.items()),
    )


def _newer(text: str) -> Counter[str]:
    """The words of a header that C90 or C++ does not take, and its comments that C90 does not take."""
    comments = [t.text[:2] for t in tokenize(text) if t.kind == COMMENT]
    return Counter([*_NEWER.findall(bare(text)), *filter("//".__eq__, comments)])


def is_proven(proof: Proof, style: bool = False) -> bool:
    """Whether no check failed and all executions are proven.

    ``style`` also counts checkpatch, whose remarks say nothing about behaviour.
    """
    proven = all(e.verdict == PROVEN for e in proof.executions)
    failed = [check for check in proof.failed if style or check.name != STYLE]
    return bool(proof.executions) and proven and not failed


def prove(
    tree: Tree, wanted: Sequence[Change], settings: Settings, others: bool = False
) -> list[Proof]:
    """Prove each change; returns proofs in order.

    ``others`` are changes of other people, which are compared for 32 bits, too, if no target is named
    (`with_other_width`). Raises UserError if nothing can be compiled for a named target, or if a library that proofs need is missing.
    """
    runner = _runner(settings)
    by_target: dict[Target, list[Change]] = {}
    for change in wanted:
        for target in _targets(tree, change.file, settings):
            by_target.setdefault(target, []).append(change)
    checked: dict[str, list[Proof]] = {change.file: [] for change in wanted}
    for file in checked.keys() - {c.file for own in by_target.values() for c in own}:
        checked[file].append(_not_proven(file, "any target", "no target compiles it"))
    for file, check in window_checks(tree, wanted, settings).items():
        checked[file].append(Proof(file, (check,)))
    todo: list[Task] = []
    for target, own in by_target.items():
        try:
            build = prepared(tree, target, settings)
        except BuildError as error:
            if target.name in (*settings.targets, *settings.extra_targets):
                raise
            for change in own:
                checked[change.file].append(
                    _not_proven(change.file, target.name, str(error))
                )
            continue
        for file, proof in check_changes(tree, own, build, settings).items():
            checked[file].append(proof)
        needed = {c.file: c.others for c in own}
        # As elsewhere, only some words ask for another width.
        texts = [(c.file, c.old, c.new) for c in own]
        if not target.compared and target.name not in settings.targets:
            texts = [each for each in texts if depending(*each)]
        todo += [replace(task, spreads=others) for task in tasks(build, texts, needed)]
    ran: dict[str, list[tuple[Execution, ...]]] = {}
    for (file, _), several in _compared(todo, runner, settings).items():
        ran.setdefault(file, []).extend(several)
    if others and not settings.targets and usual(tree.root) == X86_64:
        more = with_other_width(tree, wanted, ran, runner, settings)
        for file, made_there in more.items():
            ran[file].append(made_there)
    for file, made in ran.items():
        left = grouped(file, nowhere(file, made))
        if any(e.verdict != PROVEN and e.detail != NO_MORE for e in left):
            left = [e for e in left if e.detail != NO_MORE]
        checked[file].append(Proof(file, executions=tuple(left)))
    return [_merged(change.file, checked[change.file]) for change in wanted]


def _compared(
    todo: Sequence[Task], runner: Runner, settings: Settings
) -> dict[tuple[str, str], list[Executions]]:
    """The verdicts on tasks, by file and target; what functions of a header do not show, its users may."""
    ran = executions(todo, runner, settings)
    found: dict[tuple[str, str], list[Executions]] = {}
    using, alone = list[Task](), dict[tuple[str, str], Executions]()
    for task in todo:
        target = task.build.target.name
        made = ran.get(task.name)
        if task.functions and made and not _agrees(made):
            change, more = (task.file, task.old, task.new), {task.file: task.others}
            users = tasks(task.build, [change], more, alone=False)
            left = users[0].left
            if not left and users[0].commands:
                using += (replace(each, spreads=task.spreads) for each in users)
                # What is said of it by itself is clearer than what is said of what it is inlined in.
                alone[task.file, target] = tuple(e for e in made if e.function)
                continue
            made += (users_left(task.file, target, left),) if left else ()
        found.setdefault((task.file, target), []).append(made or ())
    made_of = {name: _of_users(*name, several) for name, several in found.items()}
    for name, several in (_compared(using, runner, settings) if using else {}).items():
        proven = all(map(_agrees, several))
        made_of[name] = several if proven else [alone[name], *several]
    return made_of


def _of_users(file: str, target: str, several: list[Executions]) -> list[Executions]:
    """The verdicts of the users of a header: some may have no code for it, and others are not asked."""
    asked = [made for made in several if made]
    # It sees the changed lines all the same.
    coded = [() if [e.detail for e in m] == [NO_CODE] else m for m in asked]
    left = len(several) - len(asked)
    if left:
        why = f"{count(left, 'other user')} of what it changes not compared"
        coded.append((Execution(target, file, "", NOT_PROVEN, why),))
    return coded if any(coded) else asked[:1]


def _targets(tree: Tree, file: str, settings: Settings) -> Sequence[Target]:
    """Return the targets to prove a file for."""
    if usual(tree.root) != X86_64:
        return (usual(tree.root),)
    if ALL in settings.targets:
        return compiled_for(file, everywhere=True)
    named = [TARGETS[name] for name in settings.targets] or compiled_for(file)
    return tuple(dict.fromkeys([*named, *among(settings.extra_targets, file)]))


def _runner(settings: Settings) -> Runner:
    """Return a runner: local processes, or the workers of a scheduler."""
    require_provers()
    if settings.scheduler is None:
        return partial(run_all, jobs=settings.jobs)
    return partial(
        cluster.run_all,
        address=settings.scheduler,
        jobs=settings.jobs,
        insecure=settings.insecure,
    )


def _not_proven(file: str, target: str, why: str) -> Proof:
    return Proof(file, executions=(Execution(target, file, "", NOT_PROVEN, why),))


def _merged(file: str, parts: Sequence[Proof]) -> Proof:
    """Merge the proofs of one file; checks that do not depend on the target are kept once."""
    return Proof(
        file,
        tuple(dict.fromkeys(check for part in parts for check in part.checks)),
        tuple(gain for part in parts for gain in part.gains),
        tuple(execution for part in parts for execution in part.executions),
    )


def with_other_width(
    tree: Tree,
    wanted: Sequence[Change],
    ran: Mapping[str, Sequence[Sequence[Execution]]],
    runner: Runner,
    settings: Settings,
) -> dict[str, tuple[Execution, ...]]:
    """Compare proven changes with 32 bits and the other byte order, too, by file.

    Those whose words depend on width or byte order have to be proven there. Of others, as a member of a union
    or a narrow parameter, a difference counts, and a proof of lines that x86-64 does not see.
    """
    words = {c.file: depending(c.file, c.old, c.new) for c in wanted}
    asked = [c for c in wanted if _is_asked(c, ran.get(c.file, ()))]
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
    for (file, _), several in _compared(todo, runner, settings).items():
        made = tuple(nowhere(file, several))
        if words[file] and file not in compiled:
            why = "kbuild does not compile it there"
            found[file] = (_unknown(file, words[file], why),)
        elif words[file] or _agrees(made):
            found[file] = made
        elif any(map(_counts, made)):
            found[file] = tuple(e for e in made if _counts(e) or e.unseen is not None)
    return found


def _counts(execution: Execution) -> bool:
    """Whether a comparison counts that is no proof: it shows a difference, or failed for lack of memory or the like.

    Of what compiled before the change, a failure to compile does.
    """
    said = execution.detail
    return said.startswith((MAY_DIFFER, NO_LONGER)) or said.endswith(AGAIN)


def _is_asked(change: Change, ran: Sequence[Sequence[Execution]]) -> bool:
    several = [each for made in ran for each in made]
    if not several or change.file.startswith("arch/") or not _agrees(several):
        return False
    return not is_layout(aligned(change.file, change.old, change.new))


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
