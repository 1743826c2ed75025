# SPDX-License-Identifier: GPL-2.0
"""The architectures that a file can be built for, by Makefile and Kconfig.

Good for drivers of one machine, ``depends on ATARI``. What is not understood counts as "all".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from hotcocci.tree.source import read_text

Arches = frozenset[str] | None
"""Folders in arch/; None for all."""

_CONFIG = re.compile(r"^[ \t]*(?:menu)?config[ \t]+(\w+)", re.MULTILINE)
_RULE = re.compile(r"^([\w-]+)-(y|m|objs|\$\(CONFIG_(\w+)\))[ \t]*[:+]?=(.*)$", re.M)
_TOKEN = re.compile(r"&&|\|\||!=|[!()=<>]|\"[^\"]*\"|[\w-]+")
_WHERE = ("*/Kconfig*", "*/*/Kconfig*", "arch/*/*/Kconfig*")
# A symbol that depends on others, which depend on others
_DEPTH = 3


def architectures_of(root: Path, file: str) -> Arches:
    """The architectures whose kernels can hold a source file; None if it may be any.

    ``file`` is relative to the tree. Headers are for whoever includes them.
    """
    if not file.endswith(".c"):
        return None
    found: Arches = None
    path = root / file
    wanted = f"{path.stem}.o"
    while path.parent != root and root in path.parents:
        folder = path.parent
        if _rules(folder):
            found = _both(found, _built(root, folder, wanted))
            wanted = f"{folder.name}/"
        else:
            # A Makefile above names the object: gem/i915_gem_context.o.
            wanted = f"{folder.name}/{wanted}"
        path = folder
    return found


def _built(root: Path, folder: Path, wanted: str, depth: int = _DEPTH) -> Arches:
    """The architectures on which a Makefile builds an object or enters a folder."""
    found: list[Arches] = []
    listed = f"$({wanted.removesuffix('.o')}-y)"
    for name, _, symbol, objects in _rules(folder):
        if {wanted, listed}.isdisjoint(objects.split()):
            continue
        own = _of_symbol(root, folder, symbol) if symbol else None
        if name != "obj" and depth:
            own = _both(own, _built(root, folder, f"{name}.o", depth - 1))
        found.append(own)
    return _any(found)


@lru_cache(maxsize=1024)
def _rules(folder: Path) -> tuple[tuple[str, str, str, str], ...]:
    file = next(
        (f for n in ("Kbuild", "Makefile") if (f := folder / n).is_file()), None
    )
    text = _text(file).replace("\\\n", " ") if file else ""
    return tuple(_RULE.findall(text))


@lru_cache(maxsize=4096)
def _of_symbol(root: Path, folder: Path, symbol: str, depth: int = _DEPTH) -> Arches:
    """The architectures on which a symbol can be set: where it is defined, and what it depends on."""
    defined = _symbols(root).get(symbol, "")
    if isinstance(defined, frozenset):
        return defined
    place = folder
    while depth and (place == root or root in place.parents):
        for file in sorted(place.glob("Kconfig*")):
            conditions = list(_conditions(_text(file), symbol))
            if conditions:
                return _any(
                    [
                        _all(_value(root, place, c, depth - 1) for c in each)
                        for each in conditions
                    ]
                )
        place = place.parent
    return None


def _conditions(text: str, symbol: str) -> Iterator[list[str]]:
    """What each definition of a symbol depends on, with the ``if`` around it."""
    around: list[str] = []
    own: list[str] | None = None
    for line in text.replace("\\\n", " ").split("\n"):
        words = line.split("#")[0].split(None, 1)
        if not words or line.startswith("\t\t") or line.startswith("\t  "):
            continue
        word, rest = words[0], words[1].strip() if len(words) > 1 else ""
        if word in ("config", "menuconfig", "if", "endif", "menu", "choice", "endmenu"):
            if own is not None:
                yield [*around, *own]
                own = None
            around += [rest] * (word == "if")
            del around[len(around) - (word == "endif") :]
        if word in ("config", "menuconfig") and rest == symbol:
            own = []
        elif own is not None and word == "depends" and rest.startswith("on "):
            own.append(rest.removeprefix("on "))
    if own is not None:
        yield [*around, *own]


def _value(root: Path, folder: Path, expression: str, depth: int) -> Arches:
    """The architectures on which an expression can be true."""
    tokens = _TOKEN.findall(expression)

    def atom() -> Arches:
        token = tokens.pop(0) if tokens else ""
        if token == "!":
            atom()
            return None
        if token == "(":
            inner = either()
            if tokens:
                tokens.pop(0)
            return inner
        compared = bool(tokens) and tokens[0] in ("=", "!=", "<", ">")
        if compared:
            equal, value = tokens.pop(0), tokens.pop(0) if tokens else ""
            if equal != "=" or value != "y":
                return None
        return _of_symbol(root, folder, token, depth)

    def both() -> Arches:
        found = atom()
        while tokens and tokens[0] == "&&":
            tokens.pop(0)
            found = _both(found, atom())
        return found

    def either() -> Arches:
        found = [both()]
        while tokens and tokens[0] == "||":
            tokens.pop(0)
            found.append(both())
        return _any(found)

    return either()


@lru_cache(maxsize=4)
def _symbols(root: Path) -> dict[str, Arches]:
    """The symbols that are only defined for some architectures; None for all others near the root."""
    found: dict[str, Arches] = {}
    for pattern in _WHERE:
        for file in root.glob(pattern):
            parts = file.relative_to(root).parts
            own = (
                frozenset({parts[1]}) if parts[0] == "arch" and len(parts) > 2 else None
            )
            for symbol in _CONFIG.findall(_text(file)):
                known = found.get(symbol, frozenset())
                found[symbol] = None if own is None or known is None else known | own
    return found


def _text(file: Path) -> str:
    return read_text(file)


def _both(one: Arches, other: Arches) -> Arches:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _all(found: Iterator[Arches]) -> Arches:
    result: Arches = None
    for each in found:
        result = _both(result, each)
    return result


def _any(found: Sequence[Arches]) -> Arches:
    known = [each for each in found if each is not None]
    return frozenset().union(*known) if known and len(known) == len(found) else None
