# SPDX-License-Identifier: GPL-2.0
"""Get the facts of many files from spatch processes, and the reason for each that has none.

A file that crashed spatch is retried alone; one that took too long is not. Functions that spatch does
not see are tried once more in a simpler form.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

from hotcocci.c.excerpt import Excerpt, InCode, joined, missed, simplified
from hotcocci.c.matches import load, merged, renumbered
from hotcocci.engines.spatch_process import (
    Answer,
    Facts,
    Runner,
    first_complaint,
    messages_of,
)
from hotcocci.errors import AGAIN, UserError
from hotcocci.findings import BUSY
from hotcocci.temporary import place
from hotcocci.tree.process import failure_of_machine

# Small enough to show progress, large enough to hide the cost of starting spatch.
FILES_PER_PROCESS = 200
# Bytes. With less free space for temporary files, missing answers are due to a full disk.
FULL_BELOW = 1 << 20
SILENT = "spatch could not parse it"
_TIMEOUT = re.compile(r"EXN: \S*Timeout\b")


@dataclass(frozen=True)
class Outcome:
    """The facts and the failures of some files, by path relative to the tree.

    ``excerpts`` are facts with the lines of the file's excerpt, even if they are not enough;
    ``slow`` are failures due to the time limit or a busy machine.
    """

    facts: dict[str, Facts] = field(default_factory=dict)
    excerpts: dict[str, Facts] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    slow: dict[str, str] = field(default_factory=dict)

    def add(self, other: Outcome) -> None:
        """Add the outcome for other files."""
        self.facts.update(other.facts)
        self.excerpts.update(other.excerpts)
        self.failed.update(other.failed)
        self.slow.update(other.slow)


@dataclass(frozen=True)
class Input:
    """The text of a file. ``part`` is its excerpt, None if all of its functions matter; ``cut`` is set
    unless the excerpt is known not to be enough."""

    text: bytes
    part: Excerpt | None = None
    cut: bool = True


def run_all(
    runner: Runner,
    inputs: Mapping[str, Input],
    jobs: int,
    take: Callable[[Outcome], None],
    wanted: InCode | None = None,
) -> None:
    """Run spatch on files, and pass on the outcome for some at a time; ``wanted`` stays where a function is simplified."""
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        waiting: set[Future[Outcome]] = {
            pool.submit(_outcome, runner, {f: inputs[f] for f in shard}, wanted)
            for shard in _shards({f: len(i.text) for f, i in inputs.items()}, jobs)
        }
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    take(future.result())
        except BaseException:
            # On Ctrl-C above all: leave no spatch running.
            pool.shutdown(wait=False, cancel_futures=True)
            runner.end()
            raise


def is_enough(seen: Facts, part: Excerpt) -> bool:
    """Whether the facts of an excerpt have an access in each function that matters."""
    return not missed(_lines(seen), part)


def _lines(seen: Facts) -> list[int]:
    """The lines of the accesses."""
    return [a.call.line for a in load(seen, "").accesses]


def _outcome(
    runner: Runner, shard: Mapping[str, Input], wanted: InCode | None
) -> Outcome:
    """The facts of one shard's files, from their excerpts where possible."""
    parts = {file: each.part for file, each in shard.items() if each.part is not None}
    cut = _tried(
        runner,
        {runner.lay_out(f, p.text): f for f, p in parts.items() if shard[f].cut},
    )
    rest = [
        file
        for file in shard
        # A whole file takes longer than its excerpt.
        if file not in cut.slow
        and not (file in cut.facts and is_enough(cut.facts[file], parts[file]))
    ]
    outcome = Outcome(excerpts=cut.facts, slow=cut.slow)
    outcome.add(_tried(runner, {_whole(runner, f, shard[f].text): f for f in rest}))
    if wanted is not None:
        again = {f: parts[f] for f in rest if f in parts and f in outcome.facts}
        outcome.add(_simpler(runner, again, outcome.facts, wanted))
    return outcome


def _whole(runner: Runner, file: str, text: bytes) -> str:
    """The path of a file, or of its text with Unix line ends; spatch takes what follows a colon for a line."""
    unix, path = joined(text), str(runner.tree.root / file)
    return path if unix == text and ":" not in path else runner.lay_out(file, unix)


def _simpler(
    runner: Runner,
    parts: Mapping[str, Excerpt],
    known: Mapping[str, Facts],
    wanted: InCode,
) -> Outcome:
    """The facts known of some files, and those of functions that were not seen, from a simpler text."""
    unseen: dict[str, list[tuple[int, int]]] = {}
    laid_out: dict[str, str] = {}
    for file, part in parts.items():
        lines = frozenset(_lines(known[file]))
        own = [
            n for n, _ in enumerate(part.text.split(b"\n"), 1) if part.line(n) in lines
        ]
        unseen[file] = missed(own, part)
        text = simplified(part, unseen[file], wanted)
        if text != part.text:
            laid_out[runner.lay_out(file, text)] = file
    found: dict[str, Facts] = {}
    for file, seen in _tried(runner, laid_out).facts.items():
        line = parts[file].line
        places = [(line(first), line(last)) for first, last in unseen[file]]
        if seen:
            found[file] = merged(known[file], renumbered(seen, line), places)
    return Outcome(facts=found)


def _tried(runner: Runner, files: Mapping[str, str]) -> Outcome:
    """The facts of files, a map from path to name."""
    outcome = Outcome()
    remaining = list(files)
    while remaining:
        answer = runner.run(remaining)
        seen = [path for path in remaining if path in answer.facts]
        outcome.facts.update({files[path]: answer.facts[path] for path in seen})
        missing = [path for path in remaining if path not in answer.facts]
        if not missing:
            break
        _check_disk()
        begun = messages_of(answer.messages, remaining)
        # What began no file is no spatch, whether it ended or hangs.
        started = seen or begun or answer.starved
        if "Error in Python script" in answer.messages or not started:
            runner.check_script(answer)
        stopped = _stopped_at(answer, missing, begun)
        for path in missing:
            if path in begun and path != stopped:
                _judge(Answer({}, 0, begun[path]), files[path], runner.timeout, outcome)
        remaining = [p for p in missing if p not in begun and p != stopped]
        if stopped is None:
            outcome.failed.update({files[path]: SILENT for path in remaining})
            break
        if answer.late or len(files) == 1:
            _judge(answer, files[stopped], runner.timeout, outcome)
        else:
            outcome.add(_tried(runner, {stopped: files[stopped]}))
    return outcome


def _stopped_at(
    answer: Answer, missing: Sequence[str], begun: Mapping[str, str]
) -> str | None:
    """The file without facts at which spatch crashed or was killed; None if it finished."""
    if not answer.code:
        return None
    # spatch works in the order given.
    last = list(begun)[-1] if begun else missing[0]
    return last if last in missing else missing[0]


def _judge(answer: Answer, file: str, timeout: int, outcome: Outcome) -> None:
    """Add a file without facts to the outcome, judging by what spatch said on it."""
    messages = answer.messages
    if answer.starved:
        outcome.slow[file] = (
            f"{BUSY}: spatch got less than {timeout} s of processor time: {AGAIN}"
        )
    elif answer.late or _TIMEOUT.search(messages):
        outcome.slow[file] = (
            f"spatch took longer than {timeout} s: with a longer --timeout, {AGAIN}"
        )
    elif why := failure_of_machine(answer.code or "EXN:" in messages, messages):
        outcome.failed[file] = f"spatch {why}: {AGAIN}"
    elif answer.code or "EXN:" in messages or "Error in Python script" in messages:
        outcome.failed[file] = f"spatch failed: {first_complaint(messages)}"
    else:
        # The words that the script's rules need are in comments, or in code that spatch cannot
        # parse. hotcocci.c.syntax.unseen() tells which.
        outcome.facts[file] = {}


def _shards(sizes: Mapping[str, int], jobs: int) -> list[list[str]]:
    """Distribute files over shards of about equal size, the largest files first."""
    count = max(min(jobs, len(sizes)), -(-len(sizes) // FILES_PER_PROCESS))
    shards: list[list[str]] = [[] for _ in range(count)]
    weights = [0] * count
    for file in sorted(sizes, key=lambda f: -sizes[f]):
        lightest = weights.index(min(weights))
        shards[lightest].append(file)
        weights[lightest] += sizes[file]
    return shards


def _check_disk() -> None:
    folder = place()
    if shutil.disk_usage(folder).free < FULL_BELOW:
        raise UserError(
            f"no space left in {folder}: free some, or name another folder in TMPDIR"
        )
