# SPDX-License-Identifier: GPL-2.0
"""Hash what cached results depend on: our own code, the programs, and all of a tree, options included.

So a run is recognised in which nothing has changed. What a compiler or an engine says of a file may depend
on any source, on any Makefile and on how the programs are installed. Looking at them all takes a third of
a second, and less than starting the first.
"""

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.c.flow import closure
from hotcocci.cache import Cache, known_answer
from hotcocci.errors import told
from hotcocci.layout import DATA, IMPORTS
from hotcocci.pipeline.settings import Settings
from hotcocci.records import rebuilt
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import MISSING, Times, settled_before, stamp, stamps, times_of
from hotcocci.tree.source import content as contents

IMPORT = re.compile(
    r"^\s*from (hotcocci[\w.]*) import (?:\(([^)]*)\)|([\w, ]+))", re.MULTILINE
)


def fingerprint(asked: str, module: Path, *files: Path) -> bytes:
    """Hash a query, a module with all its imports, and other files."""
    return hashlib.sha256(
        asked.encode("utf-8", "surrogateescape") + code(module, *files)
    ).digest()


def code(module: Path, *files: Path) -> bytes:
    """Hash a module with all its imports, and other files."""
    digest = hashlib.sha256()
    for file in [module, *modules_of(module), *files]:
        digest.update(content(file))
    return digest.digest()


def key(common: bytes, *parts: str | bytes) -> str:
    """The key of an answer that depends on all of these."""
    digest = hashlib.sha256(common)
    for part in parts:
        if isinstance(part, str):
            part = part.encode("utf-8", "surrogateescape")
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def all_code() -> str:
    """A text that changes with any of our own modules and semantic patches.

    Unlike `code`, it reads none of them.
    """
    return state_of(DATA / "cocci", IMPORTS / "hotcocci")


def state_of(*folders: Path) -> str:
    """A text that changes with any module, semantic patch or data file below the folders."""
    return stamps(
        f"{folder}/{name}"
        for top in folders
        for folder, _, names in sorted(os.walk(top))
        for name in sorted(names)
        if name.endswith((".py", ".cocci", ".h", ".toml"))
    )


@lru_cache(maxsize=None)
def content(file: Path) -> bytes:
    """Hash the content of one of our files, which does not change while we run."""
    return hashlib.sha256(file.read_bytes()).digest()


@lru_cache
def modules_of(file: Path) -> tuple[Path, ...]:
    """Return our modules that a semantic patch or a module imports, directly or indirectly, and their data files."""
    return tuple(sorted(closure(_imports(file), _imports)))


@lru_cache(maxsize=None)
def _file(name: str) -> Path | None:
    """One of our files by its name, None if there is none; most are asked for often."""
    path = IMPORTS / name
    return path if path.is_file() else None


@lru_cache(maxsize=None)
def _imports(file: Path) -> tuple[Path, ...]:
    with told(f"read {file}", "restore it"):
        text = file.read_text(encoding="utf-8")
    found: list[Path] = []
    for package, several, plain in IMPORT.findall(text):
        base = package.replace(".", "/")
        names = [name.strip() for name in (several or plain).split(",")]
        places = [f"{base}.py", f"{base}/__init__.py"]
        places += [f"{base}/{name}.py" for name in names if name]
        found += filter(None, map(_file, places))
    # A package's data files, and the C source and the data file of a module
    data = (
        sorted(file.parent.rglob("*.toml"))
        if file.name == "__init__.py"
        else [file.with_suffix(".h"), file.with_suffix(".toml")]
    )
    return (*found, *(each for each in data if each.is_file()))


# What is compiled, and all else that kernels include; some of that has no suffix.
SOURCES = tuple(".c .h .S .def .in .inc .inl .lds .pro .sa .tbl".split())
# A build reads nothing in these, except for what objtool is made of and scripts.
OUTSIDE = frozenset({".git", "Documentation", "scripts", "tools"})
ALL_OF = tuple(
    f"{name}/"
    for name in "scripts tools/objtool tools/lib tools/include tools/build".split()
)
# They change what is printed or where, not what is found.
_INDIFFERENT = frozenset({"observer", "jobs", "cache_dir"})


@dataclass(frozen=True)
class Status:
    """The state of a tree's files by their status, without reading any.

    ``named`` changes with their names, times and sizes, ``same`` also with what they are links to. ``changed`` and
    ``links`` have the time of the last change of each inode, and how many links lead to it. ``young`` are files
    that may change again with the same times. ``paths`` are all of them, ``times`` those of each regular file.
    """

    root: Path
    paths: tuple[str, ...]
    times: tuple[Times | None, ...]
    named: str
    same: str
    changed: tuple[int, ...]
    links: tuple[int, ...]
    young: tuple[str, ...]


def status_of(root: Path) -> Status:
    """Look at the files of a tree that a build or an engine may read."""
    named, same = ["status"], []
    changed, links, young = [], [], []
    times: list[Times | None] = []
    before = settled_before()
    paths = tuple(_files(root))
    for path in paths:
        name = path[len(str(root)) :]
        try:
            status = os.stat(path)
        except OSError:
            named.append(f"{name} {MISSING}")
            times.append(None)
            continue
        times.append(times_of(status) if stat.S_ISREG(status.st_mode) else None)
        if stat.S_ISDIR(status.st_mode):
            # What a link in scripts/ leads to; folders have no links.
            named.append(f"{name} {status.st_mtime_ns}")
            continue
        named.append(f"{name} {status.st_mtime_ns} {status.st_size}")
        same.append(f"{status.st_dev} {status.st_ino}")
        changed.append(status.st_ctime_ns)
        links.append(status.st_nlink)
        if status.st_ctime_ns >= before:
            young.append(path)
    called = _hashed(named)
    return Status(
        *(root, paths, tuple(times), called, _hashed([*same, called])),
        *(tuple(changed), tuple(links), tuple(young)),
    )


def _hashed(lines: Iterable[str]) -> str:
    """A hash of lines. Together, as to hash each of a tree's takes three times as long."""
    said = "\n".join(lines).encode("utf-8", "surrogateescape")
    return hashlib.sha256(said).hexdigest()


def state_of_run(tree: Tree, settings: Settings, asked: str, files: Status) -> str:
    """A key for the answer to a question about a tree; it changes with all that may change the answer.

    It does not depend on where the tree is, if its files are links to the same ones, or copies of which
    `remember_contents` knows what they contain.
    """
    chosen = {
        each.name: getattr(settings, each.name)
        for each in fields(settings)
        if each.name not in _INDIFFERENT
    }
    digest = hashlib.sha256(
        f"{asked}\0{all_code()}\0{chosen}\n".encode("utf-8", "surrogateescape")
    )
    named = (str(file) for file in (settings.profile, settings.baseline) if file)
    for path in (*named, *_programs()):
        digest.update(f"{path} {stamp(path)}\n".encode("utf-8", "surrogateescape"))
    with settings.open_cache() as cache:
        digest.update(_state_of_files(files, cache).encode())
    return digest.hexdigest()


def _state_of_files(files: Status, cache: Cache) -> str:
    """A text that changes with any of the files.

    A new link to each file (cp -al) changes the times of their inodes, and the numbers of links with them.
    Another change of these times may be one of a file. A copy (cp -a) is of other inodes. Both are read.
    """

    def read(row: Any) -> str:
        were = zip(
            *(files.changed, row["changed"], files.links, row["links"]), strict=True
        )
        if (*files.changed,) == (*row["changed"],):
            return rebuilt(str, row["state"])
        if any(at == then or number == was for at, then, number, was in were):
            raise ValueError("a file may have been written, and has its old time again")
        if not files.young:
            _remember(files, rebuilt(str, row["state"]), cache)
        return rebuilt(str, row["state"])

    def read_copy(row: Any) -> str:
        if row["contents"] != _contents(files):
            raise ValueError("a file was written, and has its old time again")
        return rebuilt(str, row["state"])

    known = known_answer(cache, files.same, read)
    if known is not None:
        return known
    state = known_answer(cache, files.named, read_copy)
    if state is None:
        seen = f"{files.same} {files.changed} {[*map(contents, files.young)]}"
        state = hashlib.sha256(seen.encode()).hexdigest()
    if not files.young:
        _remember(files, state, cache)
    return state


def _remember(files: Status, state: str, cache: Cache) -> None:
    row = {"changed": files.changed, "links": files.links, "state": state}
    cache.remember({files.same: row})


def remember_contents(at_first: Status, cache: Cache) -> None:
    """Remember what the files contain that were looked at first, if they are as they were then."""
    files = status_of(at_first.root)
    if files == replace(at_first, young=()):
        state = _state_of_files(at_first, cache)
        _remember(files, state, cache)
        cache.remember({files.named: {"contents": _contents(files), "state": state}})


def _contents(files: Status) -> str:
    """A hash of what the files contain."""
    start = len(str(files.root))
    several = zip(files.paths, files.times, strict=True)
    return _hashed(f"{path[start:]} {contents(path, times)}" for path, times in several)


def _programs() -> Iterator[str]:
    """The paths of all programs that may be run, and of our checkers."""
    # Most runs do not ask.
    from hotcocci.engines.programs import PROGRAMS
    from hotcocci.tree.targets import TARGETS

    names = [program.name for program in PROGRAMS]
    for target in TARGETS.values():
        prefix = target.cross_compile
        names += [target.cc or f"{prefix}gcc", f"{prefix}ld", *target.programs]
    for name in dict.fromkeys((*names, "clang", os.environ.get("SMATCH", ""))):
        yield shutil.which(name) or name
    yield from (program.header for program in PROGRAMS if program.header)
    for folder, _, files in sorted(os.walk(DATA / "checkers")):
        yield from (f"{folder}/{file}" for file in sorted(files))


def _files(root: Path) -> Iterator[str]:
    """The files of the tree that a build or an engine may read."""
    from hotcocci.tree.build import BUILD_FILES

    folders = [str(root), *(f"{root}/{name}" for name in ALL_OF)]
    whole = tuple(folders[1:])
    for folder in folders:
        every = folder.startswith(whole)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            name = entry.name
            if entry.is_dir(follow_symlinks=False):
                if folder != folders[0] or name not in OUTSIDE:
                    folders.append(entry.path)
            elif (
                every
                or "." not in name
                or name.endswith(SOURCES)
                or name.startswith(BUILD_FILES)
            ):
                yield entry.path
