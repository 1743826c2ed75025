# SPDX-License-Identifier: GPL-2.0
"""Run external programs in a fixed environment, with a limit on processor time; end all of them, and leave no temporary files.

These are in one folder for all of a run; a later run removes it if this one is killed.
"""

import fcntl
import math
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hotcocci.errors import TryAgain, UserError, is_of_machine
from hotcocci.tree.source import ENCODING

# The variables kept from the caller's environment. ARCH, O, W, KCFLAGS, MAKEFLAGS, OBJTOOL_ARGS
# and others would change what kbuild does.
KEPT = ("PATH", "HOME", "TMPDIR", "USER", "LOGNAME")

# A program that waits for something is killed after this many times its limit on processor time:
# other programs may need the processors.
PATIENCE = 10

# Limits the processor time of each process from its start, unless that would raise a limit, and
# allows no core dump, which would be left in the tree.
LIMITED = 'ulimit -S -t $1 2>/dev/null; ulimit -S -c 0; shift; exec "$@"'

# What gcc, clang, as, make, perl, Python, OCaml, unicorn and the loader say when the machine fails them.
_SAID = (
    r"out of memory|virtual memory exhausted|memory exhausted|cannot allocate memory|could not allocate|(?:std::|St9)bad_alloc"
    r"|MemoryError|Out_of_memory|failed to map segment|signal terminated program|(?:error:|command:|\]) Killed"
    r"|no space left on device|disk quota exceeded|file too large|too many open files"
    r"|resource temporarily unavailable|input/output error"
)
# A compiler's fatal errors have a position as well; a line of source that it quotes begins with blanks.
_MACHINE = re.compile(
    rf"^(?!\s)(?!\S+?:\d+(?::\d+)?: (?!fatal error: (?!#)))(?P<said>.*(?:{_SAID}).*)$",
    re.MULTILINE | re.IGNORECASE,
)
# Seconds until the first look at a program that runs, and at most between two: a look at all processes takes a while
LOOK, LONGEST = 0.2, 1.0
# Seconds for which what it started may keep its output open
OPEN = 5.0
# Bytes that it may print
MOST = 512 << 20


_FULL = re.compile("no space left on device|disk quota exceeded", re.IGNORECASE)


class MissingProgram(UserError):
    """A program that is not installed; the argument is its name, or its path if it was there."""

    def __str__(self) -> str:
        (name,) = self.args
        if "/" in name:
            return f"{name} cannot be started: install it again"
        return f"{name} is not installed: install it (Debian: apt install {name})"


@dataclass(frozen=True)
class Outcome:
    """The exit status and the output of a program."""

    status: int
    out: str
    err: str


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of all external programs: English messages, no __pycache__."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    # Scripts of the tree that import modules would leave __pycache__ there.
    return {**kept, "LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1", **(extra or {})}


def with_parent(argv: Sequence[str], sent: str = "KILL") -> list[str]:
    """Wrap a command so that it gets a signal when the thread that starts it, or the process, dies.

    Raises UserError without setpriv(1), which all but the smallest systems have.
    """
    program = shutil.which("setpriv")
    if program is None:
        raise UserError("setpriv is not installed: apt-get install util-linux")
    return [program, "--pdeathsig", sent, *argv]


def failure_of_machine(status: int, said: str) -> str | None:
    """Why a program failed if that says nothing about its input: a signal, or a lack of memory or disk."""
    if status < 0:
        name = next(
            (s.name for s in signal.Signals if s == -status), f"signal {-status}"
        )
        return f"was killed by {name}"
    found = _MACHINE.search(said) if status else None
    return f"failed ({found['said'].strip()[:200]})" if found else None


def run(
    argv: Sequence[str],
    cwd: Path,
    timeout: float,
    *,
    stdin: str | None = None,
    extra: Mapping[str, str] | None = None,
    wanted: Callable[[], bool] | None = None,
    asleep: float = math.inf,
) -> Outcome:
    """Run a program, but kill it and all its children if it needs more than ``timeout`` seconds.

    That is processor time of each process, rounded up; a program that does not use it is killed after `PATIENCE`
    times as long, or once it has waited ``asleep`` seconds for something other than a disk. ``wanted`` is asked
    now and then, and the program is killed once it says no. One that prints over `MOST` bytes fails. Raises
    MissingProgram if it cannot be started, and TryAgain if it reached a limit, or what it says is no answer,
    because the machine failed it. Any other exception, such as an interrupt, kills the program first.
    """
    name = os.path.basename(argv[0])
    if name == argv[0] and shutil.which(name) is None:
        raise MissingProgram(name)
    limited = ["/bin/sh", "-c", LIMITED, name, str(math.ceil(timeout))]
    try:
        with _input(stdin) as given:
            process = subprocess.Popen(
                # make and gcc pass it on to what they have started, and remove what is half-made.
                with_parent([*limited, *argv], "TERM"),
                cwd=cwd,
                env=environment(extra),
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
    except OSError as error:
        if not is_of_machine(error):
            raise
        raise TryAgain(f"cannot start {name}: {error.strerror}") from error
    until = time.monotonic() + PATIENCE * timeout
    used, slept, look, why = 0.0, 0.0, LOOK, ""
    with process:
        try:
            while not why:
                try:
                    # Not as text, in which the ends of lines would all be those of Unix.
                    both = process.communicate(timeout=look)
                    break
                except subprocess.TimeoutExpired as late:
                    printed = len(late.output or b"") + len(late.stderr or b"")
                # It is not reaped, so that its children can be killed.
                flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
                ended = os.waitid(os.P_PID, process.pid, flags) is not None
                before, used = used, processor_time(process.pid)
                idle = used == before and (ended or is_asleep(process.pid))
                slept = slept + look if idle else 0.0
                look = min(2 * look, LONGEST)
                if printed > MOST:
                    return Outcome(1, "", f"error: it printed over {MOST >> 20} MB")
                if slept > (OPEN if ended else asleep):
                    why = f"waited {slept:.0f} s, perhaps for a pipe"
                elif time.monotonic() > until:
                    why = f"did not end in {PATIENCE * timeout:.0f} s"
                elif wanted and not wanted():
                    why = "is not wanted any more"
        finally:
            kill(process)
    if is_stopped():
        # What a killed program printed is no answer.
        raise KeyboardInterrupt
    if why:
        raise TryAgain(f"{name} {why}")
    status = process.returncode
    out, err = (each.decode(ENCODING) for each in both)
    if status == -signal.SIGXCPU:
        raise TryAgain(f"{name} took over {timeout:.0f} s of processor time")
    if status in (126, 127) and re.match(rf"{re.escape(name)}: .*1: exec: ", err):
        raise MissingProgram(argv[0])
    lack = failure_of_machine(status, err)
    if lack is not None:
        raise TryAgain(f"{name} {lack}{_room(lack, cwd)}")
    return Outcome(status, out, err)


def _input(stdin: str | None) -> AbstractContextManager[IO[bytes] | int]:
    """The input of a program. Raises OSError if the disk is full."""
    if stdin is None:
        return nullcontext(subprocess.DEVNULL)
    # Not a pipe: once communicate() has timed out, it writes nothing more to it (Python 3.11).
    file = tempfile.TemporaryFile()
    file.write(stdin.encode(ENCODING))
    file.seek(0)
    return file


def _room(why: str, cwd: Path) -> str:
    """The remedy if a program failed for lack of space: it writes where it runs, and temporary files."""
    if not _FULL.search(why):
        return ""
    fullest = min((str(cwd), place()), key=lambda each: shutil.disk_usage(each).free)
    return f": free some space in {fullest}"


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program that leads its process group, and its children."""
    # It may have just ended.
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


_TELLING = re.compile(r"rror|EXN|\*\*\*|not found")


def complaint(said: str, noise: str = r"(?!)") -> str:
    """The line of a program's output that tells most of why it failed, cut at 200 characters.

    Lines that begin as ``noise`` does, a pattern, are left out.
    """
    every = (line for line in said.splitlines() if not re.match(noise, line))
    lines = [line.strip() for line in every if line.strip()] or ["no message"]
    return next(filter(_TELLING.search, lines), lines[0])[:200]


# Enough for a chain of programs, each of which starts the next as it is killed.
SWEEPS = 5
SLEEPING = b"S"

_stopped = False


def is_stopped() -> bool:
    """Whether `stop_all` was called: what a program prints from then on is no answer."""
    return _stopped


def stop_all() -> None:
    """Kill all programs that this process started, directly or not, with their process groups."""
    global _stopped
    _stopped = True
    for _ in range(SWEEPS):
        found = _descendants(os.getpid())
        if not found:
            return
        for process, _ in found:
            _end(process)


def is_asleep(process: int) -> bool:
    """Whether a child and all that it started wait for something other than a processor or a disk."""
    # Looking at all processes takes longer than at one.
    try:
        state, _ = _state(str(process))
    except (FileNotFoundError, ProcessLookupError):
        return False  # It has just ended.
    if state != SLEEPING:
        return False
    return all(state == SLEEPING for _, state in _descendants(process))


def processor_time(pid: int) -> float:
    """The processor time of a child that was not waited for, in seconds."""
    # The clock of clock_getcpuclockid(3), which Python does not have.
    return time.clock_gettime(~pid << 3 | 2)


def _descendants(ancestor: int) -> list[tuple[int, bytes]]:
    """The processes that a process started, directly or not, with their states; parents first, no zombies."""
    children: dict[int, list[tuple[int, bytes]]] = {}
    # Path.glob() looks at each entry, and fails if a process has just ended.
    for process in filter(str.isdecimal, os.listdir("/proc")):
        try:
            state, parent = _state(process)
        except (FileNotFoundError, ProcessLookupError):
            continue  # It has just ended.
        if state != b"Z":
            children.setdefault(parent, []).append((int(process), state))
    found = children.get(ancestor, [])
    for child, _ in found:
        found += children.get(child, [])
    return found


def _state(process: str) -> tuple[bytes, int]:
    """The state of a process, and its parent."""
    # The name, in parentheses, may contain anything.
    fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b") ")[2].split()
    return fields[0], int(fields[1])


def _end(process: int) -> None:
    try:
        if os.getpgid(process) == process:
            os.killpg(process, signal.SIGKILL)
        else:
            os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # It has ended, or is not ours to end (sudo).


PREFIX = "hotcocci-run."

# Where the folder of this run is; None without one.
_place: str | None = None


def place() -> str:
    """The folder with all temporary files, which TMPDIR names."""
    return _place or tempfile.gettempdir()


@contextmanager
def own_folder() -> Iterator[None]:
    """Have a folder of our own for temporary files, and for those of the programs that are started."""
    global _place
    before = tempfile.tempdir, os.environ.get("TMPDIR"), _place
    try:
        where = tempfile.gettempdir()
        _remove_abandoned(where)
        name, lock = _locked(where)
    except OSError:
        # Most runs need none. One that does says so.
        yield
        return
    _place = where
    tempfile.tempdir = os.environ["TMPDIR"] = name
    try:
        yield
    finally:
        tempfile.tempdir, variable, _place = before
        os.environ.pop("TMPDIR")
        if variable is not None:
            os.environ["TMPDIR"] = variable
        shutil.rmtree(name, ignore_errors=True)
        os.close(lock)


def _locked(where: str) -> tuple[str, int]:
    """A new folder, and its lock, which the kernel drops as this process ends."""
    while True:
        name = tempfile.mkdtemp(prefix=PREFIX, dir=where)
        lock = os.open(name, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.isdir(name):
            return name, lock
        # Another run removed it before it was locked.
        os.close(lock)


def _remove_abandoned(where: str) -> None:
    """Remove the folders of this user's runs that have ended."""
    for path in Path(where).glob(f"{PREFIX}*"):
        # It may be gone by now.
        with suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
