# SPDX-License-Identifier: GPL-2.0
"""Run a semantic patch over many files and collect the facts it reports.

The script is started with ``-D report -D facts=FILE`` and appends one line to FILE for each source
file with matches: ``{"file": absolute path, "facts": {...}}``.

Facts are cached by the text that spatch gets: an excerpt, which most edits of a file leave unchanged.

A file that crashed spatch is retried alone; one that took too long is not.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from hotcocci.c.excerpt import Excerpt, Wanted, excerpt, joined
from hotcocci.c.matches import renumbered
from hotcocci.cache import Cache, recalled
from hotcocci.engines.spatch_process import NOISE, Answer, Facts, Runner, messages_of
from hotcocci.errors import AGAIN, UserError, told, unreadable
from hotcocci.findings import BUSY, Skip
from hotcocci.pool import Failure, attempted
from hotcocci.records import rebuilt
from hotcocci.tree.kernel import Tree
from hotcocci.tree.process import complaint, failure_of_machine, place
from hotcocci.tree.source import read

# Small enough to show progress, large enough to hide the cost of starting spatch.
FILES_PER_PROCESS = 200
# Bytes that spatch parses in half of the time it takes to start (0.1 s): more processes would not pay for less.
BYTES_PER_PROCESS = 20_000
# Bytes. With less free space for temporary files, missing answers are due to a full disk.
FULL_BELOW = 1 << 20
SILENT = "spatch could not parse it"
_VERSION = b"LINUX_VERSION_CODE"
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
        for own, others in zip(vars(self).values(), vars(other).values(), strict=True):
            own.update(others)


def run_all(
    runner: Runner,
    parts: Mapping[str, Excerpt],
    jobs: int,
    take: Callable[[Outcome], None],
) -> None:
    """Run spatch on excerpts of files, and pass on the outcome for some at a time."""
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        waiting: set[Future[Outcome]] = {
            pool.submit(_outcome, runner, {f: parts[f] for f in shard})
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


def _outcome(runner: Runner, parts: Mapping[str, Excerpt]) -> Outcome:
    """The facts of some excerpts."""
    return _tried(runner, {runner.lay_out(f, p.text): f for f, p in parts.items()})


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
        took = f"got less than {timeout} s of processor time: {AGAIN}"
        outcome.slow[file] = f"{BUSY}: spatch {took}"
    elif answer.late or _TIMEOUT.search(messages):
        took = f"took longer than {timeout} s: with a longer --timeout, {AGAIN}"
        outcome.slow[file] = f"spatch {took}"
    elif why := failure_of_machine(answer.code or "EXN:" in messages, messages):
        outcome.failed[file] = f"spatch {why}: {AGAIN}"
    elif answer.code or "EXN:" in messages or "Error in Python script" in messages:
        outcome.failed[file] = f"spatch failed: {complaint(messages, NOISE)}"
    else:
        # The words that the script's rules need are in comments, or in code that spatch cannot
        # parse. hotcocci.c.excerpt tells which.
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
        remedy = "free some, or name another folder in TMPDIR"
        raise UserError(f"no space left in {folder}: {remedy}")


# Why files were given up that took too long, by key.
_slow: dict[str, str] = {}

Progress = Callable[[int, int], None]


def _as_seen(_part: Excerpt, facts: Facts) -> Facts:
    return facts


def facts(
    tree: Tree,
    script: Path,
    files: Sequence[str],
    cache: Cache,
    jobs: int,
    timeout: int,
    progress: Progress | None = None,
    *,
    extra_inputs: Sequence[Path] = (),
    version: int | None = None,
    wanted: Wanted | None = None,
    check: Callable[[Facts], object] = bool,
    completed: Callable[[Excerpt, Facts], Facts] = _as_seen,
) -> tuple[dict[str, Facts], list[Skip]]:
    """Run the script over files: the facts of each by name, and the files that were skipped.

    ``files`` are relative to the tree, as are the keys of the result. ``timeout`` is in seconds per file, for all
    scripts together. ``extra_inputs`` are files, apart from the script and its macro file, that the result depends
    on; ``version`` is LINUX_VERSION_CODE. With ``wanted``, spatch gets excerpts; only wanted functions have facts
    then. ``check`` raises LookupError, TypeError or ValueError for facts of another shape, which the cache may
    have. ``completed`` adds to the facts on a text what spatch did not see. ``progress`` is called with the number
    of files done and their total. Raises UserError if spatch is missing or cannot run the script.
    """
    program = shutil.which("spatch")
    if program is None:
        raise UserError("spatch is not installed: apt-get install coccinelle")
    state = _state(program)
    common = _fingerprint(state, script, extra_inputs)
    found: dict[str, Facts] = {}
    skipped: dict[str, str] = {}
    texts: dict[str, bytes] = {}
    for file in files:
        try:
            texts[file] = read(tree.root / file)
        except OSError as error:
            skipped[file] = unreadable(error)

    # A file that took too long is given up for all scripts of this run.
    slow = b"slow %d" % timeout + state
    slow_keys = _keys(slow, texts) if _slow else {}
    skipped |= {f: _slow[key] for f, key in slow_keys.items() if key in _slow}
    parts: dict[str, Excerpt] = {}

    def part_of(file: str) -> Excerpt:
        """The part of a file that is given to spatch."""
        text = texts[file]
        return excerpt(file, text, wanted) if wanted else Excerpt(joined(text), ())

    for file in [file for file in texts if file not in skipped]:
        made = attempted(part_of, timeout, file)
        if isinstance(made, Failure):
            skipped[file] = made.why
            _slow[_keys(slow, {file: texts[file]})[file]] = made.why
        else:
            parts[file] = made
    # It decides which accesses are missed, where it is named: other kernels have most functions, too.
    at = str(version).encode()
    asked = {f: p.text + (at if _VERSION in p.text else b"") for f, p in parts.items()}
    keys = _keys(common, asked)

    def in_file(seen: Mapping[str, Facts]) -> dict[str, Facts]:
        """Facts with the lines of the whole files."""
        if wanted is None:
            return dict(seen)
        return {f: renumbered(each, parts[f].line) for f, each in seen.items()}

    def show() -> None:
        if progress:
            progress(len(found) + len(skipped), len(files))

    def checked(file: str, seen: Facts) -> Facts:
        if not isinstance(seen, dict):
            raise TypeError(f"these are no facts on {file}")
        if seen:
            check(seen)
        return seen

    found |= in_file(recalled(cache, keys, checked))
    rest = {file: part for file, part in parts.items() if file not in found}
    failure_keys = {file: f"failed {keys[file]}" for file in rest}
    slow_keys = _keys(slow, {f: texts[f] for f in rest})
    skipped |= recalled(cache, failure_keys, lambda _, why: rebuilt(str, why))
    show()

    def take(outcome: Outcome) -> None:
        fresh = {
            file: completed(parts[file], seen) for file, seen in outcome.facts.items()
        }
        found.update(in_file(fresh))
        failed = outcome.failed | outcome.slow
        skipped.update(failed)
        slow = {f: w for f, w in outcome.slow.items() if not w.startswith(BUSY)}
        _slow.update({slow_keys[file]: why for file, why in slow.items()})
        answers: dict[str, object] = {keys[file]: seen for file, seen in fresh.items()}
        cache.remember(answers | {failure_keys[f]: why for f, why in failed.items()})
        show()

    inputs = {file: part for file, part in rest.items() if file not in skipped}
    if inputs:
        with tempfile.TemporaryDirectory(prefix="hotcocci-") as folder:
            inside = Path(folder)
            runner = Runner(program, tree, script.resolve(), timeout, inside, check)
            run_all(runner, inputs, jobs, take)
    return found, [Skip(file, reason) for file, reason in sorted(skipped.items())]


def _keys(common: bytes, texts: Mapping[str, bytes]) -> dict[str, str]:
    """The cache key of an answer on each file; a script may look at the name."""
    before = hashlib.sha256(common).digest()
    names = {f: hashlib.sha256(f.encode("utf-8", "surrogateescape")) for f in texts}
    return {
        file: hashlib.sha256(before + names[file].digest() + text).hexdigest()
        for file, text in texts.items()
    }


def _state(program: str) -> bytes:
    """Identifies the installed spatch; asking it for its version takes longer than a known file."""
    path = Path(program).resolve()
    status = path.stat()
    return os.fsencode(f"{path} {status.st_size} {status.st_mtime_ns}")


def _fingerprint(state: bytes, script: Path, extra_inputs: Sequence[Path]) -> bytes:
    """A hash of all inputs to an answer apart from the source file."""
    inputs = [script, script.parent / "macros.h", *extra_inputs]
    digest = hashlib.sha256(state)
    for file in inputs:
        with told(f"read {file}", "restore it"):
            data = read(file) if file != inputs[1] or file.exists() else b""
        digest.update(hashlib.sha256(data).digest())
    return digest.digest()
