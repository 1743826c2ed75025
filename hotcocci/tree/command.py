# SPDX-License-Identifier: GPL-2.0
"""The command that compiles one file: asked from kbuild once, then saved."""

from __future__ import annotations

import json
import os
import re
import shlex
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.tree.build import Build, locked, make
from hotcocci.tree.source import encode

# Object names per make: far below the kernel's limit on a command line.
BATCH = 400


@dataclass(frozen=True)
class Command:
    """How kbuild compiles one file.

    ``file`` is relative to the tree. ``argv`` is the compiler and its flags without
    output, dependency file and source, to be run in the build's ``out``.
    """

    file: str
    argv: tuple[str, ...]


def commands(build: Build, files: Iterable[str]) -> dict[str, Command]:
    """The commands of these files; kbuild has none for a file that is absent.

    Only files whose command is not saved yet cost a run of make, one for all of them,
    which compiles nothing.
    """
    found: dict[str, Command] = {}
    asked: list[str] = []
    for file in sorted(set(files)):
        saved = _load(build, file)
        if saved is not None:
            found[file] = saved
        elif file.endswith(".c"):
            asked.append(file)
    for start in range(0, len(asked), BATCH):
        part = asked[start : start + BATCH]
        with locked(build.lock):
            said = make(build, ["-n", "KBUILD_VERBOSE=1", *map(_object, part)]).out
            # Words that are given back to the system: folders may be called anything.
            told = os.fsdecode(encode(said))
            # Of an object that is there make has nothing to say.
            told += "".join(f"\n{_kept(build, file)}" for file in part)
        for file, argv in _parsed(told, part).items():
            found[file] = Command(file, argv)
            _save(build, found[file])
    return found


def generate(build: Build, file: str) -> None:
    """Let make compile a file, and so generate the headers it needs.

    Whether that succeeds is for the next compilation of the file to show.
    """
    with locked(build.lock):
        make(build, [_object(file)])


def generated(build: Build, file: str) -> Path | None:
    """The object that kbuild makes of a file, C or assembly; None if it makes none.

    Made once: it is the one of the tree as it was then.
    """
    path = build.out / _object(file)
    with locked(build.lock):
        if not path.exists():
            make(build, [_object(file)])
    return path if path.exists() else None


def _object(file: str) -> str:
    return re.sub(r"\.[cS]$", ".o", file)


def _kept(build: Build, file: str) -> str:
    """The command that kbuild keeps beside an object that it has made; empty if there is none.

    With the escapes of make undone that scripts/Kbuild.include (make-cmd) has put in.
    """
    path = build.out / _object(file)
    try:
        said = os.fsdecode(path.with_name(f".{path.name}.cmd").read_bytes())
    except FileNotFoundError:
        return ""
    # savedcmd_ today, cmd_ in 6.1.
    line = re.match(r"(?:saved)?cmd_\S+ := (.*)", said)
    return line[1].replace("$(pound)", "#").replace("$$", "$") if line else ""


def _parsed(told: str, files: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Read the compiler's commands off what make said it would do."""
    wanted = {_object(file): file for file in files}
    parsed: dict[str, tuple[str, ...]] = {}
    for line in told.splitlines():
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
    """The simple command among a shell line's words that writes ``output``.

    Without its output, dependency file and source; empty if there is none.
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
        # Not asked yet, or cut off by a full disk: asked anew.
        return None


def _save(build: Build, command: Command) -> None:
    place = _place(build, command.file)
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".new.", dir=place.parent)
    with os.fdopen(handle, "w") as stream:
        json.dump(command.argv, stream)
    os.replace(name, place)
