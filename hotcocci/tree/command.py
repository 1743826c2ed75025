# SPDX-License-Identifier: GPL-2.0
"""Get the command that compiles a file from kbuild, and save it; a unit is a file with its command."""

import json
import os
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.tree.build import Build, locked, make
from hotcocci.tree.source import encode, put

# Object names per make: far below the kernel's limit on a command line.
BATCH = 400
# What means something to make, or to the shell in kbuild's recipes: one such name ends the whole run.
_ODD = re.compile(r"^-|[^\w.,+@#~/-]")


@dataclass(frozen=True)
class Command:
    """The command by which kbuild compiles one file.

    ``file`` is relative to the tree. ``argv`` is the compiler and its flags without
    output, dependency file and source, to be run in the build's ``out``.
    """

    file: str
    argv: tuple[str, ...]


@dataclass(frozen=True)
class Unit:
    """One file as compiled for one target: the input of engines that need a compiler's view.

    ``source`` is the file to read, usually ``root / command.file``. Engines report names relative
    to ``root``, and nothing outside it.
    """

    build: Build
    command: Command
    source: Path
    root: Path


def commands(build: Build, files: Iterable[str]) -> dict[str, Command]:
    """The commands of these files; files that kbuild does not compile are left out.

    Commands that are not saved yet take dry runs of make, one per `BATCH` files.
    """
    found: dict[str, Command] = {}
    missing: list[str] = []
    for file in sorted(set(files)):
        saved = _load(build, file)
        if saved is not None:
            found[file] = saved
        elif file.endswith(".c") and not odd_name(file):
            missing.append(file)
    for start in range(0, len(missing), BATCH):
        part = missing[start : start + BATCH]
        with locked(build.lock):
            said = make(build, ["-n", "KBUILD_VERBOSE=1", *map(_object, part)]).out
            # Decoded as file names, since directories may have any name.
            printed = os.fsdecode(encode(said))
            # A dry run prints nothing for an object that is up to date.
            printed += "".join(f"\n{_kept(build, file)}" for file in part)
        for file, argv in _parsed(printed, part).items():
            found[file] = Command(file, argv)
            _save(build, found[file])
    return found


def odd_name(file: str) -> str:
    """Why kbuild cannot be asked for a file with this name; empty if it can."""
    odd = _ODD.search(file)
    return f"kbuild takes no '{odd[0]}' in its name: rename it" if odd else ""


def generate(build: Build, file: str) -> None:
    """Compile a file with make, to generate the headers it needs.

    A failure shows in the next compilation of the file.
    """
    with locked(build.lock):
        make(build, [_object(file)])


def generated(build: Build, file: str) -> Path | None:
    """The object that kbuild builds from a C or assembly file; None if it builds none.

    It is built once and not updated when the tree changes.
    """
    path = build.out / _object(file)
    with locked(build.lock):
        if not path.exists():
            make(build, [_object(file)])
    return path if path.exists() else None


def _object(file: str) -> str:
    return re.sub(r"\.[cS]$", ".o", file)


def _kept(build: Build, file: str) -> str:
    """The command that kbuild saved next to an object; empty if there is none.

    Undoes the escapes of make-cmd in scripts/Kbuild.include.
    """
    path = build.out / _object(file)
    try:
        said = os.fsdecode(path.with_name(f".{path.name}.cmd").read_bytes())
    except FileNotFoundError:
        return ""
    # savedcmd_, or cmd_ in 6.1
    line = re.match(r"(?:saved)?cmd_\S+ := (.*)", said)
    return line[1].replace("$(pound)", "#").replace("$$", "$") if line else ""


def _parsed(printed: str, files: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Parse the compiler's commands from a dry run of make."""
    wanted = {_object(file): file for file in files}
    parsed: dict[str, tuple[str, ...]] = {}
    for line in printed.splitlines():
        output = re.search(r" -c -o (\S+\.o) \S+\.c\b", line)
        file = wanted.get(output[1]) if output else None
        if file is None or file in parsed:
            continue
        try:
            words = shlex.split(line)
        except ValueError:
            # A recipe cut at a newline inside quotes is not a compiler's command.
            continue
        argv = _compiler(words, _object(file))
        if argv:
            parsed[file] = argv
    return parsed


def _compiler(words: Sequence[str], output: str) -> tuple[str, ...]:
    """The simple command in a shell line that writes ``output``; empty if there is none.

    Output, dependency file and source are removed.
    """
    simple: list[str] = []
    for word in (*words, ";"):
        if not word.endswith(";"):
            simple.append(word)
            continue
        if word != ";":
            simple.append(word[:-1])
        if len(simple) > 4 and simple[-4:-1] == ["-c", "-o", output]:
            return tuple(w for w in simple[:-4] if not w.startswith("-Wp,-MMD,"))
        simple = []
    return ()


def _place(build: Build, file: str) -> Path:
    return build.out.parent / "commands" / f"{file}.json"


def _load(build: Build, file: str) -> Command | None:
    try:
        return Command(file, tuple(json.loads(_place(build, file).read_text())))
    except (FileNotFoundError, ValueError):
        # Not saved yet, or truncated by a full disk: ask kbuild.
        return None


def _save(build: Build, command: Command) -> None:
    place = _place(build, command.file)
    place.parent.mkdir(parents=True, exist_ok=True)
    put(place, json.dumps(command.argv).encode())
