# SPDX-License-Identifier: GPL-2.0
"""Macros and constants, as the kernel reads them in headers.

Uapi headers have branches for user space, for C++ and for other systems, which are removed. A condition that
depends on the configuration keeps both of its branches; a caller that finds two different definitions knows that
the result is ambiguous, or asks for the view of an x86-64 kernel.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from hotcocci.c.conditionals import Branch, compiled, conditions, decided
from hotcocci.c.expression import Call, Expr, SizeOf, computed
from hotcocci.c.headers import Header, reachable
from hotcocci.c.parsing import parse_text
from hotcocci.c.source import COMMENTS, Source
from hotcocci.tree.source import text_beside

_DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)\n]*)\))?[ \t]*(.*)$", re.MULTILINE
)
# Words with a known value in all kernels.
_KNOWN = {"__KERNEL__": True, "__linux__": True, "__cplusplus": False}
# The same for x86-64.
_X86_64 = {
    "__x86_64__": True,
    "__i386__": False,
    "__LP64__": True,
    "__ILP32__": False,
    "CONFIG_64BIT": True,
    "CONFIG_X86": True,
    "CONFIG_X86_64": True,
    "CONFIG_X86_32": False,
    "__LITTLE_ENDIAN_BITFIELD": True,
    "__BIG_ENDIAN_BITFIELD": False,
}
_BITS_PER_LONG = ("__BITS_PER_LONG", "BITS_PER_LONG")

# Whether a word is defined and not 0; None if unknown.
Known = Callable[[str], bool | None]
# Maximum nesting of macros; deeper nesting is a cycle.
_MOST = 16

# Maps the text of a type to its size in bytes, or None if unknown.
Measure = Callable[[str], int | None]


@dataclass(frozen=True)
class Macro:
    """A macro: its parameters (None for an object-like one) and its body."""

    parameters: tuple[str, ...] | None
    body: str


@dataclass(frozen=True)
class View:
    """A file as the kernel sees it: without comments and untaken branches, with the same lines."""

    text: str

    @cached_property
    def macros(self) -> dict[str, tuple[Macro, ...]]:
        """The distinct definitions of each name."""
        found: dict[str, dict[Macro, None]] = {}
        for line in _DEFINE.finditer(self.text):
            found.setdefault(line[1], {})[_macro(line)] = None
        return {name: tuple(macros) for name, macros in found.items()}

    def definitions(self, name: str) -> tuple[Macro, ...]:
        """The distinct definitions of one name: a header of registers has 50,000 others."""
        places = re.finditer(rf"define[ \t]+{name}\b", self.text)
        starts = (self.text.rfind("\n", 0, place.start()) + 1 for place in places)
        lines = (_DEFINE.match(self.text, start) for start in starts)
        return tuple(dict.fromkeys(_macro(m) for m in lines if m and m[1] == name))


def _macro(line: re.Match[str]) -> Macro:
    """The macro that a line of `_DEFINE` defines."""
    if line[2] is None:
        return Macro(None, line[3].strip())
    return Macro(tuple(p.strip() for p in line[2].split(",")), line[3].strip())


@lru_cache(maxsize=1024)
def view(path: Path) -> View:
    """A file as all kernels see it; empty if it cannot be read."""
    return view_of(text_beside(path))


@lru_cache(maxsize=1024)
def view_on_x86_64(root: Path, file: str, path: Path) -> View:
    """A header as an x86-64 kernel sees it when a file of the tree includes it.

    Headers of other architectures are seen as by all kernels.
    """
    foreign = file.startswith("arch/") and not file.startswith("arch/x86/")

    def known(word: str) -> bool | None:
        outcome = _KNOWN.get(word)
        if outcome is not None or foreign:
            return outcome
        if word in _X86_64:
            return _X86_64[word]
        # The compiler may define names of its own, the configuration those of Kconfig.
        if word.startswith(("_", "CONFIG_")) or word.isdigit():
            return None
        return None if defined(root, file, word) else False

    return view_of(text_beside(path), known)


@lru_cache(maxsize=8192)
def defined(root: Path, file: str, name: str) -> bool:
    """Whether any header that a file includes defines a macro, under any condition."""
    return any(name in header.defines for header in reachable(root, file))


@lru_cache(maxsize=8192)
def macros_named(root: Path, file: str, name: str) -> tuple[Macro, ...]:
    """The definitions of a macro that all kernels may see in a file, nearest first.

    ``file`` is relative to ``root``; those of the headers that it includes count, too.
    """
    paths = [h.path for h in reachable(root, file) if name in h.defines]
    return tuple(m for path in paths for m in view(path).definitions(name))


@lru_cache(maxsize=8192)
def meaning(root: Path, file: str, name: str) -> str:
    """The number or the other name that a name in a file stands for; itself if that is not known."""
    for _ in range(_MOST):
        found = {*macros_named(root, file, name)}
        macro = found.pop() if len(found) == 1 else Macro((), "")
        body = macro.body.strip("() ")
        if macro.parameters is not None or body == name:
            break
        if not body.isidentifier():
            try:
                return str(int(body.rstrip("uUlL"), 0))
            except ValueError:
                break
        name = body
    return name


def view_of(text: str, known: Known = _KNOWN.get) -> View:
    """A text as the kernel sees it, given the known words in conditions."""
    bare = COMMENTS.sub(lambda m: "\n" * m.group().count("\n") or " ", text)
    lines = _joined(bare).split("\n")
    for number in _untaken(bare, known):
        lines[number - 1] = ""
    return View("\n".join(lines))


def _joined(text: str) -> str:
    """A text whose lines end in no backslash, with as many lines as before."""
    first, *others = text.split("\\\n")
    made = [first]
    owed = ""
    for part in others:
        line, end, rest = part.partition("\n")
        owed += "\n"
        made += [" ", line, owed if end else "", end, rest]
        owed = "" if end else owed
    return "".join([*made, owed])


def _untaken(text: str, known: Known) -> set[int]:
    """The lines, starting at 1, of branches that are not taken, and those of conditions that are decided."""
    line_of = Source("", text).line_of
    found: set[int] = set()
    for condition in conditions(text):
        for branch, taken in compiled(condition, lambda each: _outcome(each, known)):
            if taken is not None:
                first = line_of(branch.at)
                found.update(range(first, first + 1 if taken else line_of(branch.end)))
        if condition.closed:
            found.add(line_of(condition.branches[-1].end))
    return found


def _outcome(branch: Branch, known: Known) -> int | None:
    """Whether the condition of a branch holds; None if unknown."""

    def of(expr: Expr) -> int | None:
        if expr.name in _BITS_PER_LONG:
            wide = known("CONFIG_64BIT")
            return None if wide is None else 64 if wide else 32
        if isinstance(expr, Call) and expr.callee == "defined" and expr.arguments:
            expr = expr.arguments[0]
        return known(expr.name) if expr.name else None

    outcome = decided(branch.test, of)
    return outcome if branch.word != "ifndef" or outcome is None else not outcome


# Finds a macro by its name.
Macros = Callable[[str], Macro | None]


def evaluate(root: Path, file: str, text: str, measure: Measure) -> int | None:
    """The value of an integer constant expression in a file; None if unknown.

    ``measure`` gives the size in bytes of a type for ``sizeof``.
    """
    return _value(text, lambda name: macro_of(root, file, name), measure)


def evaluate_bound(root: Path, file: str, text: str, measure: Measure) -> int | None:
    """The value of an array bound, whose macros may come from any header; None if unknown."""
    known = evaluate(root, file, text, measure)
    if known is not None or text.isdigit():
        return known
    return _value(text, lambda name: macro_of(root, file, name, True), measure)


def evaluate_least(root: Path, file: str, text: str, measure: Measure) -> int | None:
    """As `evaluate`, of the smallest number that any header defines a macro as; for sums and products."""

    def only(name: str) -> Macro | None:
        return _macro_everywhere(root, file, name)

    def least(name: str) -> Macro | None:
        found = set(macros_named(root, file, name))
        known = {_value(macro.body, only, measure): macro for macro in found}
        numbers = [number for number in known if number is not None]
        return known[min(numbers)] if numbers and None not in known else None

    return _value(text, least, measure)


def evaluate_everywhere(
    root: Path, file: str, text: str, measure: Measure
) -> int | None:
    """The value of an array bound if all headers agree on its macros; None if unknown."""

    return _value(text, lambda name: _macro_everywhere(root, file, name), measure)


def _value(
    text: str, macros: Macros, measure: Measure, left: int = _MOST
) -> int | None:
    def of(expr: Expr) -> int | None:
        if isinstance(expr, SizeOf):
            inner = expr.text.removeprefix("sizeof").strip()
            return measure(inner[1:-1].strip()) if inner.startswith("(") else None
        macro = macros(expr.name) if expr.name else None
        if macro is None or macro.parameters is not None or not left:
            return None
        return _value(macro.body, macros, measure, left - 1)

    return computed(parse_text(text), of)


@lru_cache(maxsize=8192)
def macro_of(root: Path, file: str, name: str, far: bool = False) -> Macro | None:
    """A macro, if all headers that a file includes agree on it, at least on x86-64.

    Only searches the headers of `interface`, or with ``far`` all headers, which is slow.
    """
    headers = reachable(root, file) if far else interface(root, file)
    paths = [header.path for header in headers if name in header.defines]
    found = {macro for path in paths for macro in view(path).definitions(name)}
    if len(found) > 1:
        found = {
            macro
            for path in paths
            for macro in view_on_x86_64(root, file, path).definitions(name)
        }
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=4096)
def _macro_everywhere(root: Path, file: str, name: str) -> Macro | None:
    found = set(macros_named(root, file, name))
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=64)
def interface(root: Path, file: str) -> tuple[Header, ...]:
    """A file and those of its headers that may define its user interface.

    These are uapi headers, headers in its own directory, and any that define ioctl commands.
    """
    folder = str((root / file).parent)
    return tuple(h for h in reachable(root, file) if is_near(h, folder))


def is_near(header: Header, folder: str) -> bool:
    """Whether a header may define the user interface of a file in a folder, as in `interface`."""
    return header.is_interface or header.folder == folder
