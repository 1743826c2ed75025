# SPDX-License-Identifier: GPL-2.0
"""Function context for the rewrite decision: its variables, and what its declarations, labels and loops say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from pathlib import Path

from hotcocci.c.expression import Expr, Index, Member, Name, Unary, canonical, uncast
from hotcocci.c.flow import Graph
from hotcocci.c.flow_builder import build_graph, is_scope
from hotcocci.c.model import Integer, integer, without_attributes
from hotcocci.c.source import (
    NAME,
    Part,
    Source,
    Token,
    closing,
    code_in,
    is_member,
    split,
)
from hotcocci.c.syntax import (
    LOOPS,
    Function,
    Statement,
    block_of,
    declarations,
    functions,
    innermost,
)
from hotcocci.c.typed import resolved
from hotcocci.findings import Facts
from hotcocci.rewrite.options import Options, is_hot

_CLEANUP_WORDS = frozenset({"__free", "__cleanup", "CLASS", "DEFINE_FREE"})
_GUARDS = frozenset({"guard", "scoped_guard", "scoped_cond_guard", "ACQUIRE"})
# Specifiers that are not part of the type
_STORAGE = frozenset("static register extern inline __always_inline noinline".split())
_NO_TYPE = frozenset("return goto else case default typedef".split())
_RECORDS = ("struct", "union", "enum")

# Functions and operators that do not keep a pointer that they are given.
_KEEPS_NONE = frozenset("memset memcpy copy_from_user __copy_from_user sizeof".split())
_OPERAND = re.compile(r"\w+|\]")


@dataclass(frozen=True)
class Context:
    """A function and the options."""

    function: Function
    options: Options

    @classmethod
    def of_graph(cls, graph: Graph, options: Options) -> Context:
        """The context of a function whose flow graph is known."""
        made = cls(graph.function, options)
        vars(made)["graph"] = graph
        return made

    @property
    def source(self) -> Source:
        """The function's file."""
        return self.function.source

    @property
    def where(self) -> tuple[Path, str]:
        """The tree, and the file in it, as what reads headers takes them."""
        return self.options.root, self.source.file

    @cached_property
    def hot(self) -> bool:
        """Whether the function is hot, by profile or else by what leads to it."""
        source, name = self.source, self.function.name
        return is_hot(self.options, source.file, source.text, name)

    def of(self, part: Part) -> str:
        """The text of an expression, a statement or a token."""
        return self.source.of(part)

    def key(self, part: Part) -> str:
        """The same for comparison; see `canonical`."""
        return canonical(self.source.of(part))

    def line(self, part: Part) -> int:
        """The line in which it begins, counted from 1."""
        return self.source.line_of(part.start)

    def called_at(self, call: Part) -> str:
        """A call for a message: its name and its line."""
        name = self.source.code_between(call.start, call.end)[0]
        return f"the {name.text}() at line {self.line(name)}"

    @property
    def body(self) -> Statement:
        """The function's outermost block."""
        return self.function.body

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The function's tokens, header included."""
        return self.source.code_between(self.function.start, self.body.end)

    @property
    def header(self) -> tuple[Token, ...]:
        """The tokens of the function's definition before its body."""
        return self.source.code_between(self.function.start, self.body.start)

    @property
    def returned(self) -> list[str]:
        """The words before the function's parameters: its type and its name."""
        return [t.text for t in takewhile(lambda t: t.text != "(", self.header)]

    @property
    def parameters(self) -> list[tuple[Token, ...]]:
        """The function's parameters, each with its type."""
        header = self.header
        names = [token.text for token in header]
        opens = [index for index, text in enumerate(names) if text == "("]
        # Macros of the file may come before it, as VFIO_IORDWR(8).
        own = (index for index in opens if names[index - 1] == self.function.name)
        opening = next(own, opens[0] if opens else 0)
        last = closing(header, opening) if opens else None
        if last is None:
            return []
        pieces = split(header[opening + 1 : last], ",")
        if names[0].removeprefix("COMPAT_").startswith("SYSCALL_DEFINE"):
            # SYSCALL_DEFINE3(name, type, name, type, name)
            return [(*a, *b) for a, b in zip(pieces[1::2], pieces[2::2])]
        return pieces

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Every name used in the function, except fields: a new name must differ from all of them."""
        return frozenset(
            t.text
            for i, t in enumerate(self.tokens)
            if t.kind == NAME and not is_member(self.tokens, i)
        )

    def free_name(self, wanted: Iterable[str], taken: set[str]) -> str:
        """The first of these names that is neither used in the function nor taken; it is taken then."""
        used = self.identifiers | taken
        name = next(each for each in wanted if each not in used)
        taken.add(name)
        return name

    @cached_property
    def labels(self) -> dict[str, int]:
        """The function's labels and their offsets."""
        return {
            self.source.code_between(s.start, s.end)[0].text: s.start
            for s in self.function.statements
            if s.kind == "label"
        }

    @cached_property
    def declared(self) -> list[tuple[Token, ...]]:
        """Every declaration of the function, in source order."""
        blocks = self.function.blocks
        found = [d for block in blocks for d in declarations(self.source, block)]
        return sorted(found, key=lambda d: d[0].start)

    @cached_property
    def static_names(self) -> frozenset[str]:
        """Names declared static: they outlive the call."""
        static = (v for v in self.variables if v.tokens[0].text == "static")
        return frozenset(variable.name.text for variable in static)

    @cached_property
    def variables(self) -> list[Variable]:
        """The parameters and locals of the function, in source order."""
        declared = (d[:-1] for d in self.declared if d[0].text not in _NO_TYPE)
        named = (d for d in declared if d and d[0].kind == NAME)
        return [v for d in (*self.parameters, *named) for v in _declared(d)]

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its parameters and locals."""
        return frozenset(variable.name.text for variable in self.variables)

    @cached_property
    def types(self) -> dict[str, str]:
        """The types of its variables by name; a name declared with two types is left out."""
        types: dict[str, str] = {}
        for variable in self.variables:
            name = variable.name.text
            same = types.get(name, variable.type) == variable.type
            types[name] = variable.type if same else ""
        return {name: type_ for name, type_ in types.items() if type_}

    def types_at(self, offset: int) -> dict[str, str]:
        """The types of the variables that are visible at an offset."""
        return {
            variable.name.text: variable.type
            for variable in self.variables
            if variable.name.start < offset
            and offset < innermost(self.function, variable.name.start).end
        }

    @cached_property
    def user(self) -> frozenset[str]:
        """The variables that point to user memory."""
        return frozenset(v.name.text for v in self.variables if "__user" in v.type)

    @cached_property
    def kernel(self) -> frozenset[str]:
        """The variables that point to kernel memory."""
        pointers = {v.name.text for v in self.variables if "*" in v.type}
        return frozenset(pointers - self.user)

    def type_outside(self, name: str) -> str | None:
        """The type of a variable that the file declares outside of functions; None if it does not."""
        declarator = rf"[A-Za-z_][^\n;={{}}()]*\b{name}\b(?:\[[^]\n]*\])*"
        pattern = rf"^(?!typedef\b)({declarator})[^\n;={{}}()]*[;=]"
        found = re.search(pattern, self.source.text, re.MULTILINE)
        declared = _declared(code_in(found[1])) if found else []
        return next((v.type for v in declared if v.name.text == name), None)

    def mentions(
        self, name: str, start: int | None = None, end: int | None = None
    ) -> list[Token]:
        """Every use of a name as a variable in the body, or between two offsets."""
        low, high = self.body.start, self.body.end
        tokens = self.source.code_between(start or low, end or high)
        return [
            t
            for i, t in enumerate(tokens)
            if t.text == name and not is_member(tokens, i)
        ]

    def is_local(self, lvalue: Expr) -> bool:
        """Whether an lvalue is in a variable that dies with the function."""
        lvalue = stored(lvalue)
        while isinstance(lvalue, (Member, Index)):
            if isinstance(lvalue, Member) and lvalue.operator == "->":
                return False
            held = lvalue.object
            array = isinstance(held, Member) and held.operator == "."
            array = array or "[" in self.types.get(held.name, "")
            if isinstance(lvalue, Index) and not array:
                return False
            lvalue = held
        return (
            isinstance(lvalue, Name)
            and lvalue.text in self.names
            and lvalue.text not in self.static_names
        )

    @cached_property
    def graph(self) -> Graph:
        """The function's control flow."""
        return build_graph(self.function)

    @cached_property
    def unit(self) -> str:
        """One level of the function's indentation: a tab, or as many blanks as its first line has."""
        for child in self.body.children:
            indent = self.source.indent(child.start)
            if indent and child.kind != "label":
                return "\t" if "\t" in indent else indent
        return "\t"

    def declared_times(self, name: str) -> int:
        """The number of local variables and parameters with a name; several are in nested blocks."""
        return sum(variable.name.text == name for variable in self.variables)

    def is_pointed_to(self, name: str, end: int) -> bool:
        """Whether something may point to a local variable: code before ``end`` takes the address of it or of a part."""
        tokens = self.source.code_between(self.body.start, end)
        type_ = self.types.get(name, "")
        array = "[" in type_
        texts = ["", "", "", *(token.text for token in tokens), ""]
        for index, token in enumerate(tokens):
            if token.text != name or is_member(tokens, index):
                continue
            call, opening, before, _, after = texts[index : index + 5]
            # What a pointer leads to; a typedef may be of an array.
            within = not array and (after == "->" or after == "[" and "*" in type_)
            if before == "&" and call not in _KEEPS_NONE and not within:
                # After an operand it is the operator of integers.
                if opening in _NO_TYPE or not _OPERAND.fullmatch(opening):
                    return True
            decays = array and after != "["
            if decays and before in ("=", ",", "(", "+") and opening not in _KEEPS_NONE:
                return True
        return False

    def owns(self, name: str) -> bool:
        """Whether a name is a local variable or a parameter, or may be one that a macro in the header declares."""
        hidden = [t.text for t in self.header[1:2]] == ["("]
        declared = self.declared_times(name) > 0 or hidden
        return declared and name not in self.static_names

    def holds_errno(self, name: str) -> bool:
        """Whether a variable keeps -EFAULT: it is not declared as a narrow or unsigned type."""
        known = integer(self.types.get(name, ""))
        return known is None or known.signed is True and known.sizes[0] >= 4

    def integer(self, name: str) -> Integer | None:
        """The integer type that a variable is declared with, also by a typedef; None if it is of another type."""
        return integer(resolved(*self.where, self.types.get(name, "")) or "")

    def repeated_ranges(self, offset: int) -> list[tuple[int, int]]:
        """Code that may run again after an offset: enclosing loops and backward jumps."""
        found = [(s.start, s.end) for s in self.function.statements if s.kind in LOOPS]
        for label, start in self.labels.items():
            back = [
                t.end
                for before, t in zip(self.tokens, self.tokens[1:])
                if before.text == "goto" and t.text in (label, "*") and t.start > start
            ]
            found += [(start, back[-1])] if back else []
        return [(start, end) for start, end in found if start < offset < end]

    @cached_property
    def cleanups(self) -> list[tuple[int, int]]:
        """The scopes of variables with a cleanup and of guards."""
        scopes = [
            (declaration[0].start, block.end)
            for block in self.function.blocks
            for declaration in declarations(self.source, block)
            if any(t.text in _CLEANUP_WORDS for t in declaration)
        ]
        for statement in self.function.statements:
            word = self.source.code_between(statement.start, statement.end)[0].text
            if statement.kind == "expression" and word in _GUARDS:
                scopes.append((statement.start, block_of(statement).end))
            elif statement.kind == "macro" and (word in _GUARDS or is_scope(word)):
                scopes.append((statement.start, statement.end))
        return sorted(scopes)

    def cleanups_at(self, offset: int) -> set[tuple[int, int]]:
        """The cleanups in scope at an offset."""
        return {c for c in self.cleanups if c[0] < offset < c[1]}


def contexts(
    text: str, facts: Facts, options: Options, at_least: int = 1
) -> Iterator[Context]:
    """The functions of a file with enough of the calls in its facts."""
    for function in _functions(text, facts, at_least):
        yield Context(function, options)


@lru_cache(maxsize=4)
def _functions(text: str, facts: Facts, at_least: int) -> Sequence[Function]:
    """The functions of a file, which one rule after the other reads."""
    return functions(Source(facts.file, text), facts, at_least)


def declares(declaration: tuple[Token, ...], name: str) -> bool:
    """Whether a declaration declares a variable of that name."""
    return any(
        t.text == name and declaration[i + 1].text in ("=", ",", ";", "[")
        for i, t in enumerate(declaration[:-1])
    )


@dataclass(frozen=True)
class Variable:
    """A parameter or a local; ``type`` as C writes it, with stars and bounds after it.

    ``tokens`` are the declaration, ``name`` is the name's token, ``value`` the initializer.
    """

    name: Token
    type: str
    tokens: tuple[Token, ...]
    value: tuple[Token, ...]


def _declared(tokens: tuple[Token, ...]) -> list[Variable]:
    """The variables of a declaration without its semicolon."""
    found: list[Variable] = []
    words: tuple[Token, ...] = ()
    for number, whole in enumerate(split(tokens, ",")):
        equals = next((i for i, t in enumerate(whole) if t.text == "="), len(whole))
        piece, _ = without_attributes(whole[:equals])
        brace = next((i for i, t in enumerate(piece) if t.text == "{"), None)
        if brace is not None and (last := closing(piece, brace)) is not None:
            piece = piece[:brace] + piece[last + 1 :]
        cut = next(
            (i for i, t in enumerate(piece) if t.text in ("[", ":", "(")), len(piece)
        )
        named = [i for i in range(cut) if piece[i].kind == NAME]
        if number == 0:
            # The type and the name: at least two words; struct, its tag and the name
            # are three, unless it is defined in place
            tagged = brace is None and _first_word(piece) in _RECORDS
            least = 3 if tagged else 2
            plain = [i for i in named if piece[i].text not in _STORAGE]
            if len(plain) < least or any(t.text == "(" for t in piece[cut : cut + 1]):
                return []
            words = tuple(piece[i] for i in plain[:-1])
        if not named:
            return []
        stars = sum(t.text == "*" for t in piece[:cut])
        bounds = "".join(t.text for t in piece[cut:])
        type_ = " ".join(t.text for t in words)
        type_ += (" " + "*" * stars if stars else "") + bounds
        found.append(Variable(piece[named[-1]], type_, tokens, whole[equals + 1 :]))
    return found


def _first_word(piece: Sequence[Token]) -> str:
    skipped = (*_STORAGE, "const", "volatile")
    return next((t.text for t in piece if t.text not in skipped), "")


def stored(lvalue: Expr) -> Expr:
    """The object that an lvalue is of, also through a cast of its address: ``*(u64 *)&set`` is of ``set``."""
    if isinstance(lvalue, Unary) and lvalue.operator == "*":
        pointer = uncast(lvalue.operand)
        if isinstance(pointer, Unary) and pointer.operator == "&":
            return pointer.operand
    return lvalue
