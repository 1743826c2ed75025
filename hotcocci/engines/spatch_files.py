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
from functools import partial

from hotcocci.c.excerpt import Excerpt, InCode, alone, missed, simplified
from hotcocci.c.matches import load, merged
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
# Bytes that spatch parses in half of the time it takes to start (0.33 s): more processes would not pay for less.
BYTES_PER_PROCESS = 50_000
# Bytes. With less free space for temporary files, missing answers are due to a full disk.
FULL_BELOW = 1 << 20
SILENT = "spatch could not parse it"
_TIMEOUT = re.compile(r"EXN: \S*Timeout\b")


@dataclass(frozen=True)
class Outcome:
    """The facts and the failures of some files, by path relative to the tree.

    Facts have the lines of the text that spatch got; ``slow`` are failures due to the time limit or a busy
    machine.
    """

    facts: dict[str, Facts] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    slow: dict[str, str] = field(default_factory=dict)

    def add(self, other: Outcome) -> None:
        """Add the outcome for other files."""
        self.facts.update(other.facts)
        self.failed.update(other.failed)
        self.slow.update(other.slow)


def run_all(
    runner: Runner,
    parts: Mapping[str, Excerpt],
    jobs: int,
    take: Callable[[Outcome], None],
    wanted: InCode | None = None,
) -> None:
    """Run spatch on excerpts of files, and pass on the outcome for some at a time.

    ``wanted`` is what stays of a function that is simplified.
    """
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        waiting: set[Future[Outcome]] = {
            pool.submit(_outcome, runner, {f: parts[f] for f in shard}, wanted)
            for shard in _shards({f: len(p.text) for f, p in parts.items()}, jobs)
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


def _lines(seen: Facts) -> list[int]:
    """The lines of the accesses."""
    return [a.call.line for a in load(seen, "").accesses]


def _outcome(
    runner: Runner, parts: Mapping[str, Excerpt], wanted: InCode | None
) -> Outcome:
    """The facts of some excerpts; those of functions that spatch does not see come from a simpler text."""
    outcome = _tried(runner, {runner.lay_out(f, p.text): f for f, p in parts.items()})
    if wanted is None:
        return outcome
    # What spatch cannot parse hides the functions around it.
    for simpler in (alone, partial(simplified, wanted=wanted)):
        unseen = {f: _unseen(parts[f], s, wanted) for f, s in outcome.facts.items()}
        texts = {file: simpler(parts[file], at) for file, at in unseen.items() if at}
        laid_out = {
            runner.lay_out(file, text): file
            for file, text in texts.items()
            if text != parts[file].text
        }
        again = _tried(runner, laid_out)
        for file, seen in again.facts.items():
            if seen:
                known = outcome.facts[file]
                outcome.facts[file] = merged(known, seen, unseen[file])
        # What the facts lack for such a reason says nothing about the file.
        lost = {f: w for f, w in again.failed.items() if w.endswith(AGAIN)}
        for file in lost.keys() | again.slow.keys():
            del outcome.facts[file]
        outcome.failed.update(lost)
        outcome.slow.update(again.slow)
    return outcome


def _unseen(part: Excerpt, seen: Facts, wanted: InCode) -> list[tuple[int, int]]:
    """The first and last lines of each function that matters and has no fact."""
    lines = part.text.split(b"\n")
    return [
        (first, last)
        for first, last in missed(_lines(seen), part)
        if wanted(b"\n".join(lines[first - 1 : last]))
    ]


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
        # parse. hotcocci.c.unseen tells which.
        outcome.facts[file] = {}


def _shards(sizes: Mapping[str, int], jobs: int) -> list[list[str]]:
    """Distribute files over shards of about equal size, the largest files first."""
    least = -(-sum(sizes.values()) // BYTES_PER_PROCESS)
    count = max(min(jobs, len(sizes), least), -(-len(sizes) // FILES_PER_PROCESS), 1)
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
