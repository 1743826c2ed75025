# SPDX-License-Identifier: GPL-2.0
"""The architectures that a file can be built for, by Makefile and Kconfig.

Good for drivers of one machine, ``depends on ATARI``. What is not understood counts as "all".
"""

import ast
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

from hotcocci.tree.source import text_beside
from hotcocci.tree.targets import Target

Arches = frozenset[str] | None
"""Folders in arch/; None for all."""

_CONFIG = re.compile(r"^[ \t]*(?:menu)?config[ \t]+(\w+)", re.MULTILINE)
_RULE = re.compile(r"^([\w-]+)-(y|m|objs|\$\(CONFIG_(\w+)\))[ \t]*[:+]?=(.*)$", re.M)
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")
_WORD = re.compile(r"\$?\b\w+")
_EQUAL = re.compile(r"(?<![!<>=])=(?!=)")
_NOT = re.compile(r"!(?!=)")
# What asks for a symbol in an #if line
_ASKED = re.compile(
    r"\b(?:defined|IS_ENABLED|IS_BUILTIN|IS_REACHABLE)\s*\(?\s*(\w+)\s*\)?"
)
# Symbols that say which width a kernel has: the architecture, empty for all, and the bits
_WIDTHS = {
    "64BIT": ("", 64),
    "X86_64": ("x86", 64),
    "X86_32": ("x86", 32),
    "PPC64": ("powerpc", 64),
    "PPC32": ("powerpc", 32),
    "SPARC64": ("sparc", 64),
    "SPARC32": ("sparc", 32),
}
_OF_ARCHES = ("arch/*/Kconfig*", "arch/*/*/Kconfig*")
_OF_ALL = ("*/Kconfig*", "*/*/Kconfig*")
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


def with_code(
    root: Path, file: str, guards: Sequence[str], targets: Sequence[Target]
) -> list[Target]:
    """Those of these targets whose kernels can have code of a file under these conditions of #if lines.

    A condition that is not understood may hold everywhere.
    """
    arches = architectures_of(root, file)
    guards = (*guards, *_switch(root / file))
    return [
        target
        for target in targets
        if (arches is None or target.folder in arches)
        and all(_holds(root, guard, target) is not False for guard in guards)
    ]


def _switch(path: Path) -> tuple[str, ...]:
    """The option for which a Makefile compiles a file: obj-$(CONFIG_COMPAT) += compat.o, drm-$(CONFIG_COMPAT) += ioc32.o."""
    own = [
        symbol
        for _, _, symbol, objects in _rules(path.parent)
        if f"{path.stem}.o" in objects.split()
    ]
    return (" || ".join(own),) if own and all(own) and path.suffix == ".c" else ()


@lru_cache(maxsize=4096)
def _holds(
    root: Path, expression: str, target: Target, depth: int = _DEPTH
) -> bool | None:
    """Whether an expression of Kconfig or of an #if line holds on a target; None if it may or may not."""

    def of(node: ast.expr) -> bool | None:
        match node:
            case ast.Name(name):
                return _is_set(root, _symbol(name), target, depth)
            case ast.UnaryOp(ast.Not(), operand):
                known = of(operand)
                return None if known is None else not known
            case ast.BoolOp(operator, operands):
                found = [of(each) for each in operands]
                decisive = isinstance(operator, ast.Or)
                if decisive in found:
                    return decisive
                return None if None in found else not decisive
        return None

    parsed = _parsed(expression)
    return of(parsed) if parsed is not None else None


def _is_set(root: Path, symbol: str, target: Target, depth: int) -> bool | None:
    """Whether a symbol is set on a target; None if it can be chosen, or nothing is known of it."""
    if symbol in _WIDTHS:
        only, bits = _WIDTHS[symbol]
        return only in ("", target.folder) and bits == target.bits
    arches = _only_in(root, symbol)
    if not depth or arches is None:
        return None
    if target.folder not in arches:
        return False
    folder = root / "arch" / target.folder
    definitions = [
        all(_holds(root, c, target, depth - 1) is not False for c in conditions)
        for file in _kconfigs(folder, "**/Kconfig*")
        for conditions in _conditions(file).get(symbol, ())
    ]
    return None if any(definitions) else False


@lru_cache(maxsize=4096)
def _parsed(expression: str) -> ast.expr | None:
    """An expression of Kconfig or of an #if line, each symbol as a name that `_symbol` reads."""
    text = _ASKED.sub(r" \1 ", _STRING.sub("0", expression))
    text = _WORD.sub(r" S_\g<0> ", _EQUAL.sub("==", text))
    text = text.replace("&&", " and ").replace("||", " or ")
    try:
        return ast.parse(_NOT.sub(" not ", text).strip(), mode="eval").body
    except SyntaxError:
        return None


def _symbol(name: str) -> str:
    return name.removeprefix("S_").removeprefix("CONFIG_")


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
    text = text_beside(file).replace("\\\n", " ") if file else ""
    return tuple(_RULE.findall(text))


@lru_cache(maxsize=4096)
def _of_symbol(root: Path, folder: Path, symbol: str, depth: int = _DEPTH) -> Arches:
    """The architectures on which a symbol can be set: where it is defined, and what it depends on."""
    defined = _only_in(root, symbol)
    if defined is not None:
        return defined
    place = folder
    while depth and (place == root or root in place.parents):
        for file in _kconfigs(place, "Kconfig*"):
            conditions = _conditions(file).get(symbol)
            if conditions:
                return _any(
                    [
                        _all(_value(root, place, c, depth - 1) for c in each)
                        for each in conditions
                    ]
                )
        place = place.parent
    return None


@lru_cache(maxsize=4096)
def _kconfigs(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))


@lru_cache(maxsize=4096)
def _conditions(file: Path) -> dict[str, list[list[str]]]:
    """The dependencies of each definition of each symbol, with the ``if`` around it."""
    found: dict[str, list[list[str]]] = {}
    around: list[str] = []
    own: list[str] | None = None
    for line in text_beside(file).replace("\\\n", " ").split("\n"):
        words = line.split("#")[0].split(None, 1)
        if not words or line.startswith("\t\t") or line.startswith("\t  "):
            continue
        word, rest = words[0], words[1].strip() if len(words) > 1 else ""
        if word in ("config", "menuconfig", "if", "endif", "menu", "choice", "endmenu"):
            own = None
            around += [rest] * (word == "if")
            del around[len(around) - (word == "endif") :]
        if word in ("config", "menuconfig"):
            own = [*around]
            found.setdefault(rest, []).append(own)
        elif own is not None and word == "depends" and rest.startswith("on "):
            own.append(rest.removeprefix("on "))
    return found


def _value(root: Path, folder: Path, expression: str, depth: int) -> Arches:
    """The architectures on which an expression can be true."""

    def of(node: ast.expr) -> Arches:
        match node:
            case ast.Name(name):
                return _of_symbol(root, folder, _symbol(name), depth)
            case ast.Compare(symbol, [ast.Eq()], [ast.Name("S_y")]):
                return of(symbol)
            case ast.BoolOp(ast.And(), operands):
                return _all(map(of, operands))
            case ast.BoolOp(ast.Or(), operands):
                return _any([of(each) for each in operands])
        return None

    parsed = _parsed(expression)
    return of(parsed) if parsed is not None else None


def _only_in(root: Path, symbol: str) -> Arches:
    """The architectures that a symbol is defined for; None if it is defined for all near the root, or nowhere."""
    own = _of_arches(root).get(symbol)
    return own if own and symbol not in _of_all(root) else None


@lru_cache(maxsize=4)
def _of_arches(root: Path) -> dict[str, frozenset[str]]:
    """The symbols that are defined for some architectures."""
    found: dict[str, frozenset[str]] = {}
    for pattern in _OF_ARCHES:
        for file in root.glob(pattern):
            own = frozenset({file.relative_to(root).parts[1]})
            for symbol in _CONFIG.findall(text_beside(file)):
                found[symbol] = found.get(symbol, own) | own
    return found


@lru_cache(maxsize=4)
def _of_all(root: Path) -> frozenset[str]:
    """The symbols that are defined for all architectures, near the root."""
    found = (file for pattern in _OF_ALL for file in root.glob(pattern))
    others = (file for file in found if file.parent.parent != root / "arch")
    return frozenset(
        chain.from_iterable(_CONFIG.findall(text_beside(f)) for f in others)
    )


def _both(one: Arches, other: Arches) -> Arches:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _all(found: Iterable[Arches]) -> Arches:
    result: Arches = None
    for each in found:
        result = _both(result, each)
    return result


def _any(found: Sequence[Arches]) -> Arches:
    known = [each for each in found if each is not None]
    return frozenset().union(*known) if known and len(known) == len(found) else None
