# SPDX-License-Identifier: GPL-2.0
"""Run spatch processes on lists of files, and kill them together."""

import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import TryAgain, UserError
from hotcocci.layout import IMPORTS
from hotcocci.tree.kernel import Tree
from hotcocci.tree.process import (
    complaint,
    failure_of_machine,
    is_asleep,
    kill,
    place,
    processor_time,
    with_parent,
)
from hotcocci.tree.select import unusable

Facts = dict[str, object]

# Seconds of processor time. spatch's own timeout counts it as well, but does not interrupt all
# phases: kill it this much later.
GRACE = 1.0
# How many times as long a file may take on a machine that others use.
PATIENCE = 10
# For spatch and its Python to start, on a busy machine.
START = 60.0
# How often to look which file spatch has got to.
STEP = 0.2
# Bytes of its messages, and of its answers; those that are looked at of too many messages
SHOWN = 1 << 20
MOST = 32 << 20

MESSAGES, FACTS = "stderr", "facts"
_BEGUN = b"HANDLING: "
NOISE = r"\s*(?:init_defs_builtins:|HANDLING:|Skipping:|\(ONCE\)|Traceback|File )"

# Every script finds something in it.
PROBE = """\
int f(int *p, int v)
{
	if (get_user(v, p) || get_user(v, p) || copy_from_user(&v, p, sizeof(v)))
		return current->cred->uid + current->cred->gid;
	if (user_access_begin(p, sizeof(*p)))
		user_access_end();
	return v;
}
"""


@dataclass(frozen=True)
class Answer:
    """The result of one spatch process: facts by absolute path, exit code and messages.

    ``late`` is set if it was killed because a file took too long, ``starved`` if that was not
    due to the file: the process got too little processor time.
    """

    facts: dict[str, Facts]
    code: int
    messages: str
    late: bool = False
    starved: bool = False


class Runner:
    """Runs the spatch processes of one call, and can kill all of them."""

    def __init__(
        self,
        program: str,
        tree: Tree,
        script: Path,
        timeout: int,
        folder: Path,
        check: Callable[[Facts], object] = bool,
    ) -> None:
        why = unusable(str(folder))
        if why is not None:
            raise UserError(
                f"spatch cannot read files in {place()} ({why}): set TMPDIR to another folder"
            )
        self.tree = tree
        self.timeout = timeout
        self._folder = folder
        self._check = check
        self._excerpts = folder / "excerpts"
        self._command = [
            *(program, "--sp-file", str(script), "-D", "report"),
            *("--no-includes", "--no-show-diff"),
        ]
        macros = script.parent / "macros.h"
        if macros.is_file():
            self._command += ["--macro-file", str(macros)]
        # Else spatch takes the first of PATH, which may lack a library, or be a script that looks for one (0.4 s).
        python = Path(program).resolve().with_name("python3")
        if python.exists():
            self._command += ["--python", str(python)]
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._ended = False
        self._probed: bool | None = None

    def lay_out(self, file: str, text: bytes) -> str:
        """Write a text that stands for a file in the tree and return its absolute path."""
        path = self._excerpts / file
        try:
            path.write_bytes(text)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        return str(path)

    def run(self, files: Sequence[str]) -> Answer:
        """Run the script over absolute paths, each file on its own."""
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            folder = Path(name)
            answers = folder / FACTS
            groups = folder / "files"
            # Without an empty line in between, spatch parses the files as one program.
            groups.write_bytes(b"\n\n".join(map(os.fsencode, files)) + b"\n")
            command = [
                *(*self._command, "--timeout", str(self.timeout)),
                *("-D", f"facts={answers}", "--file-groups", str(groups)),
            ]
            with (folder / MESSAGES).open("w+b") as messages:
                code, spent = self._wait(command, folder, messages.fileno())
                messages.seek(0)
                flooded = _is_flooded(folder)
                text = messages.read(SHOWN if flooded else -1).decode(errors="replace")
            if flooded:
                return Answer({}, 1, f"error: it printed over {MOST >> 20} MB\n" + text)
            starved = spent is not None and spent < self.timeout
            facts = _read_answers(answers)
            try:
                for found in filter(None, facts.values()):
                    self._check(found)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                raise UserError(
                    f"{self._command[0]} answers what {self._command[2]} does not: "
                    "install Coccinelle again, or restore the script"
                ) from error
            return Answer(facts, code, text, spent is not None, starved)

    def _wait(
        self, command: Sequence[str], folder: Path, messages: int
    ) -> tuple[int, float | None]:
        """Run a command; its exit code, and the time its last file took if it was killed for that."""
        with self._lock:
            if self._ended:
                raise UserError("interrupted: nothing was written")
            # A signal may arrive before the process is recorded.
            process = subprocess.Popen(
                with_parent(command),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=messages,
                env={
                    # spatch needs one, and a service may have none.
                    "HOME": "/",
                    **os.environ,
                    # The scripts print and open file names with any characters.
                    "LC_ALL": "C.UTF-8",
                    "PYTHONDONTWRITEBYTECODE": "1",
                    "PYTHONPATH": str(IMPORTS),
                },
                # A process group of its own: only we get Ctrl-C, and kill the whole group.
                process_group=0,
            )
            self._running.add(process)
        try:
            spent = _followed(process, messages, folder, self.timeout + GRACE)
            return process.wait(), spent
        finally:
            with self._lock:
                self._running.discard(process)

    def end(self) -> None:
        """Kill all running processes and start no more."""
        with self._lock:
            self._ended = True
            for process in self._running:
                kill(process)

    def check_script(self, failed: Answer) -> None:
        """Raise UserError if the script also fails on a trivial file, so it is broken itself."""
        if self._probed is None:
            probe = self._folder / "probe.c"
            probe.write_text(PROBE, encoding="ascii")
            self._probed = str(probe) in self.run([str(probe)]).facts
        if not self._probed:
            if lack := failure_of_machine(failed.code, failed.messages):
                if not failed.late:
                    raise TryAgain(f"spatch {lack}")
            why = "it hangs" if failed.late else complaint(failed.messages, NOISE)
            raise UserError(
                f"spatch cannot run {self._command[2]} ({why}): "
                "restore the script, or find the error with 'spatch --parse-cocci'"
            )


def _followed(
    process: subprocess.Popen[bytes], messages: int, folder: Path, limit: float
) -> float | None:
    """Wait for a process, but kill it if one file takes longer than the limit, or it prints too much.

    Returns the time that this file took, None if the process ended by itself: its processor time, or the
    time for which it has slept.
    """
    begun, since, asleep = 0, 0.0, 0.0
    until = time.monotonic() + START
    while True:
        try:
            process.wait(timeout=STEP)
            return None
        except subprocess.TimeoutExpired:
            files = os.pread(messages, MOST, 0).count(_BEGUN)
            taken = processor_time(process.pid)
            # It waits for nothing that takes long: to sleep is to hang.
            asleep = asleep + STEP if is_asleep(process.pid) else 0.0
        if files != begun:
            begun, since, asleep = files, taken, 0.0
            until = time.monotonic() + PATIENCE * limit
        spent = max(taken - since, asleep)
        if spent > limit or _is_flooded(folder) or time.monotonic() > until:
            kill(process)
            return spent


def messages_of(messages: str, files: Sequence[str]) -> dict[str, str]:
    """The messages of spatch on each file that it started, in order; none if it skipped the file."""
    known = frozenset(files)
    found: dict[str, str] = {}
    current = None
    for line in messages.splitlines(keepends=True):
        word, _, file = line.rstrip("\n").partition(": ")
        if word in ("HANDLING", "Skipping") and file in known:
            current = file if word == "HANDLING" else None
            found[file] = ""
        elif current is not None:
            found[current] += line
    return found


def _is_flooded(folder: Path) -> bool:
    """Whether a process printed too much."""
    found = filter(Path.exists, (folder / MESSAGES, folder / FACTS))
    return any(file.stat().st_size > MOST for file in found)


def _read_answers(file: Path) -> dict[str, Facts]:
    """The complete lines of a facts file; the last may be cut off if the process was killed."""
    if not file.exists():
        return {}
    answers: dict[str, Facts] = {}
    for line in file.read_bytes().splitlines():
        try:
            record = json.loads(line)
            answers[str(record["file"])] = dict(record["facts"])
        except (ValueError, KeyError, TypeError, RecursionError):
            # Incomplete: its file counts as failed and is retried.
            continue
    return answers
