# SPDX-License-Identifier: GPL-2.0
"""Index one file for who calls whom: its functions, their calls, and who else may call them.

The files are read in C (index.c), which is compiled at the first run; in Python it took a third of that.
"""

import ctypes
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hotcocci.cache import default_folder
from hotcocci.errors import TryAgain, UserError, unwritable
from hotcocci.heat.entries import COMMANDS, DEFINED, DISPATCHED, REGISTERED
from hotcocci.tree.process import run
from hotcocci.tree.source import read

# Weights count halvings, two for each: 2 is a factor of 0.5. With the loops they fit in a byte.
IF = 2
MOST_IFS = 4
ERROR = 13
AFTER_RETURN = 5
MOST_LOOPS = 2
LEAST = 40
PER_LEVEL = MOST_LOOPS + 1
IN_CASE = 128
"""Added to the code of a call that is only in cases of a switch, none of them a known command."""
NAMED = 127
"""The code of a function that is named, not called: a callback counts like a conditional call."""

NAME = "reader-"
"""What the files of the compiled readers begin with, in the folder of the cache."""

_SOURCES = sorted(Path(__file__).parent.glob("*.c"))
_HEADERS = sorted(Path(__file__).parent.glob("*.h"))
_SECONDS = 60.0
_CHECKED = 32


@dataclass(frozen=True)
class Index:
    """The index of one file, in few strings: a tree has 740,000 functions and three million calls.

    ``names`` are its functions and macros, the first ``visible`` of which other files may call.
    ``calls`` are theirs, a line for each with a space before each call: a name, ``>slot`` through a pointer,
    or ``&name`` for one that is named only. ``codes`` are the codes of all in turn, in hexadecimal: that of
    the most frequent place, `PER_LEVEL` times halvings plus loops, plus `IN_CASE`. ``fatal`` are the numbers
    of functions that are error paths themselves, ``entries`` numbers with what defines the function or
    dispatches to it, a dot between. ``commands`` are calls under the label of an ioctl command, with the word
    of that, and the code. ``slots`` are structure, slot and function with dots between, the structure empty
    where it is not known; ``rows`` the word of an ioctl command, empty if that is not known, and a function;
    ``registered`` the function called and the handler; ``includes`` the C files included, a line for each.
    """

    names: str
    visible: str
    calls: str
    codes: str
    fatal: str
    entries: str
    commands: str
    slots: str
    rows: str
    registered: str
    includes: str


def index(text: bytes) -> Index:
    """Read the text of a file. Raises UserError if the reader cannot be compiled."""
    return parsed(spelled(text))


def spelled(text: bytes) -> str:
    """An index as one string, as there are 60,000. Raises UserError if the reader cannot be compiled."""
    return load()(text, len(text)).decode("latin-1")


def parsed(index: str) -> Index:
    """The index that `spelled` gave as one string. Raises TypeError if it did not."""
    return Index(*index.split("\f"))


@cache
def load() -> Callable[[bytes, int], bytes]:
    """The reader of files; processes that are forked later have it, too. Raises UserError if it cannot be compiled."""
    reader = library().index_of
    reader.restype = ctypes.c_char_p
    reader.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return reader


@cache
def library() -> ctypes.PyDLL:
    """What is written in C. Raises UserError if it cannot be compiled."""
    try:
        compiled = _compiled()
    except OSError as error:
        raise UserError(unwritable(error, "set TMPDIR to another folder")) from error
    try:
        # It keeps its result until the next call: no other thread may make one.
        return ctypes.PyDLL(str(compiled))
    except OSError as error:
        # Of memory, or of a file system that is mounted with noexec
        raise TryAgain(
            f"cannot load the reader of calls ({error}): free some memory, or set XDG_CACHE_HOME to a folder whose programs can run"
        ) from error


def version() -> str:
    """Identifies the reader, what it knows of the kernel, and how an index is spelled."""
    said = hashlib.sha256(repr(_options()).encode())
    for file in (*_SOURCES, *_HEADERS, Path(__file__)):
        said.update(file.read_bytes())
    return said.hexdigest()


def _options() -> list[str]:
    """The compiler's options: constants, and the words of entries.toml."""
    words = sorted((w for w in COMMANDS if not w.endswith("32")), key=len, reverse=True)
    weights = (
        *(("IF", IF), ("MOST_IFS", MOST_IFS), ("ERROR", ERROR), ("LEAST", LEAST)),
        *(("AFTER_RETURN", AFTER_RETURN), ("MOST_LOOPS", MOST_LOOPS)),
        *(("PER_LEVEL", PER_LEVEL), ("IN_CASE", IN_CASE), ("NAMED", NAMED)),
    )
    defined = (
        *weights,
        ("COMMANDS", ",".join(f'{{"{word}","{word}32"}}' for word in words)),
        *(("REGISTERED", _strings([*REGISTERED])), ("DEFINED", _strings([*DEFINED]))),
        *(("DISPATCHED", _strings([*DISPATCHED])), ("_GNU_SOURCE", 1)),
    )
    return [
        "-O1",
        "-shared",
        "-fPIC",
        *(f"-D{name}={value}" for name, value in defined),
    ]


def _strings(words: Sequence[str]) -> str:
    return ",".join(f'"{word}"' for word in words)


def _compiled() -> Path:
    """The compiled reader, in the folder of the cache, or of this run's temporary files if that cannot be written."""
    kept = default_folder() / f"{NAME}{version()[:16]}.so"
    if _is_whole(kept):
        return kept
    program = next(filter(None, map(shutil.which, ("gcc", "cc", "clang"))), None)
    if program is None:
        raise UserError("reading who calls whom needs a C compiler: install gcc")
    folder = Path(tempfile.mkdtemp())
    made = folder / kept.name
    # At once, as each start of the compiler takes a while.
    every = folder / "every.c"
    every.write_text("".join(f'#include "{source}"\n' for source in _SOURCES))
    argv = [program, *_options(), "-o", str(made), str(every), "-lm"]
    outcome = run(argv, folder, _SECONDS)
    if outcome.status != 0:
        said = outcome.err.strip().splitlines() or ["no message"]
        raise UserError(
            f"cannot compile the reader of calls ({said[0]}): install gcc and libc6-dev"
        )
    text = made.read_bytes()
    made.write_bytes(text + hashlib.sha256(text).digest())
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        staged = kept.with_suffix(f".{os.getpid()}")
        shutil.copyfile(made, staged)
        os.replace(staged, kept)
    except OSError:
        return made
    shutil.rmtree(folder)
    return kept


def _is_whole(file: Path) -> bool:
    """Whether a compiled reader is what was written: loading a damaged one ends the process."""
    try:
        text = read(file)
    except OSError:
        return False
    return hashlib.sha256(text[:-_CHECKED]).digest() == text[-_CHECKED:]
