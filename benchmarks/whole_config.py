# SPDX-License-Identifier: GPL-2.0
"""The symbols of Kconfig that build some files of a tree, and those that these depend on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from hotcocci.tree.source import read_text

_RULE = re.compile(r"^([\w-]+?)-(?:y|m|objs|\$\(CONFIG_(\w+)\))[ \t]*[:+]?=(.*)$", re.M)
_DEFINED = re.compile(r"^\s*(?:menu)?config\s+(\w+)")
_AROUND = re.compile(r"^(if|endif|menu|endmenu|choice|endchoice)\b(.*)")
_DEPENDS = re.compile(r"^\s+depends on\s+(.*)")
_NAMED = re.compile(r"(?<![!\w])(?<!! )[A-Z][A-Z0-9_]+\b(?!\s*=\s*n)")


def symbols_for(
    root: Path, files: Iterable[str], without: Collection[str]
) -> tuple[str, ...]:
    """What to set to y for a kernel of x86 that has these files; some symbols are left out, and what needs them."""
    known = _dependencies(root)
    found: dict[str, None] = {}
    todo = [s for file in files if file.endswith(".c") for s in _building(root, file)]
    while todo:
        symbol = todo.pop()
        if symbol in found or symbol in without or symbol not in known:
            continue
        found[symbol] = None
        todo += sorted(known[symbol])
    return tuple(sorted(found))


def _building(root: Path, file: str) -> Iterator[str]:
    """The symbols on the lines of Makefiles that build a file, up to the root of the tree."""
    path = root / file
    wanted = {path.with_suffix(".o").name}
    while path.parent != root and root in path.parents:
        folder = path.parent
        made = [folder / name for name in ("Kbuild", "Makefile")]
        text = "\n".join(read_text(m) for m in made if m.is_file())
        rules = _RULE.findall(text.replace("\\\n", " "))
        grown = True
        while grown:
            grown = False
            for name, symbol, objects in rules:
                named = {word.removeprefix("./") for word in objects.split()}
                if wanted & named:
                    if symbol:
                        yield symbol
                    if name != "obj" and f"{name}.o" not in wanted:
                        wanted.add(f"{name}.o")
                        grown = True
        wanted = (
            {f"{folder.name}/"} if rules else {f"{folder.name}/{w}" for w in wanted}
        )
        path = folder


def _dependencies(root: Path) -> dict[str, set[str]]:
    """The symbols that each symbol of x86 depends on."""
    found: dict[str, set[str]] = {}
    folders = [
        f for f in root.iterdir() if f.is_dir() and f.name not in ("arch", "tools")
    ]
    for folder in (*folders, root / "arch/x86"):
        for file in (*folder.rglob("Kconfig*"), *(root / "arch").glob("Kconfig*")):
            _read(read_text(file).replace("\\\n", " "), found)
    return found


def _read(text: str, found: dict[str, set[str]]) -> None:
    around: list[tuple[str, set[str]]] = []
    own: set[str] | None = None
    for line in text.split("\n"):
        if defined := _DEFINED.match(line):
            own = found.setdefault(defined[1], set())
            own.update(*(names for _, names in around))
        elif block := _AROUND.match(line):
            own = None
            if block[1].startswith("end"):
                if around:
                    around.pop()
                continue
            names = set(_NAMED.findall(block[2])) if block[1] == "if" else set()
            around.append((block[1], names))
        elif depends := _DEPENDS.match(line):
            names = set(_NAMED.findall(depends[1].split("#")[0]))
            if own is not None:
                own |= names
            elif around:
                around[-1][1].update(names)
