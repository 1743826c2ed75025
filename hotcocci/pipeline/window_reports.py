# SPDX-License-Identifier: GPL-2.0
"""Run spatch's window checks on many files, with cached results, and on what a rewrite makes of a file."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hotcocci.c.matches import check, load
from hotcocci.cache import remembered
from hotcocci.engines import spatch
from hotcocci.findings import Change, Check, Facts, Report, Seen, Skip
from hotcocci.layout import DATA
from hotcocci.pipeline.fingerprint import fingerprint, key, modules_of
from hotcocci.pipeline.paths import scratch_tree
from hotcocci.pipeline.run import Run, running
from hotcocci.pipeline.settings import Settings, Step
from hotcocci.pool import Failure, spread
from hotcocci.records import rebuilt
from hotcocci.rules.entry import WINDOW_SCRIPT
from hotcocci.rules.rulebook import WINDOW_RULES
from hotcocci.tree.kernel import CHECK, Tree
from hotcocci.windows import check as windows
from hotcocci.windows.shape import accessors

# Below this number of files a second process costs more than it saves.
WORTH_A_PROCESS = 4
NAME = "windows"
# What a rewrite must not add: violations, and helpers that may be out of line
RULES = frozenset(rule.code for rule in WINDOW_RULES if not rule.on_request)
WINDOW = re.compile(r"\buser_\w*access_begin\b|\bscoped_user_\w+|\bunsafe_\w+_user\b")


@dataclass(frozen=True)
class _Task:
    file: str
    text: str
    facts: dict[str, Any]
    options: windows.Options


def window_reports(run: Run, texts: dict[str, str]) -> Seen:
    """Return the reports on each file, and the files and functions that could not be analysed.

    Raises UserError if spatch is missing or cannot run the script.
    """
    settings = run.settings
    with settings.observer.progress("parsing for windows") as show:
        facts, skipped = window_facts(run, texts, show)
    options = _options(run.tree)
    common = _fingerprint(run, options)
    included = run.reached.states(facts)
    keys = {
        # Which names are macros or inline functions is read from what the file includes.
        file: key(common, file, texts[file], json.dumps(seen), included[file])
        for file, seen in facts.items()
    }

    def make(files: list[str]) -> Iterator[tuple[str, Seen]]:
        todo = [_Task(file, texts[file], facts[file], options) for file in files]
        with settings.observer.progress("checking windows") as show:
            for task, seen in spread(
                _look, todo, settings.jobs, WORTH_A_PROCESS, show, settings.timeout
            ):
                if isinstance(seen, Failure):
                    seen = Seen(skipped=(Skip(task.file, seen.why),))
                yield task.file, seen

    made = remembered(
        run.cache, keys, lambda _, data: rebuilt(Seen, data), make, asdict
    )
    # In the order of the files, not of what was known.
    every = [made[file] for file in keys]
    return Seen(
        tuple(report for seen in every for report in seen.reports),
        (*skipped, *(skip for seen in every for skip in seen.skipped)),
        conditional=tuple(each for seen in every for each in seen.conditional),
        helped=tuple(each for seen in every for each in seen.helped),
    )


def window_facts(
    run: Run, files: Iterable[str], show: Step | None
) -> tuple[dict[str, Any], list[Skip]]:
    """The facts of spatch on files with windows, and the files that it skipped."""
    script = DATA / WINDOW_SCRIPT
    return spatch.facts(
        run.tree,
        script,
        list(files),
        run.cache,
        run.settings.jobs,
        run.settings.timeout,
        show,
        extra_inputs=modules_of(script),
        check=check,
    )


def _look(task: _Task) -> Seen:
    facts = load(task.facts, task.file) if task.facts else Facts(task.file)
    return windows.check(task.text, facts, task.options)


def _options(tree: Tree) -> windows.Options:
    return windows.Options(tree.root, not tree.features.masked_directed)


def _fingerprint(run: Run, options: windows.Options) -> bytes:
    """Hash what a report depends on, except for the file and its facts."""
    # The accessors of all architectures, and what may be called in a window, which objtool knows.
    root = run.tree.root
    headers = (str(path.relative_to(root)) for path in accessors(root))
    asked = f"windows {options.one_flavour} {run.reached.others((CHECK, *headers))}"
    return fingerprint(asked, Path(windows.__file__))


def window_checks(
    tree: Tree, changes: Sequence[Change], settings: Settings
) -> dict[str, Check]:
    """Compare spatch's window reports on each file before and after; returns checks by changed file.

    The check of a file is also that of the others that it needs changed. Raises UserError if spatch is missing.
    """
    texts = {
        each.file: (each.old, each.new)
        for change in changes
        for each in change.files
        if WINDOW.search(each.new)
    }
    before = _reports(tree, {file: old for file, (old, _) in texts.items()}, settings)
    after = _reports(tree, {file: new for file, (_, new) in texts.items()}, settings)
    checks = {}
    for change in changes:
        files = [each.file for each in change.files if each.file in texts]
        if not files:
            continue
        if any(file not in before or file not in after for file in files):
            checks[change.file] = Check(NAME, "skipped", "spatch cannot read the file")
            continue
        fresh = Counter(_said(report) for file in files for report in after[file])
        fresh.subtract(_said(report) for file in files for report in before[file])
        more = [said for said, count in fresh.items() if count > 0]
        outcome = "failed" if more else "passed"
        checks[change.file] = Check(NAME, outcome, "\n".join(sorted(more)))
    return checks


def _said(report: Report) -> str:
    """Return a report without its line number, which may change."""
    return f"{report.rule} in {report.function}(): {report.message}"


def _reports(
    tree: Tree, texts: Mapping[str, str], settings: Settings
) -> dict[str, tuple[Report, ...]]:
    """Return the reports on each file; files that spatch cannot parse are left out."""
    options = _options(tree)
    with (
        scratch_tree(tree, texts) as copy,
        running(copy, settings) as run,
        settings.observer.progress("checking windows") as show,
    ):
        facts, _ = window_facts(run, texts, show)
    found = {
        file: _look(_Task(file, texts[file], seen, options)).reports
        for file, seen in facts.items()
    }
    return {
        file: tuple(report for report in reports if report.rule in RULES)
        for file, reports in found.items()
    }
