# SPDX-License-Identifier: GPL-2.0
"""Compile one file, or run sparse on it, from a tree or an overlay of it, without writing to the tree.

And parse what compilers and checkers say, and compare it of two versions of a file.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from hotcocci.errors import EngineError, TryAgain
from hotcocci.findings import Report
from hotcocci.tree.build import Build, BuildError
from hotcocci.tree.command import Command, Unit
from hotcocci.tree.process import MissingProgram, run
from hotcocci.tree.source import decode, moved
from hotcocci.tree.targets import CLANG

T = TypeVar("T")

WARNING = "warning"
ERROR = "error"

LINE = re.compile(
    r"^(?P<file>[^:\s][^:]*):(?:(?P<line>\d+):(?:\d+:)?)? "
    r"(?P<kind>warning|error|fatal error): (?P<text>.*)$"
)
# "the frame size of 2064 bytes is larger than 2048 bytes": another size is not a new warning.
FRAME = re.compile(r"frame size of \d+ bytes")

# What each line of a checker's output begins with: a file and a line, or it continues one that does.
PLACED = re.compile(r"^\S.*?:\d+\b", re.MULTILINE)


@dataclass(frozen=True)
class Message:
    """A warning or an error. ``file`` is relative to the tree; ``line`` is 0 if unknown."""

    file: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.kind}: {self.text}"

    @property
    def subject(self) -> tuple[str, str, str]:
        """The part of a message that stays the same when lines move."""
        return self.file, self.kind, FRAME.sub("frame size of N bytes", self.text)


def parse(said: str, *roots: str) -> tuple[Message, ...]:
    """The messages in a program's output; names below one of ``roots`` lose that prefix.

    Notes, "In function" lines and quoted source are left out. ``said`` has one character per byte.
    """
    messages = []
    folders = [decode(os.fsencode(f"{root}/")) for root in roots]
    for line in said.splitlines():
        for folder in folders:
            line = line.replace(folder, "")
        found = LINE.match(line)
        if found:
            kind = WARNING if found["kind"] == "warning" else ERROR
            number = int(found["line"] or 0)
            messages.append(Message(found["file"], number, kind, found["text"].strip()))
    return tuple(messages)


def garbled(said: str, known: re.Pattern[str] = PLACED) -> str:
    """Why the output of a checker that exits with 0 is no answer; empty if it is one.

    No output is one. Otherwise a line of it matches ``known``, and the last is complete.
    """
    lines = said.strip().splitlines()
    if lines and not known.search(said):
        return f"it prints {lines[0][:80]!r}, which is no answer: reinstall it"
    if said and not said.endswith("\n"):
        return f"its output is cut off after {lines[-1][-80:]!r}: run it again"
    return ""


def new(before: Iterable[Message], after: Iterable[Message]) -> tuple[Message, ...]:
    """The messages in ``after`` that are not in ``before``, counting repetitions."""
    return tuple(fresh(before, after, lambda message: message.subject))


def fresh(
    before: Iterable[T], after: Iterable[T], key: Callable[[T], object]
) -> Iterator[T]:
    """The items of ``after`` that are not in ``before``, by their keys, counting repetitions."""
    known = Counter(map(key, before))
    for one in after:
        if known[key(one)] > 0:
            known[key(one)] -= 1
        else:
            yield one


def by_place(reports: Iterable[Report]) -> tuple[Report, ...]:
    """The first report of each rule on a line, by file and line."""
    found: dict[tuple[str, int, str], Report] = {}
    for report in reports:
        found.setdefault((report.file, report.line, report.rule), report)
    return tuple(found[key] for key in sorted(found))


@contextmanager
def needed(error: Exception) -> Iterator[None]:
    """Raise an error if a program that is run here is not installed."""
    try:
        yield
    except MissingProgram as missing:
        raise error from missing


# Seconds. The slowest files under allyesconfig take 15 s on an idle core.
TIMEOUT = 300.0
SPARSE_TIMEOUT = 120.0

# Make messages comparable: one line each, without colours or quoted source. A header that does not compile on its
# own has thousands of errors, and gcc takes seconds per missing name for its suggestions, so limit their number.
PLAIN = ("-fdiagnostics-color=never", "-fno-diagnostics-show-caret", "-fmax-errors=20")

# Flags that the assembler needs too.
MACHINE = re.compile(r"-m(?!indirect|function|record|no-fp|fentry|skip)[\w=,+-]+$|-Wa,")

# A file in a rule for make, with a backslash before a space in its name
_NAME = re.compile(r"(?:\\.|[^\s\\])+")
# The second line of a complaint of sparse about types: "f.c:1:2:    expected int *p"
_CONTINUED = re.compile(r"\n[^\n:]+:\d+:\d+: {3,}(?=\S)")


@dataclass(frozen=True)
class Compiled:
    """The result of one compilation.

    ``argv`` is the compiler with its flags, ``source`` the file compiled. ``object`` is None if
    there were errors; ``messages`` then has at least one.
    """

    argv: tuple[str, ...]
    source: Path
    object: Path | None
    messages: tuple[Message, ...]

    @property
    def error(self) -> str:
        """The first error; empty if there is none."""
        return next((str(m) for m in self.messages if m.kind == ERROR), "")


def compile_file(
    build: Build,
    command: Command,
    overlay: Path,
    output: Path,
    flags: Sequence[str] = (),
    after: Sequence[str] = (),
) -> Compiled:
    """Run a saved command on the overlay's version of its file.

    ``output`` is the object to write; ``flags`` go before the saved flags, ``after`` after
    them. Raises BuildError if there is no compiler.
    """
    compiler, *saved = moved(command.argv, build.tree, overlay)
    argv = [compiler, *flags, *saved, *after]
    return _compiled(build, argv, overlay / command.file, output, overlay)


def assemble(build: Build, compiled: Compiled, output: Path) -> Compiled:
    """Assemble the result of a compilation with -S; ``output`` is the object to write.

    Raises BuildError if there is no compiler.
    """
    assert compiled.object is not None, "what did not compile cannot be assembled"
    machine = [flag for flag in compiled.argv[1:] if MACHINE.match(flag)]
    argv = [compiled.argv[0], *machine]
    return _compiled(build, argv, compiled.object, output, compiled.object.parent)


def compile_unit(unit: Unit, output: Path, flags: Sequence[str] = ()) -> Compiled:
    """Compile an unchanged unit; ``flags`` go after its own.

    Raises BuildError if there is no compiler.
    """
    argv = [*unit.command.argv, *flags]
    return _compiled(unit.build, argv, unit.source, output, unit.root)


def reads(build: Build, command: Command) -> frozenset[str] | None:
    """The absolute names of the files that compiling an unchanged file reads.

    None if it does not compile now, or if there is no compiler.
    """
    argv = [*command.argv, "-M", str(build.tree / command.file)]
    try:
        outcome = run(argv, build.out, TIMEOUT)
    except (MissingProgram, TryAgain):
        return None
    if outcome.status != 0:
        return None
    _, _, rule = outcome.out.replace("\\\n", " ").partition(": ")
    names = [re.sub(r"\\(.)", r"\1", name) for name in _NAME.findall(rule)]
    return frozenset(os.path.normpath(build.out / name) for name in names)


def sparse(
    build: Build, argv: Sequence[str], source: Path, root: Path
) -> tuple[Message, ...]:
    """The messages of sparse, run as make C=2 does, about a source file below ``root``.

    ``argv`` is the compiler and its flags as they would compile the file. Raises EngineError.
    """
    if not build.checkflags:
        raise EngineError(
            "this tree's kbuild finds no sparse that is new enough for it"
        )
    # The default limit of 100 warnings may hide those for the changed lines.
    flags = ["-fmax-warnings=unlimited", *build.checkflags, *argv[1:]]
    # smatch's build leaves an older sparse beside it, which complains of address spaces at each put_user().
    folders = (f for f in os.get_exec_path() if not Path(f, "smatch_data").exists())
    program = shutil.which("sparse", path=os.pathsep.join(folders))
    if program is None:
        raise EngineError("sparse is not installed (Debian: apt install sparse)")
    outcome = run([program, *flags, str(source)], build.out, SPARSE_TIMEOUT)
    why = garbled(outcome.err) or garbled(outcome.out)
    if why:
        raise EngineError(f"sparse: {why}")
    return parse(_CONTINUED.sub(" ", outcome.err), str(root))


# What clang needs of gcc's flags, some with a word that follows, and what kbuild does not ask it for (scripts/Makefile.extrawarn)
_MEANS = re.compile(
    r"-(?:[IDUW].*|std=.*|nostdinc|m(?:16|32|64)|f(?:unsigned-char|short-wchar|ms-extensions|freestanding|no-builtin.*))"
)
_FOLLOWED = ("-include", "-isystem", "-I", "-D")
_UNASKED = (
    "unknown-warning-option gnu initializer-overrides sign-compare pointer-to-enum-cast unaligned-access"
    " tautological-constant-out-of-range-compare enum-compare-conditional enum-enum-conversion default-const-init-unsafe"
    " unused-const-variable format address-of-packed-member shift-negative-value"
    # What gcc finds as well
    " implicit-function-declaration int-conversion unused-variable"
)


def clang(
    build: Build, argv: Sequence[str], source: Path, root: Path
) -> tuple[Message, ...]:
    """What clang says of a source file below ``root`` that ``argv`` compiles with gcc; nothing without clang."""
    following = zip(("", *argv), argv)
    flags = [
        w
        for b, w in following
        if b in _FOLLOWED or w in _FOLLOWED or _MEANS.fullmatch(w)
    ]
    unasked = (f"-Wno-{name}" for name in _UNASKED.split())
    try:
        # gcc's flag for it has a number.
        whole = [CLANG, "-fsyntax-only", "-Wimplicit-fallthrough", *flags, *unasked]
        outcome = run([*whole, str(source)], build.out, TIMEOUT)
    except MissingProgram:
        return ()
    return parse(outcome.err, str(root), str(build.tree))


def _compiled(
    build: Build, argv: Sequence[str], source: Path, output: Path, root: Path
) -> Compiled:
    output.parent.mkdir(parents=True, exist_ok=True)
    # Stop after compiling, unless the flags say where.
    stage = () if "-S" in argv else ("-c",)
    gone = f"is gone: install it again (Debian: apt install {build.target.packages})"
    with needed(BuildError(f"the compiler {os.path.basename(argv[0])} {gone}")):
        whole = [*argv, *PLAIN, *stage, "-o", str(output), str(source)]
        outcome = run(whole, build.out, TIMEOUT)
    messages = parse(outcome.err, str(root), str(build.tree))
    failed = outcome.status != 0
    if failed and not any(message.kind == ERROR for message in messages):
        inside = source.is_relative_to(root)
        file = str(source.relative_to(root) if inside else source)
        said = outcome.err.strip().splitlines()
        why = said[0] if said else f"the compiler ended with status {outcome.status}"
        messages += (Message(file, 0, ERROR, why),)
    return Compiled(tuple(argv), source, None if failed else output, messages)
