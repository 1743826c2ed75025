# SPDX-License-Identifier: GPL-2.0
"""Find violations visible in a single statement: UW11's side effects, UW18, UW20, UW23, UW24; and of scopes: UW13, UW16, UW17, UW20.

How often a macro evaluates its arguments is read from the architecture's own definitions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import view
from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Expr,
    Literal,
    Name,
    SizeOf,
    assigned,
    canonical,
    is_hint,
    names,
    walk,
)
from hotcocci.c.flow import BasicBlock, Graph, Scope
from hotcocci.c.functions import plain_code
from hotcocci.c.headers import arch_of, reachable
from hotcocci.c.source import DIRECTIVE, NAME, Source, Token, closing, split
from hotcocci.c.syntax import (
    DECLARATION,
    LOOPS,
    Function,
    Statement,
    declarations,
    enclosing,
    innermost,
    read_function,
)
from hotcocci.tree.source import text_beside
from hotcocci.windows.events import BEGINS, SCOPES, accessor_of, argument
from hotcocci.windows.outcome import Violation

_SIZES = frozenset({"sizeof_field", "ARRAY_SIZE", "offsetof", "offsetofend"})
# The variables that __scoped_user_access() of include/linux/uaccess.h declares
_OF_SCOPE = frozenset({"done", "_tmpptr"})
_HOOKS = frozenset({"might_fault", "might_sleep", "should_fail_usercopy"})


def violations(graph: Graph, root: Path, file: str) -> Iterator[Violation]:
    """Violations visible in single expressions and scopes of a function."""
    yield from _of_scopes(graph)
    function = graph.function
    code = function.source.code_between(function.body.start, function.body.end)
    words = {token.text for token in code}
    for hint in graph.hints:
        yield from _hinted(hint)
    for block, call in graph.expressions():
        if not isinstance(call, Call):
            continue
        if is_hint(call):
            yield from _hinted(call)
        yield from _side_effects(call, root, file)
        yield from _unhygienic(graph, call, root, file)
        yield from _hardening(graph, call)
        if not words & _HOOKS:
            yield from _debug_hooks(block, call)


def _hinted(hint: Call) -> Iterator[Violation]:
    for part in walk(hint):
        if isinstance(part, Call) and part.callee in BEGINS:
            yield Violation(
                "UW18",
                part.start,
                f"{hint.callee}() around a begin: the branch profiling hook runs with user access open",
            )


def _side_effects(call: Call, root: Path, file: str) -> Iterator[Violation]:
    """Find arguments that change something, in the pointer or where they are evaluated twice."""
    accessor = accessor_of(call)
    pointer = argument(call, accessor.pointer) if accessor is not None else None
    if accessor is None or pointer is None:
        return
    name = call.callee
    if any(isinstance(p, Binary) and p.operator in ASSIGNMENTS for p in walk(pointer)):
        yield Violation(
            "UW11",
            call.start,
            f"the pointer argument of {name}() has a side effect and may be evaluated twice",
        )
        return
    own = arch_of(file)
    for arch, counts in evaluations(root, name).items():
        for place, (value, count) in enumerate(zip(call.arguments, counts)):
            if count > 1 and own in ("", arch) and assigned(value):
                what = "pointer" if value is pointer else f"argument {place + 1}"
                yield Violation(
                    "UW11",
                    call.start,
                    f"{name}() evaluates its {what} {count} times on {arch}, and it has a side effect",
                )
                return


def _unhygienic(graph: Graph, call: Call, root: Path, file: str) -> Iterator[Violation]:
    """Find accessors that break an else, or whose argument clashes with a variable of the macro."""
    name = call.callee
    if not name.startswith("unsafe_"):
        return
    said = hygiene(root, file, name)
    captured = sorted(n for a in call.arguments for n in names(a) if n in said.locals)
    if captured:
        yield Violation(
            "UW20",
            call.start,
            f"argument {captured[0]} of {name}() clashes with a variable in an architecture's definition",
        )
    where = said.bare_if or said.semicolon
    statement = innermost(graph.function, call.start)
    parent = statement.parent
    if where and parent is not None and parent.kind == "if":
        if len(parent.children) > 1 and parent.children[0] is statement:
            how = "an if" if said.bare_if else "two statements"
            yield Violation(
                "UW20",
                call.start,
                f"{name}() before an else needs braces: {where} defines it as {how}",
            )


def _hardening(graph: Graph, call: Call) -> Iterator[Violation]:
    accessor = accessor_of(call)
    if accessor is None or accessor.size is None:
        return
    size = argument(call, accessor.size)
    if size is None or is_constant(size):
        return
    checks = (c for c in graph.calls() if c.callee == "check_object_size")
    checked = [_addends(graph, s) for c in checks if (s := argument(c, 1)) is not None]
    if not checked:
        how = "without check_object_size() before the window"
    elif all(parts < _addends(graph, size) for parts in checked):
        how = "of which check_object_size() is given only a part"
    else:
        return
    yield Violation(
        "UW23", call.start, f"{call.callee}() with a size only known at run time, {how}"
    )


def _addends(graph: Graph, size: Expr) -> frozenset[str]:
    """What a size is the sum of, with variables that are set once read as what they are set to."""
    values: dict[str, list[Expr]] = {}
    for _, part in graph.expressions():
        if isinstance(part, Binary) and part.operator in ASSIGNMENTS:
            values.setdefault(part.left.name, []).append(part.right)
    waiting, found = [size], set[str]()
    while waiting:
        part = waiting.pop()
        once = values.pop(part.name, []) if isinstance(part, Name) else []
        if isinstance(part, Binary) and part.operator == "+":
            waiting += part.children()
        elif isinstance(part, Call) and part.callee == "size_add":
            waiting += part.arguments
        elif len(once) == 1:
            waiting += once
        else:
            text = graph.function.source.text[part.start : part.end]
            found.add(canonical(text))
    return frozenset(found)


def _debug_hooks(block: BasicBlock, call: Call) -> Iterator[Violation]:
    scope = block.enters is not None and call is block.enters.call
    if call.callee in BEGINS or (scope and call.callee in SCOPES):
        yield Violation(
            "UW24",
            call.start,
            f"{call.callee}() has no might_fault() and no fault injection on most architectures",
        )


def _of_scopes(graph: Graph) -> Iterator[Violation]:
    """Violations in the scopes of a function."""
    for scope in graph.scopes:
        if scope.name not in SCOPES:
            continue
        yield from _identifier(scope)
        yield from _captured(graph, scope)
        yield from _leaving(graph, scope)
        yield from _labels(graph, scope)


def _at(scope: Scope) -> int:
    return scope.statement.start


def _identifier(scope: Scope) -> Iterator[Violation]:
    pointer = argument(scope.call, 0)
    if pointer is not None and not isinstance(pointer, Name):
        yield Violation(
            "UW13",
            _at(scope),
            f"the pointer of {scope.name}() must be a plain identifier: the scope redeclares it",
        )


def _captured(graph: Graph, scope: Scope) -> Iterator[Violation]:
    """Find a variable in a scope that has the name of one of the scope's own."""
    source, body = graph.function.source, scope.statement
    inside = (s for s in graph.function.statements if body in (s, *enclosing(s)))
    blocks = (s for s in inside if s.kind in ("block", "switch"))
    own = {t.text for b in blocks for d in declarations(source, b) for t in d}
    for block, part in graph.expressions():
        if scope in block.scopes and isinstance(part, Name):
            if part.text in _OF_SCOPE - own:
                yield Violation(
                    "UW20",
                    part.start,
                    f"{part.text} is the variable of that name which {scope.name}() declares",
                    _at(scope),
                )


def _leaving(graph: Graph, scope: Scope) -> Iterator[Violation]:
    """Find breaks and continues that only leave the loops inside the scope macro."""
    left = {"break": (*LOOPS, "switch"), "continue": LOOPS}
    for statement in graph.function.statements:
        kinds = left.get(statement.kind, ())
        meant = _enclosing(scope.statement, kinds)
        if meant is not None and _enclosing(statement, kinds) is scope.statement:
            word = "switch" if meant.kind == "switch" else "loop"
            yield Violation(
                "UW17",
                statement.start,
                f"{statement.kind} leaves only {scope.name}(), not the enclosing {word}",
                _at(scope),
            )


def _enclosing(statement: Statement, kinds: tuple[str, ...]) -> Statement | None:
    return next((s for s in enclosing(statement) if s.kind in kinds), None)


def _labels(graph: Graph, scope: Scope) -> Iterator[Violation]:
    """Find fault labels inside the scope that they should lead out of."""
    own = argument(scope.call, -1)
    if isinstance(own, Name) and _within(graph, own.text, scope):
        yield Violation(
            "UW16", _at(scope), f"label {own.text} is inside the scope that jumps to it"
        )
    for call in _accesses(graph, scope):
        label = argument(call, -1)
        if isinstance(label, Name) and _within(graph, label.text, scope):
            yield Violation(
                "UW16",
                call.start,
                f"fault label {label.text} is inside the scope of this access",
                _at(scope),
            )


def _within(graph: Graph, label: str, scope: Scope) -> bool:
    place = graph.labels.get(label)
    return place is not None and scope in place.scopes


def _accesses(graph: Graph, scope: Scope) -> Iterator[Call]:
    """The accesses in a scope, including all macros named unsafe_*."""
    for block, part in graph.expressions():
        if scope in block.scopes and isinstance(part, Call):
            if part.callee.startswith("unsafe_"):
                yield part


def is_constant(size: Expr) -> bool:
    """Whether a size consists of numbers, sizeof and constants with upper-case names."""
    if isinstance(size, (Literal, SizeOf)):
        return True
    if isinstance(size, Name):
        return size.text.isupper()
    if isinstance(size, Call):
        return size.callee in _SIZES
    children = size.children()
    return bool(children) and all(is_constant(child) for child in children)


_DEFINE = r"^[ \t]*\#[ \t]*define[ \t]+{}\(([^)]*)\)((?:.*\\\n)*.*)$"
_LOCAL = re.compile(r"[\w\s*]+?\b(\w+) *= *\(")
_Tokens = tuple[Token, ...]
_Macro = tuple[tuple[str, ...], _Tokens]
# They look at the type of their argument only.
_TYPES = frozenset(
    "sizeof typeof __typeof__ typeof_unqual __typeof_unqual__ __alignof__ __same_type "
    "__builtin_types_compatible_p __builtin_constant_p BUILD_BUG_ON static_assert".split()
)
_DEPTH = 8


def read_body(tokens: _Tokens) -> Function | None:
    """The statements of a macro or a function; None if brackets do not match. A directive is ``#;``."""
    words = ("#;" if token.kind == DIRECTIVE else token.text for token in tokens)
    text = f"{{ {' '.join(words)} ;}}"
    return read_function(Source("", text), "", 0, len(text), ())


def steps(function: Function, statement: Statement) -> list[Statement]:
    """The statements and the declarations that one consists of, in order."""
    source, block = function.source, statement.kind == "block"
    declared = declarations(source, statement) if block else ()
    made = (Statement(DECLARATION, d[0].start, d[-1].end) for d in declared)
    return sorted((*made, *statement.children), key=lambda one: one.start)


def outside(
    function: Function, statement: Statement, inner: Sequence[Statement]
) -> _Tokens:
    """The tokens of a statement that are in none of its steps."""
    tokens = function.source.code_between(statement.start, statement.end)
    return tuple(
        t for t in tokens if not any(s.start <= t.start < s.end for s in inner)
    )


@dataclass(frozen=True)
class Hygiene:
    """The hygiene problems of an accessor's definitions.

    ``bare_if`` and ``semicolon`` are the first files that define it as a bare if, or with a trailing semicolon;
    either breaks a following else. ``locals`` are the variables that the definitions declare.
    """

    bare_if: str = ""
    semicolon: str = ""
    locals: frozenset[str] = frozenset()


@lru_cache(maxsize=256)
def hygiene(root: Path, file: str, name: str) -> Hygiene:
    """The hygiene problems in any definition of a macro that a file may see."""
    pattern = re.compile(_DEFINE.format(re.escape(name)), re.MULTILINE)
    own = arch_of(file)
    bare_if = semicolon = ""
    names: set[str] = set()
    for place, text in _headers(root, file):
        if name not in text or own not in ("", arch_of(place), "include"):
            continue
        for match in pattern.finditer(text):
            body = re.sub(r"\\\n", " ", match[2]).strip()
            if body.startswith("if"):
                bare_if = bare_if or place
            if body.endswith(";"):
                semicolon = semicolon or place
            names |= {m for m in _LOCAL.findall(body) if m.startswith("_")}
    return Hygiene(bare_if, semicolon, frozenset(names))


def accessors(root: Path) -> list[Path]:
    """The headers that define the accessors, of all architectures."""
    return sorted(root.glob("arch/*/include/asm/uaccess.h"))


@lru_cache(maxsize=256)
def _headers(root: Path, file: str) -> tuple[tuple[str, str], ...]:
    arches = accessors(root)
    named = [(str(p.relative_to(root)), text_beside(p)) for p in arches]
    return (*named, *(("include", header.text) for header in reachable(root, file)))


@lru_cache(maxsize=256)
def evaluations(root: Path, name: str) -> dict[str, tuple[int, ...]]:
    """The number of times each architecture's definition of an accessor evaluates each argument.

    Of several definitions the one counts that does so least often. Architectures without a
    definition of their own are left out.
    """
    found = {}
    for path in accessors(root):
        header = str(path.relative_to(root))
        own = text_beside(path)
        for spelled in (f"arch_{name}", name):
            if f"{spelled}(" not in own:
                continue
            defined = _macros(root, header, spelled)
            if defined:
                parameters = range(len(defined[0][0]))
                counts = [_least(root, header, spelled, i, _DEPTH) for i in parameters]
                found[path.parts[-4]] = tuple(counts)
                break
    return found


@lru_cache(maxsize=4096)
def _macros(root: Path, header: str, name: str) -> tuple[_Macro, ...]:
    """The definitions of a macro in a header, or else in the first file it includes with one."""
    for each in reachable(root, header):
        macros = view(each.path).definitions(name) if name in each.defines else ()
        found = tuple(
            (macro.parameters, plain_code(macro.body))
            for macro in macros
            if macro.parameters is not None
        )
        if found:
            return found
    return ()


@lru_cache(maxsize=4096)
def _least(root: Path, header: str, name: str, place: int, depth: int) -> int:
    """The number of times a call evaluates an argument; once if it is no macro that is understood."""
    defined = _macros(root, header, name) if depth else ()
    counts = []
    for parameters, body in defined:
        if place >= len(parameters) or "..." in parameters[-1]:
            return 1
        counter = _Counter(root, header, parameters[place], depth - 1)
        counts.append(counter.body(body))
    return min(counts, default=1)


class _Counter:
    """Counts the evaluations of one parameter of a macro on the path with most of them."""

    def __init__(self, root: Path, header: str, parameter: str, depth: int) -> None:
        self._where = root, header
        self._parameter = parameter
        self._depth = depth

    def body(self, tokens: _Tokens) -> int:
        """The evaluations in a body; one if it is not understood."""
        read = read_body(tokens)
        return self._most(read, [read.body], 0) if read is not None else 1

    def _most(self, read: Function, statements: Sequence[Statement], after: int) -> int:
        """The evaluations from the first of these statements on, given those after the last."""
        for statement in reversed(statements):
            after = self._from(read, statement, after)
        return after

    def _from(self, read: Function, statement: Statement, after: int) -> int:
        inner = steps(read, statement)
        own = self._expression(outside(read, statement, inner))
        match statement.kind:
            case "break" | "return" | "goto" | "continue":
                return own
            case "if" | "for" | "while":
                ways = inner[:1], inner[1:]
                return own + max(self._most(read, way, after) for way in ways)
            case "do" | "macro":
                return own + self._most(read, inner, 0) + after
            case "switch":
                cases = (inner[number:] for number in range(len(inner)))
                most = max((self._most(read, case, 0) for case in cases), default=0)
                return own + most + after
        return own + self._most(read, inner, after)

    def _expression(self, tokens: _Tokens) -> int:
        count = index = 0
        while index < len(tokens):
            token = tokens[index]
            following = tokens[index + 1].text if index + 1 < len(tokens) else ""
            last = closing(tokens, index + 1) if following in ("(", "{") else None
            if token.text == "(" and following == "{" and last is not None:
                count += self.body(tokens[index + 2 : last])
                index = last
            elif token.kind == NAME and following == "(" and last is not None:
                count += self._call(token.text, tokens[index + 2 : last])
                index = last
            elif token.text == self._parameter:
                member = index and tokens[index - 1].text in ("->", ".", "##")
                count += 0 if member else 1
            index += 1
        return count

    def _call(self, name: str, arguments: _Tokens) -> int:
        if name in _TYPES:
            return 0
        count = 0
        for place, given in enumerate(split(arguments, ",")):
            inside = self._expression(given)
            if inside:
                count += inside * _least(*self._where, name, place, self._depth)
        return count
