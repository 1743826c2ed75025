# SPDX-License-Identifier: GPL-2.0
"""Find files by grep: those to compile so that all uses of one are compiled, and those with some functions."""

import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path

from hotcocci.tree.process import run
from hotcocci.tree.source import read_text, text_beside

# Seconds. grep over a whole tree takes 1.2 s from memory, a minute from a slow disk.
TIMEOUT = 600.0
# A header may have thousands of users; only this many of the nearest are compiled.
NEAREST = 3
# A function that a header defines, and any word.
INLINE = re.compile(r"^static\s[^;{}()]*?(\w+)\s*\(", re.MULTILINE)
WORD = re.compile(r"\w+")
INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')
# What a Makefile passes to the compiler, and its other names of headers
PASSED = re.compile(r"-include\s+\S+|\$\(obj\)/\S+|\"[^\"]*\"|#.*")
NAMED = re.compile(r"(?<![\w/)])(?:(?:[\w.-]+|\$\(\w+\))/)*\w[\w*-]*\.h\b")
VARIABLE = re.compile(r"\$\(\w+\)")


def units(tree: Path, file: str, folder: str) -> tuple[str, ...]:
    """The .c files whose compilation reads a file: itself, and those that include it.

    For example, sound/core/pcm_compat.c is only compiled as part of pcm_native.c. For a header,
    only the nearest users are returned, without those of architectures other than ``folder`` in
    arch/, or those of the headers that include it if no .c file does. Raises UserError without grep.
    """
    if file.endswith(".c"):
        return (file, *_users(tree, file))
    users = [user for user in _users(tree, file) if not foreign(user, folder)]
    if not users:
        # kernel/futex/futex.h alone includes asm/futex.h.
        headers = {
            user
            for user, name in including(tree, _ending(file))
            if user.endswith(".h") and may_name(tree, user, name, file)
        }
        found = {user for header in headers for user in _users(tree, header)}
        users = sorted(user for user in found if not foreign(user, folder))
    return nearest(tree, file, users)


def read_as_text(tree: Path, file: str) -> str:
    """The Makefile or script for which other programs than a compiler may read a header; empty if there is none.

    They may read its comments, too (lib/build_OID_registry, scripts/bpf_doc.py). Raises UserError without grep.
    """
    for line in searched(tree, ["-F", "-e", ".h"], ("Makefile*", "Kbuild*", "*.py")):
        makefile, _, text = line.removeprefix("./").partition(":")
        for name in NAMED.findall(PASSED.sub("", text)):
            path = VARIABLE.sub("*", re.sub(r"^\$\((?:srctree|src)\)/", "", name))
            near = os.path.normpath(os.path.join(os.path.dirname(makefile), path))
            if fnmatch(file, path) or fnmatch(file, near):
                return makefile
    return ""


# Programs that are no kernel, and code that runs before one
_APART = ("tools", "scripts", "usr", "samples", "arch")
_PATH = re.compile(r"(?:\$\((?:srctree|top_srcdir)\)/|(?:\.\./)+)[\w./-]+\.[ch]\b")


def compiled_by_others(tree: Path, file: str) -> str:
    """A Makefile or source of another program that names a file by its path, and so may compile it; empty without one.

    So do tools/bootconfig/Makefile, tools/testing/vma/vma.c, and what unpacks kernels (arch/*/boot). Raises UserError without grep.
    """
    kinds = ("Makefile*", "Kbuild*", "*.c", "*.h")
    options = ["-rsF", *(f"--include={kind}" for kind in kinds)]
    name = f"/{os.path.basename(file)}"
    for line in _grep(tree, [*options, "-e", name, "--", *_APART]):
        user, _, text = line.partition(":")
        for path in _PATH.findall(text):
            near = os.path.normpath(os.path.join(os.path.dirname(user), path))
            if user != file and file in (near, path.partition(")/")[2]):
                return user
    return ""


def has_each(tree: Path, header: str, arches: Iterable[str] | None) -> bool:
    """Whether each of these architectures, or of all, has a header asm/…: its own, or the general one."""
    name = header.removeprefix("asm/")
    folders = arches or (p.name for p in tree.glob("arch/*") if p.is_dir())
    places = [tree / "arch" / f / "include" for f in folders if f != "um"]

    def says(word: str, kbuild: Path) -> bool:
        said = rf"^{word}-y\s*\+=\s*{re.escape(name)}$"
        return re.search(said, text_beside(kbuild), re.MULTILINE) is not None

    general = (tree / "include" / kind / "asm-generic/Kbuild" for kind in ("", "uapi"))
    return any(says("mandatory", kbuild) for kbuild in general) or all(
        any((place / kind / header).exists() for kind in ("", "uapi"))
        or says("generic", place / "asm/Kbuild")
        for place in places
    )


def built_units(tree: Path, file: str, folder: str) -> tuple[str, ...]:
    """Those of `units` that kbuild compiles: what others include, and no Makefile names, is only a part of these."""
    found = units(tree, file, folder)
    is_part = file.endswith(".c") and len(found) > 1 and not _is_named(tree, file)
    return found[1:] if is_part else found


def _is_named(tree: Path, file: str) -> bool:
    """Whether a Makefile of a file's folder, or of one above it, names its object."""
    path = Path(file)
    # entry_$(BITS).o
    stem = re.sub(r"(?:32|64)$", r"(?:\g<0>|\\$\\(BITS\\))", re.escape(path.stem))
    named = re.compile(rf"(?<![\w-]){stem}\.o\b")
    places = (
        tree / folder / name
        for folder in path.parents
        for name in ("Kbuild", "Makefile")
    )
    return any(named.search(text_beside(place)) for place in places)


def foreign(file: str, folder: str) -> bool:
    """Whether a file belongs to an architecture other than ``folder`` in arch/."""
    parts = file.split("/")
    return parts[0] == "arch" and parts[1] != folder


def _users(tree: Path, file: str) -> tuple[str, ...]:
    """The .c files that include a file, also indirectly."""
    found: set[str] = set()
    reached = {file}
    waiting = [file]
    while waiting:
        wanted = waiting.pop()
        for user, name in including(tree, _ending(wanted)):
            if user in reached or not may_name(tree, user, name, wanted):
                continue
            reached.add(user)
            if user.endswith(".c"):
                found.add(user)
            # Indirect users of a header would be half of the tree.
            if user.endswith(".c") or file.endswith(".c"):
                waiting.append(user)
    return tuple(sorted(found))


def _ending(wanted: str) -> str:
    """The end of the quoted part of an #include of a file."""
    # Few .c files are included: one cached search finds them all.
    return ".c" if wanted.endswith(".c") else Path(wanted).name


def may_name(tree: Path, user: str, name: str, wanted: str) -> bool:
    """Whether ``#include "name"`` in the file ``user`` may refer to the wanted file."""
    # It is asked two million times for a header that half of the tree includes.
    local = f"{user.rpartition('/')[0]}/{name}".removeprefix("/")
    if "./" in local:
        local = os.path.normpath(local)
    if local == wanted:
        return True
    # Otherwise it is found through -I, unless a file next to the user hides it.
    return f"/{wanted}".endswith(f"/{name}") and not _is_there(f"{tree}/{local}")


@lru_cache(maxsize=1 << 17)
def _is_there(path: str) -> bool:
    return os.path.exists(path)


@lru_cache(maxsize=256)
def including(tree: Path, ending: str = "") -> tuple[tuple[str, str], ...]:
    """Pairs of a file and an #included name with this ending; all without one."""
    # To look for words takes half the time that it takes for a regular expression.
    words = (f'{ending}"', f"{ending}>") if ending else ("include",)
    options = ["-F", *(option for word in words for option in ("-e", word))]
    found = searched(tree, options, ("*.c", "*.h", "*.S"))
    pairs = []
    for line in found:
        user, _, text = line.partition(":")
        name = INCLUDE.match(text)
        if name and name[1].endswith(ending):
            pairs.append((user.removeprefix("./"), name[1]))
    return tuple(pairs)


def searched(tree: Path, options: list[str], names: tuple[str, ...]) -> list[str]:
    """The output of grep for the files of a tree with such names. Raises UserError without grep."""
    these = [f"--include={name}" for name in names]
    these += [f"--exclude-dir={name}" for name in (".git", "Documentation", "tools")]
    return _grep(tree, ["-rs", *these, *options, "."])


@lru_cache(maxsize=64)
def in_headers(tree: Path, pattern: str) -> tuple[str, ...]:
    """What matches in the headers that any .c file may include, of all architectures, after "file:". Raises UserError without grep."""
    options = ["-rHsoE", "--include=*.h", "-e", pattern, "--", "include"]
    places = sorted(tree.glob("arch/*/include"))
    return tuple(_grep(tree, [*options, *(str(p.relative_to(tree)) for p in places)]))


def _grep(tree: Path, words: Sequence[str]) -> list[str]:
    """The output of grep; its status is 1 without a match, 2 for a missing file."""
    return run(["grep", *words], tree, TIMEOUT).out.splitlines()


def nearest(
    tree: Path, file: str, users: Iterable[str], most: int = NEAREST
) -> tuple[str, ...]:
    """The ``most`` users that share the most leading directories with the file.

    Of those, the ones that use most of its functions.
    """
    names = set(INLINE.findall(read_text(tree / file)))

    def distance(user: str) -> int:
        return -len(os.path.commonprefix([file.split("/"), user.split("/")]))

    def unused(user: str) -> int:
        return -len(names.intersection(WORD.findall(read_text(tree / user))))

    ranked = sorted(users, key=lambda user: (distance(user), user))
    if len(ranked) > most:
        last = distance(ranked[most - 1])
        near = [user for user in ranked if distance(user) <= last]
        ranked = sorted(near, key=lambda u: (distance(u), unused(u), u))
    return tuple(ranked[:most])


# Files per call: their names must fit on a command line.
AT_ONCE = 1000


def defining(root: Path, files: Sequence[str], names: Iterable[str]) -> list[str]:
    """The files, relative to the tree, that may define or declare one of the names.

    A tree has a gigabyte of text, and the functions in a profile are not known in advance. Raises UserError
    without grep.
    """
    wanted = sorted(name for name in names if name.isidentifier())
    if not wanted:
        return []
    found: list[str] = []
    with tempfile.NamedTemporaryFile("w", suffix=".grep") as patterns:
        # After a type, at the start of a line, or as in SYSCALL_DEFINE3(read, …
        patterns.writelines(
            rf"^([A-Za-z_].*[ *(	])?{n}[ 	]*[(,]" + "\n" for n in wanted
        )
        patterns.flush()
        for start in range(0, len(files), AT_ONCE):
            some = files[start : start + AT_ONCE]
            found += _grep(
                root, ["-slE", "-D", "skip", "-f", patterns.name, "--", *some]
            )
    return found
