# SPDX-License-Identifier: GPL-2.0
"""Running a semantic patch over many files and collecting the facts it sees.

The script is started with ``-D report -D facts=FILE`` and appends one line to FILE for each
source file it is done with: ``{"file": absolute path, "facts": {...}}``. A file without a
line failed, or took too long, or stood behind one that brought spatch down: it is tried
again alone before it is given up.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from hotcocci.cache import Cache
from hotcocci.errors import UserError
from hotcocci.findings import Skip
from hotcocci.tree.kernel import Tree

Facts = dict[str, object]
Progress = Callable[[int, int], None]

# Small enough that progress is seen, large enough that starting spatch does not count.
FILES_PER_PROCESS = 40
# spatch's own time limit does not reach every phase of its work: after this many seconds
# more for each file the process is ended from outside.
GRACE = 30
# Less than this on the disk of the temporary files explains answers that did not arrive.
FULL_BELOW = 1 << 20
SILENT = "spatch did not understand it"

PROBE = "int f(int *p)\n{\n\tint v;\n\n\treturn get_user(v, p);\n}\n"


@dataclass(frozen=True)
class _Answer:
    """What one spatch process wrote: the facts by absolute path, and how it ended."""

    facts: dict[str, Facts]
    code: int
    messages: str


@dataclass(frozen=True)
class _Outcome:
    """The facts and the failures of some files, by path relative to the tree."""

    facts: dict[str, Facts] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


class _Runner:
    """The running spatch processes of one call, so that all of them can be ended."""

    def __init__(
        self,
        program: str,
        tree: Tree,
        script: Path,
        timeout: int,
        folder: Path,
        defines: Sequence[str],
    ) -> None:
        self.tree = tree
        self.timeout = timeout
        self._folder = folder
        self._command = [
            program,
            "--sp-file",
            str(script),
            "-D",
            "report",
            "--no-includes",
            "--no-show-diff",
        ]
        for define in defines:
            self._command += ["-D", define]
        macros = script.parent / "macros.h"
        if macros.is_file():
            self._command += ["--macro-file", str(macros)]
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._ended = False
        self._probed: bool | None = None

    def run(self, files: Sequence[str]) -> _Answer:
        """Run the script over absolute paths, each a group of its own."""
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            folder = Path(name)
            answers = folder / "facts"
            groups = folder / "files"
            # Without the empty line between them spatch parses all files as one program.
            groups.write_bytes(
                b"\n\n".join(os.fsencode(file) for file in files) + b"\n"
            )
            command = [
                *self._command,
                "--timeout",
                str(self.timeout),
                "-D",
                f"facts={answers}",
                "--file-groups",
                str(groups),
            ]
            with (folder / "stderr").open("w+b") as messages:
                code = self._wait(command, folder, messages.fileno(), len(files))
                messages.seek(0)
                text = messages.read().decode(errors="replace")
            return _Answer(_read_answers(answers), code, text)

    def _wait(
        self, command: Sequence[str], folder: Path, messages: int, files: int
    ) -> int:
        with self._lock:
            if self._ended:
                raise UserError("interrupted: nothing was written")
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=messages,
                env={**os.environ, "LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1"},
                # A group of its own: Ctrl-C reaches only us, and we end the whole group.
                process_group=0,
            )
            self._running.add(process)
        try:
            return process.wait(timeout=files * (self.timeout + GRACE))
        except subprocess.TimeoutExpired:
            _kill(process)
            return process.wait()
        finally:
            with self._lock:
                self._running.discard(process)

    def end(self) -> None:
        """End every running process and let no other start."""
        with self._lock:
            self._ended = True
            for process in self._running:
                _kill(process)

    def check_script(self, messages: str) -> None:
        """Raise UserError if the script fails on any file at all, not just on those it was given."""
        with self._lock:
            probed = self._probed
        if probed is None:
            probe = self._folder / "probe.c"
            probe.write_text(PROBE, encoding="ascii")
            answer = self.run([str(probe)])
            probed = str(probe) in answer.facts
            with self._lock:
                self._probed = probed
        if not probed:
            raise UserError(
                f"spatch cannot run {self._command[2]} ({_first_complaint(messages)}): "
                "restore the script, or see with 'spatch --parse-cocci' what is wrong"
            )


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
) -> tuple[dict[str, Facts], list[Skip]]:
    """What the script sees in each file, and the files in which it could not look.

    ``files`` are relative to the tree, and so are the keys of the answer; ``timeout`` is in
    seconds and holds for each file; ``extra_inputs`` are the files besides the script and its
    macro file that its answer depends on, ``defines`` what it is told by ``-D``. ``progress`` is told how many of how many files are
    done. Raises UserError if spatch is missing or cannot run the script.
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
    wanted: list[str] = []
    for file, key in keys.items():
        answer = known.get(key)
        failure = known.get(_failure_key(key, timeout))
        if isinstance(answer, dict):
            found[file] = answer
        elif isinstance(failure, str):
            skipped[file] = failure
        else:
            wanted.append(file)

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
    if wanted:
        with tempfile.TemporaryDirectory(prefix="hotcocci-") as folder:
            runner = _Runner(
                program, tree, script.resolve(), timeout, Path(folder), defines
            )
            _run_all(runner, _shards(wanted, sizes, jobs), jobs, take)
    return found, [Skip(file, reason) for file, reason in sorted(skipped.items())]


def _run_all(
    runner: _Runner,
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
            # Also, and above all, for Ctrl-C: no spatch may go on working for nobody.
            pool.shutdown(wait=False, cancel_futures=True)
            runner.end()
            raise


def _outcome(runner: _Runner, shard: Sequence[str]) -> _Outcome:
    """The facts of one shard's files; what failed in company is tried again alone."""
    outcome = _Outcome()
    absolute = {str(runner.tree.root / file): file for file in shard}
    left = list(absolute)
    while left:
        answer = runner.run(left)
        outcome.facts.update(
            {
                absolute[path]: answer.facts[path]
                for path in left
                if path in answer.facts
            }
        )
        left = [path for path in left if path not in answer.facts]
        if not left:
            break
        _check_disk()
        if not answer.facts and answer.code:
            runner.check_script(answer.messages)
        # spatch works in the order given: if it came down, then on the first file without an
        # answer, and the others deserve another try together.
        alone, left = (left[:1], left[1:]) if answer.code else (left, [])
        for path in alone:
            _alone(runner, path, absolute[path], outcome)
    return outcome


def _alone(runner: _Runner, path: str, file: str, outcome: _Outcome) -> None:
    answer = runner.run([path])
    if path in answer.facts:
        outcome.facts[file] = answer.facts[path]
        return
    _check_disk()
    if answer.code == 0 and f"Skipping: {path}" in answer.messages:
        # It does not hold the words that the script's rules need: there is nothing to see.
        outcome.facts[file] = {}
        return
    if "Error in Python script" in answer.messages:
        runner.check_script(answer.messages)
    reason = _reason(answer, runner.timeout)
    if reason == SILENT and f"HANDLING: {path}" in answer.messages:
        # It went through the file and no rule matched: all that is looked for stands in
        # comments, or where it cannot parse. Which of them is told by hotcocci.c.unseen.
        outcome.facts[file] = {}
        return
    outcome.failed[file] = reason


def _reason(answer: _Answer, timeout: int) -> str:
    if (
        re.search(r"timeout", answer.messages, re.IGNORECASE)
        or answer.code == -signal.SIGKILL
    ):
        return f"spatch took longer than {timeout} s: try a longer --timeout"
    if answer.code < 0:
        return f"spatch was ended by {signal.Signals(-answer.code).name}"
    if answer.code or "EXN:" in answer.messages:
        return f"spatch failed: {_first_complaint(answer.messages)}"
    return SILENT


def _first_complaint(messages: str) -> str:
    """The line of spatch's messages that says most."""
    lines = [line.strip() for line in messages.splitlines() if line.strip()]
    noise = (
        "init_defs_builtins:",
        "HANDLING:",
        "Skipping:",
        "(ONCE)",
        "Traceback",
        "File ",
    )
    telling = [line for line in lines if not line.startswith(noise)]
    errors = [line for line in telling if "rror" in line or "EXN" in line]
    return (errors or telling or ["no message"])[0][:200]


def _read_answers(file: Path) -> dict[str, Facts]:
    """The complete lines of a facts file; the last may be cut off where a process was ended."""
    if not file.exists():
        return {}
    answers: dict[str, Facts] = {}
    for line in file.read_bytes().splitlines():
        try:
            record = json.loads(line)
            answers[str(record["file"])] = dict(record["facts"])
        except (ValueError, KeyError, TypeError):
            # Not an answer: its file counts as failed and is tried again.
            continue
    return answers


def _shards(files: Sequence[str], sizes: dict[str, int], jobs: int) -> list[list[str]]:
    """The files dealt out so that the shards are about equally heavy, the heaviest file first."""
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
    """A hash of all that an answer depends on besides the source file."""
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
    """Where a failure is remembered: a longer time limit may change it."""
    return f"{key}:failed:{timeout}"


def _check_disk() -> None:
    folder = tempfile.gettempdir()
    if shutil.disk_usage(folder).free < FULL_BELOW:
        raise UserError(
            f"no space left in {folder}: free some, or name another folder in TMPDIR"
        )


def _kill(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        # It ended by itself in this moment.
        return
