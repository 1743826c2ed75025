# SPDX-License-Identifier: GPL-2.0
"""Run spatch's window checks on many files, with cached results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hotcocci.c.matches import check, load
from hotcocci.cache import Cache
from hotcocci.engines import spatch
from hotcocci.findings import Facts, Report, Skip
from hotcocci.layout import DATA
from hotcocci.memo import remembered
from hotcocci.pipeline.fingerprint import fingerprint, modules_of
from hotcocci.pipeline.reached import Reached
from hotcocci.pipeline.settings import Settings, Step
from hotcocci.pool import Failure, spread
from hotcocci.records import rebuilt
from hotcocci.rules.entry import WINDOW_SCRIPT
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode
from hotcocci.tree.uaccess_safe import CHECK
from hotcocci.windows import check as windows
from hotcocci.windows.evaluations import accessors

# Below this number of files a second process costs more than it saves.
WORTH_A_PROCESS = 4


@dataclass(frozen=True)
class _Task:
    file: str
    text: str
    facts: Facts
    options: windows.Options


@dataclass(frozen=True)
class _Seen:
    found: tuple[Report, ...]
    skipped: tuple[Skip, ...]


def window_reports(
    tree: Tree, texts: dict[str, str], cache: Cache, settings: Settings
) -> tuple[list[Report], list[Skip]]:
    """Return the reports on each file, and the files and functions that could not be analysed.

    Raises UserError if spatch is missing or cannot run the script.
    """
    with settings.observer.progress("parsing for windows") as show:
        facts, skipped = window_facts(tree, texts, cache, settings, show)
    options = windows.Options(tree.root, not tree.features.masked_directed)
    reached = Reached(tree.root, tree.root, cache)
    common = _fingerprint(tree, options, reached)
    included = reached.states(facts)
    keys = {
        file: _key(common, file, texts[file], seen, included[file])
        for file, seen in facts.items()
    }

    def make(files: list[str]) -> Iterator[tuple[str, _Seen]]:
        todo = [
            _Task(
                file,
                texts[file],
                load(facts[file], file) if facts[file] else Facts(file),
                options,
            )
            for file in files
        ]
        with settings.observer.progress("checking windows") as show:
            for task, seen in spread(
                _look, todo, settings.jobs, WORTH_A_PROCESS, show, settings.timeout
            ):
                if isinstance(seen, Failure):
                    seen = _Seen((), (Skip(task.file, seen.why),))
                yield task.file, seen

    made = remembered(cache, keys, lambda _, data: rebuilt(_Seen, data), make, asdict)
    # In the order of the files, not of what was known.
    every = [made[file] for file in keys]
    reports = [report for seen in every for report in seen.found]
    return reports, [*skipped, *(skip for seen in every for skip in seen.skipped)]


def window_facts(
    tree: Tree,
    files: Iterable[str],
    cache: Cache,
    settings: Settings,
    show: Step | None,
) -> tuple[dict[str, Any], list[Skip]]:
    """What spatch finds in files with windows, and the files that it skipped."""
    script = DATA / WINDOW_SCRIPT
    return spatch.facts(
        tree,
        script,
        list(files),
        cache,
        settings.jobs,
        settings.timeout,
        show,
        extra_inputs=modules_of(script),
        check=check,
    )


def _look(task: _Task) -> _Seen:
    return _Seen(*windows.check(task.text, task.facts, task.options))


def _fingerprint(tree: Tree, options: windows.Options, reached: Reached) -> bytes:
    """Hash what a report depends on, except for the file and its facts."""
    # The accessors of all architectures, and what may be called in a window, which objtool knows.
    headers = (str(path.relative_to(tree.root)) for path in accessors(tree.root))
    others = reached.others((CHECK, *headers))
    asked = f"windows {options.one_flavour} {others}"
    return fingerprint(asked, Path(windows.__file__))


def _key(
    common: bytes, file: str, text: str, facts: dict[str, Any], included: str
) -> str:
    # Which names are macros or inline functions is read from what the file includes.
    parts = (
        file.encode(),
        encode(text),
        json.dumps(facts).encode(),
        included.encode(),
    )
    digest = hashlib.sha256(common)
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()
