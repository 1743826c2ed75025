# SPDX-License-Identifier: GPL-2.0
"""Run a semantic patch over many files and collect the facts it reports.

The script is started with ``-D report -D facts=FILE`` and appends one line to FILE for each
source file it has finished: ``{"file": absolute path, "facts": {...}}``. A file without a line
failed, timed out, or came after one that crashed spatch; it is retried alone before it is
skipped.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from hotcocci.c.excerpt import Excerpt, Wanted, excerpt, is_seen
from hotcocci.cache import Cache
from hotcocci.c.facts_json import load
from hotcocci.engines.spatch_process import Answer, Facts, Runner, first_complaint
from hotcocci.errors import UserError
from hotcocci.findings import Skip
from hotcocci.tree.kernel import Tree

Progress = Callable[[int, int], None]

# Small enough to show progress, large enough to hide the cost of starting spatch.
FILES_PER_PROCESS = 40
# Bytes. With less free space for temporary files, missing answers are due to a full disk.
FULL_BELOW = 1 << 20
SILENT = "spatch could not parse it"


@dataclass(frozen=True)
class _Outcome:
    """The facts and the failures of some files, by path relative to the tree."""

    facts: dict[str, Facts] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


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
    defines: Sequence[str] = (),
    wanted: Wanted | None = None,
) -> tuple[dict[str, Facts], list[Skip]]:
    """Run the script over files: the facts of each by name, and the files that were skipped.

    ``files`` are relative to the tree, as are the keys of the result. ``timeout`` is in seconds
    per file. ``extra_inputs`` are files, apart from the script and its macro file, that the
    result depends on; ``defines`` are passed with ``-D``. With ``wanted``, spatch first gets
    excerpts, and the whole file if a wanted function is not seen in its excerpt; this must not
    change the result. ``progress`` is called with the number of files done and their total.
    Raises UserError if spatch is missing or cannot run the script.
    """
    program = shutil.which("spatch")
    if program is None:
        raise UserError(
            "spatch is not installed: apt-get install coccinelle, or run.py --setup COMMAND"
        )
    common = _fingerprint(program, script, extra_inputs, defines)
    skipped: dict[str, str] = {}
    keys: dict[str, str] = {}
    sizes: dict[str, int] = {}
    for file in files:
        try:
            data = (tree.root / file).read_bytes()
        except OSError as error:
            skipped[file] = f"cannot be read: {error.strerror}"
            continue
        place = hashlib.sha256(file.encode("utf-8", "surrogateescape")).digest()
        keys[file] = hashlib.sha256(common + place + data).hexdigest()
        sizes[file] = len(data)

    found: dict[str, Facts] = {}
    known = cache.answers(
        [key for key in keys.values()]
        + [_failure_key(key, timeout) for key in keys.values()]
    )
    todo: list[str] = []
    for file, key in keys.items():
        answer = known.get(key)
        failure = known.get(_failure_key(key, timeout))
        if isinstance(answer, dict):
            found[file] = answer
        elif isinstance(failure, str):
            skipped[file] = failure
        else:
            todo.append(file)

    def take(outcome: _Outcome) -> None:
        found.update(outcome.facts)
        skipped.update(outcome.failed)
        answers: dict[str, object] = {
            keys[file]: answer for file, answer in outcome.facts.items()
        }
        answers.update(
            {
                _failure_key(keys[file], timeout): reason
                for file, reason in outcome.failed.items()
            }
        )
        cache.remember(answers)
        if progress:
            progress(len(found) + len(skipped), len(files))

    if progress:
        progress(len(found) + len(skipped), len(files))
    if todo:
        with tempfile.TemporaryDirectory(prefix="hotcocci-") as folder:
            runner = Runner(
                program, tree, script.resolve(), timeout, Path(folder), defines, wanted
            )
            _run_all(runner, _shards(todo, sizes, jobs), jobs, take)
    return found, [Skip(file, reason) for file, reason in sorted(skipped.items())]


def _run_all(
    runner: Runner,
    shards: Sequence[Sequence[str]],
    jobs: int,
    take: Callable[[_Outcome], None],
) -> None:
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        waiting: set[Future[_Outcome]] = {
            pool.submit(_outcome, runner, shard) for shard in shards
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


def _outcome(runner: Runner, shard: Sequence[str]) -> _Outcome:
    """The facts of one shard's files, from their excerpts where possible."""
    whole = {str(runner.tree.root / file): file for file in shard}
    if runner.wanted is None:
        return _tried(runner, whole)
    parts = _excerpts(runner.tree, shard, runner.wanted)
    outcome = _tried(runner, {runner.lay_out(f, part): f for f, part in parts.items()})
    enough = {
        file
        for file, seen in outcome.facts.items()
        if is_seen(_lines(seen), parts[file])
    }
    again = _tried(
        runner, {path: file for path, file in whole.items() if file not in enough}
    )
    return _Outcome({**outcome.facts, **again.facts}, again.failed)


def _excerpts(tree: Tree, files: Sequence[str], wanted: Wanted) -> dict[str, Excerpt]:
    """The excerpt of each file that can be read."""
    parts = {}
    for file in files:
        try:
            parts[file] = excerpt(file, (tree.root / file).read_bytes(), wanted)
        except OSError:
            # Deleted meanwhile: the run over the whole file reports it.
            continue
    return parts


def _lines(seen: Facts) -> list[int]:
    """The lines of the accesses in facts; see `hotcocci.c.facts_json`."""
    return [access.call.line for access in load(seen, "").accesses] if seen else []


def _tried(runner: Runner, files: dict[str, str]) -> _Outcome:
    """The facts of files, a map from path to name; files that failed in a batch are retried alone."""
    outcome = _Outcome()
    remaining = list(files)
    while remaining:
        answer = runner.run(remaining)
        outcome.facts.update(
            {
                files[path]: answer.facts[path]
                for path in remaining
                if path in answer.facts
            }
        )
        remaining = [path for path in remaining if path not in answer.facts]
        if not remaining:
            break
        _check_disk()
        if not answer.facts and answer.code:
            runner.check_script(answer.messages)
        # spatch works in the order given: if it crashed, it did on the first file without an
        # answer, and the others are retried together.
        alone, remaining = (
            (remaining[:1], remaining[1:]) if answer.code else (remaining, [])
        )
        for path in alone:
            _alone(runner, path, files[path], outcome)
    return outcome


def _alone(runner: Runner, path: str, file: str, outcome: _Outcome) -> None:
    answer = runner.run([path])
    if path in answer.facts:
        outcome.facts[file] = answer.facts[path]
        return
    _check_disk()
    if answer.code == 0 and f"Skipping: {path}" in answer.messages:
        # It does not contain the words that the script's rules need.
        outcome.facts[file] = {}
        return
    if "Error in Python script" in answer.messages:
        runner.check_script(answer.messages)
    reason = _reason(answer, runner.timeout)
    if reason == SILENT and f"HANDLING: {path}" in answer.messages:
        # It processed the file and no rule matched: the words are in comments, or in code that
        # it cannot parse. hotcocci.c.unseen tells which.
        outcome.facts[file] = {}
        return
    outcome.failed[file] = reason


def _reason(answer: Answer, timeout: int) -> str:
    if (
        re.search(r"timeout", answer.messages, re.IGNORECASE)
        or answer.code == -signal.SIGKILL
    ):
        return f"spatch took longer than {timeout} s: try a longer --timeout"
    if answer.code < 0:
        return f"spatch was killed by {signal.Signals(-answer.code).name}"
    if answer.code or "EXN:" in answer.messages:
        return f"spatch failed: {first_complaint(answer.messages)}"
    return SILENT


def _shards(files: Sequence[str], sizes: dict[str, int], jobs: int) -> list[list[str]]:
    """Distribute the files over shards of about equal size, the largest files first."""
    count = max(min(jobs, len(files)), -(-len(files) // FILES_PER_PROCESS))
    shards: list[list[str]] = [[] for _ in range(count)]
    weights = [0] * count
    for file in sorted(files, key=lambda f: -sizes[f]):
        lightest = weights.index(min(weights))
        shards[lightest].append(file)
        weights[lightest] += sizes[file]
    return shards


def _fingerprint(
    program: str, script: Path, extra_inputs: Sequence[Path], defines: Sequence[str]
) -> bytes:
    """A hash of all inputs to an answer apart from the source file."""
    inputs = [script, script.parent / "macros.h", *extra_inputs]
    digest = hashlib.sha256(
        subprocess.run([program, "--version"], capture_output=True, check=False).stdout
    )
    digest.update("\0".join(defines).encode())
    for file in inputs:
        try:
            data = file.read_bytes() if file != inputs[1] or file.exists() else b""
        except OSError as error:
            raise UserError(
                f"cannot read {file}: {error.strerror}: restore it"
            ) from error
        digest.update(hashlib.sha256(data).digest())
    return digest.digest()


def _failure_key(key: str, timeout: int) -> str:
    """The cache key of a failure, which a longer timeout may avoid."""
    return f"{key}:failed:{timeout}"


def _check_disk() -> None:
    folder = tempfile.gettempdir()
    if shutil.disk_usage(folder).free < FULL_BELOW:
        raise UserError(
            f"no space left in {folder}: free some, or name another folder in TMPDIR"
        )
