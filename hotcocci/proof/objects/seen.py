# SPDX-License-Identifier: GPL-2.0
"""Name the changed lines that no compilation sees.

The preprocessor removes some, and others the compiler takes for unreachable, since a constant of this
architecture or configuration decides on them. Nothing that is compared shows what they do. So both sides
are compiled again with a mark before each changed piece of code (pieces.py): a mark that is missing in
the assembly was before code that is not there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

from hotcocci.c.conditionals import around, conditions
from hotcocci.c.source import DIRECTIVE, NAME, Token
from hotcocci.engines.compiler import ERROR, Compiled
from hotcocci.findings import NOT_PROVEN, Execution, Line
from hotcocci.machine.elf import ObjectFile
from hotcocci.proof.changed import Original, Text, decides, defined, uses
from hotcocci.proof.known import SAME_MEANING
from hotcocci.proof.objects import marks, variants
from hotcocci.proof.objects.claimed import (
    ARRIVES,
    OF_SOME,
    UNDECLARED,
    Included,
    Sight,
    claimed,
    folded,
    for_kernel,
    includes,
    unused,
)
from hotcocci.proof.objects.compiled import (
    FLAGS,
    Compilation,
    CompiledUnit,
    ExecutionError,
    coded,
)
from hotcocci.proof.objects.conditional import functions
from hotcocci.proof.objects.declared import (
    BOUND,
    USERS,
    beside_wider,
    bounded,
    declared,
    dropped,
    known_to_users,
    positional,
)
from hotcocci.proof.objects.elsewhere import (
    Body,
    dropped_effects,
    outlined,
    refused,
    unbounded,
    unbraced,
)
from hotcocci.proof.objects.helpers import helpers, in_caller
from hotcocci.proof.objects.idle import DECIDES, IGNORED, idle
from hotcocci.proof.objects.left_out import taken
from hotcocci.proof.objects.marking import Bodies, marked
from hotcocci.proof.objects.pieces import is_literal
from hotcocci.proof.objects.silent import (
    ASSEMBLY,
    CALLED_FROM,
    CALLER,
    PROMISED,
    UNALIGNED,
    Applied,
    alone,
    applied,
    assembly,
    by_function,
    bytewise,
    clearing,
    pairs,
    silent,
    words,
)
from hotcocci.proof.users import declarations, names_of
from hotcocci.proof.objects.varying import (
    OTHER_MEANING,
    Definitions,
    Exchange,
    counted,
    counts,
    is_constant,
    is_value,
    named,
    plain,
)
from hotcocci.tree.includes import has_each, in_headers
from hotcocci.tree.kconfig import architectures_of
from hotcocci.tree.source import decode, read

UNREADABLE = "what it includes cannot be compared: the preprocessor fails"
REMOVED = "removed by the preprocessor in this configuration"
UNREACHABLE = "unreachable in this configuration"
CONSTANT = "the compiler knows its value in this configuration"
LOST = "what the preprocessor makes of it cannot be followed"
UNUSED = "not used by compiled code"
# A macro that is nothing but defined
_SWITCH = re.compile(r"\s*#\s*define\s+\w+\s*1?\s*(?:/[*/].*)?$", re.DOTALL)
LEFT_OUT = (
    "the compiler leaves the variable out, and what uses it may not be compiled here"
)
STRANDED = "it is removed by the preprocessor in this configuration, and uses what the change takes away, or declares otherwise"
SPECULATES = "barriers against speculation are not compared"

MARK = re.compile(r"\bhotcocci (\d+)( constant)?$", re.MULTILINE)
DEFINED = re.compile(r"^#define (\w+)", re.MULTILINE)
BARRIER = "barrier_nospec"
# A header beside the file
_BESIDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"', re.MULTILINE)
# How often a compilation is repeated without the marks that do not compile
TRIES = 4


@dataclass(frozen=True)
class _Seen:
    """The pieces that a compiler keeps, those whose condition is constant, and those that were marked."""

    kept: frozenset[int]
    constant: frozenset[int]
    marked: frozenset[int]


def _run(
    how: Compilation, side: int, text: Text, flags: Sequence[str]
) -> tuple[Compiled, str]:
    """Compile one side with another text of a file; returns what gcc wrote, too."""
    output = how.scratch / "seen.s"
    with how.replaced(side, text.file, text.text):
        compiled = how.run(side, output, (*FLAGS, "-g0", *flags))
    return compiled, decode(read(output)) if compiled.object else ""


def expanded(how: Compilation, side: int, text: Text, form: str = "-P") -> str:
    """The preprocessed side with another text of the changed file. Raises ExecutionError."""
    compiled, said = _run(how, side, text, ("-E", form))
    if compiled.object is None:
        raise ExecutionError(f"the preprocessor fails on {text.file} with marks in it")
    return said


def definitions(how: Compilation, side: int, text: Text) -> Definitions:
    """The definitions in sight of a side's text of the changed file. Raises ExecutionError."""
    said = expanded(how, side, text, "-dD")

    def text_of(file: str) -> str:
        path = how.build.out / file
        # A #line may name any file; the line itself is not proven.
        return decode(read(path)) if path.exists() else ""

    return Definitions(said, text.file, text_of)


def wrong(how: Compilation, side: int, text: str) -> frozenset[int]:
    """The lines on which a side does not compile with another text of the changed file, as a variant."""
    file = how.changed.file
    other = replace(how, variant=variants.Variant("", texts=(text, text)))
    compiled = other.run(side, how.scratch / "seen.s", (*FLAGS, "-g0", "-S"))
    errors = (m for m in compiled.messages if m.kind == ERROR)
    return frozenset(m.line for m in errors if m.file.endswith(file))


@dataclass(frozen=True)
class Preprocessed:
    """A preprocessed side, 0 or 1, with another text: as `expanded`, and as `definitions`.

    It is the same for both kinds of windows, which C decides on.
    """

    expanded: Callable[[int, Text], str]
    definitions: Callable[[int, Text], Definitions]


def preprocessed(how: Compilation) -> Preprocessed:
    """The preprocessed sides of a change, each text once."""
    made = partial(expanded, how), partial(definitions, how)
    return Preprocessed(lru_cache(made[0]), lru_cache(made[1]))


@dataclass(frozen=True)
class Unseen:
    """The results of `unseen`; those ``anyway`` are the same for both kinds of windows."""

    all: tuple[Execution, ...]
    anyway: tuple[Execution, ...]


def unseen(
    how: Compilation,
    unit: CompiledUnit,
    said: Preprocessed,
    usual: Unseen | None = None,
) -> Unseen:
    """A NOT_PROVEN result for each changed line that this compilation, ``unit``, does not see.

    With those of the ``usual`` one, other lines of the changed file are not looked for.
    """
    asked = frozenset(e.unseen for e in usual.all) if usual else None
    found: list[Execution] = []
    always: list[Execution] = []
    given = how.changed.aligned
    both = [*map(_Side.of, given.sides, given.changed, given.sides[::-1])]
    for number, (own, other) in enumerate((both, both[::-1])):
        judge = _Judge(how, unit, said, number, own, other, asked)
        anyway = [*judge.anyway()] if usual is None else judge.own(usual.anyway)
        always += anyway
        lines: set[Line | None] = set()
        several = [*judge.compiled(), *anyway]
        # What else is said of a line says more.
        for each in sorted(several, key=lambda e: e.detail.endswith(IGNORED[2:])):
            if each.unseen not in lines:
                lines.add(each.unseen)
                found.append(each)
    return Unseen(tuple(found), tuple(always))


def _with(name: str, tokens: Sequence[Token]) -> Sequence[Token]:
    """The changed tokens with a name; the first one if the name only moved, as what was beside it did."""
    name, _, said = name.partition(" ")
    name = said.partition(" ")[0] or name
    return [t for t in tokens if name in words([t])] or tokens[:1]


def _condition(text: Text, token: Token) -> tuple[object, ...]:
    """The branches that a token is in."""
    found = around(text.text, token.start)
    return tuple((each.branches[0].test, number) for each, number in found)


def _parameters(text: Text) -> Set[tuple[str, int]]:
    """The number of commas in the header of each function."""
    return {(n, header[0].count(",")) for n, header in functions(text.text).items()}


@dataclass(frozen=True)
class _Side:
    """One side's text and its changed tokens, by function too; ``names`` are those in them, with what they apply to."""

    text: Text
    changed: Sequence[Token]
    own: Mapping[str, Sequence[Token]]
    names: Mapping[str, Counter[Applied]]

    @classmethod
    def of(cls, text: Text, changed: Sequence[Token], other: Text) -> _Side:
        also = counted(text.tokens, changed)
        clears = clearing(text.tokens)
        said = [t for t in (*changed, *also) if t.start not in clears]
        own = by_function(text.function, said)
        lone = by_function(text.function, alone(text.tokens))
        names = {
            name: applied(text.tokens, [*tokens, *lone.get(name, ())])
            for name, tokens in own.items()
        }
        for name, calls in helpers(text, other) if own.keys() - {""} else ():
            inside, applies = own.pop(name, []), names.pop(name, Counter())
            for call in calls if inside else ():
                own.setdefault(call.by, []).extend(inside)
                names.setdefault(call.by, Counter()).update(in_caller(applies, call))
        return cls(text, changed, own, names)

    @cached_property
    def whole(self) -> Mapping[str, Sequence[Token]]:
        """All tokens of the text, by function."""
        return by_function(self.text.function, self.text.tokens)


def _altered(own: _Side, other: _Side) -> set[str]:
    """The names that are declared outside functions, on changed lines or in another order, otherwise than on the other side."""
    said, changed = list[dict[str, list[str]]](), set[str]()
    for side in (own, other):
        text, tokens = side.text, side.own.get("", ())
        lines = {text.line_of(token.start) for token in tokens}
        changed |= {t.text for t in text.tokens if text.line_of(t.start) in lines}
        said.append(declarations(text, tokens))
    both = {*said[0]} & {*said[1]}
    before = [
        {n: both.intersection(each[n][: each[n].index(n)]) for n in both}
        for each in said
    ]
    moved = {name for name in both if before[0][name] != before[1][name]}
    return moved | {n for n in both & changed if said[0][n] != said[1][n]}


@dataclass(frozen=True)
class _Judge:
    """The changed tokens of one side, in the changed file and, for its macros, in the compiled one; only those ``asked``."""

    _how: Compilation
    _unit: CompiledUnit
    _said: Preprocessed
    _side: int
    _own: _Side
    _other: _Side
    _asked: Set[Line | None] | None

    @property
    def _text(self) -> Text:
        return self._own.text

    @cached_property
    def _original(self) -> Original:
        return self._how.changed.aligned.original(self._side)

    @cached_property
    def _coded(self) -> frozenset[tuple[str, int]]:
        return coded(self._unit.sides[self._side], self._original)

    def own(self, known: Sequence[Execution]) -> list[Execution]:
        """Those of some results that are of this side."""
        return [e for e in known if e.unseen and e.unseen.before is (self._side == 0)]

    def compiled(self) -> Iterator[Execution]:
        """The changed lines that this compilation does not see."""
        yield from self._compiled()
        yield from self._bodies()

    def anyway(self) -> Iterator[Execution]:
        """The changed lines that neither kind of windows shows."""
        yield from self._silent()
        yield from self._declared()
        # What this configuration leaves nothing of
        expanded = partial(self._said.expanded, self._side)
        for token, reason in idle(self._text, self._own.changed, expanded):
            yield self._named(self._text, token, reason)
        yield from self._unused()
        yield from self._varying()
        yield from self._included()
        yield from self._conditioned()
        if self._side == 1:
            yield from self._arriving()
            yield from self._stranded()
            yield from self._bounded()

    def _compiled(self) -> Iterator[Execution]:
        text, tokens = self._text, self._own.changed
        names = {name for token in tokens if (name := defined(token))}
        if "" in self._own.own:
            names |= folded(text, self._own.own[""], self._other.text, self._symbols)
        own = list(uses(text, names))
        yield from self._of_file(text, [*tokens, *own])
        for unit in self._including if names else ():
            using = list(uses(unit, names))
            yield from self._of_file(unit, using)
            own += using
        if names and not own:
            # Headers may expand a macro that the file only defines, as pr_fmt().
            _, said = _run(self._how, self._side, text, ("-E", "-dU"))
            expanded = set(DEFINED.findall(said))
            known = {defined(token) for token in self._other.text.tokens}
            for token in tokens:
                if defined(token) and defined(token) not in expanded:
                    yield self._named(text, token, UNUSED)
                elif _SWITCH.match(token.text) and defined(token) not in known:
                    # An option may ask for it, as CONFIG_PROFILE_ALL_BRANCHES does (linux/compiler.h).
                    yield self._named(text, token, DECIDES)

    @cached_property
    def _including(self) -> tuple[Text, ...]:
        """The compiled file, if that only includes the changed one."""
        file = self._how.command.file
        if file == self._text.file:
            return ()
        return (Text(file, decode(read(self._how.places[self._side] / file))),)

    def _bodies(self) -> Iterator[Execution]:
        """The changed macros of which a changed part is not compiled wherever they are used."""
        own, theirs = (
            tuple(t for t in side.changed if defined(t))
            for side in (self._own, self._other)
        )
        bodies = Bodies(self._text.file, self._text.text, macros=own, theirs=theirs)
        changed = [each for each in bodies.changed() if self._is_asked(bodies, each[1])]
        owner = bodies.pieces.owner
        seen = self._pieces(bodies, {owner[token.start] for token, _ in changed})
        for token, macro in changed:
            known = owner[token.start] in seen.marked
            reason = self._piece(bodies, token, owner[token.start], seen)
            if reason:
                yield self._named(bodies, macro, reason if known else LOST)

    def _silent(self) -> Iterator[Execution]:
        """The changed tokens, also in asm statements, that may have no effect on the compared code."""
        text, other = self._text, self._other
        casts = pairs(other.text.tokens) - pairs(text.tokens)
        statements = assembly(text.tokens, other.text.tokens)
        order = self._how.processor.layout.order
        for function, tokens in self._own.own.items():
            names = other.names.get(function, Counter())
            found = silent(order, self._own.names[function], names, self._side == 0)
            theirs = other.own.get(function, ())
            found |= dict.fromkeys(bytewise(tokens, theirs, casts), UNALIGNED)
            for name in sorted(found):
                for token in _with(name, tokens):
                    yield self._named(text, token, found[name])
            for token in tokens:
                if BARRIER in words([token]):
                    yield self._named(text, token, SPECULATES)
                if any(start <= token.start < end for start, end in statements):
                    yield self._named(text, token, ASSEMBLY)

        for function, tokens in self._own.whole.items():
            there = self._other.whole.get(function, ())
            known = {t.text for t in there}
            for token in tokens:
                if CALLER.fullmatch(token.text) and token.text not in known:
                    yield self._named(text, token, CALLED_FROM)

    def _declared(self) -> Iterator[Execution]:
        """Changes that readers other than this compiler see, and types that are wider elsewhere."""
        text, other, tokens = self._text, self._other.text, self._own.changed
        search = partial(in_headers, self._how.build.tree)
        expanded = partial(self._said.expanded, self._side, text)
        found = [
            *declared(text, other, self._side == 1),
            *beside_wider(text, tokens, expanded),
            *variants.compared(text, other),
        ]
        if self._side == 1:
            found += positional(text, other)
            found += refused(text, other)
            found += claimed(text, other, search, self._is_macro)
            found += dropped_effects(text, other, self._bodies_of, search)
            found += unbraced(text, other, self._bodies_of)
            if "uapi/" in text.file:
                found += for_kernel(text, other, search)
            found += outlined(text, other)
        else:
            found += dropped(text, other)
            found += unbounded(text, other, tokens)
            if "uapi/" in text.file:
                found += known_to_users(text, other, tokens)
                moved = _altered(self._own, self._other)
                found += [(token, USERS) for token in tokens if token.text in moved]
        for token, reason in found:
            yield self._named(text, token, reason)

    def _is_macro(self, name: str) -> bool:
        return self._said.definitions(self._side, self._text).is_macro(name)

    def _bodies_of(self, name: str) -> Sequence[Body]:
        return self._said.definitions(self._side, self._text).bodies(name)

    def _unused(self) -> Iterator[Execution]:
        """The changed tokens of variables that this configuration has no use of."""
        changed = self._own.own.get("", ())
        for token in unused(self._text, changed, self._other.text, self._symbols):
            yield self._named(self._text, token, LEFT_OUT)

    @cached_property
    def _symbols(self) -> Set[str]:
        """All symbols of this side."""
        symbols = ObjectFile(self._unit.sides[self._side]).symbols
        return {symbol.name for symbol in symbols}

    def _varying(self) -> Iterator[Execution]:
        """The changed tokens that name what this configuration or architecture defines."""
        text, other = self._text, self._other
        lost = {name: self._lost(name) for name in self._own.own}
        words = {n: self._fewer(n) for n in lost}
        if not any((*lost.values(), *words.values())):
            return
        known = self._said.definitions(self._side, text)
        for name, aliases in words.items():
            lost[name] |= {
                n for n in aliases if known.is_alias(n) and not known.means_same(n)
            }
        for function, tokens in self._own.own.items():
            rest = other.whole.get(function, [])
            change = Exchange(
                self._own.names[function],
                other.names.get(function, Counter()),
                set(applied(other.text.tokens, rest)) if function else set(),
                self._gains(function),
            )
            why = {name: known.differs(name, change) for name in lost[function]}
            why |= dict.fromkeys(filter(known.promises, words[function]), PROMISED)
            for name in sorted(name for name in why if why[name]):
                for token in _with(name, tokens):
                    yield self._named(text, token, why[name].format(name))

    def _included(self) -> Iterator[Execution]:
        """The changed directives that include what other configurations or architectures define otherwise."""
        tokens = includes(self._own.changed)
        if not tokens:
            return
        texts = self._own.text, self._other.text
        # In one place, so that headers have the same names.
        own, other = (_run(self._how, self._side, t, ("-E",))[1] for t in texts)
        if not (own and other):
            # A header of one side may need what the other side's text defines.
            yield from (self._named(texts[0], t, UNREADABLE) for t in tokens)
            return
        out = self._how.build.out
        unit = Included(texts, (own, other), lambda file: decode(read(out / file)))
        found = [OTHER_MEANING.format(name) for name in unit.overrides()]
        if self._side == 0:
            found += [UNDECLARED.format(name) for name in unit.undeclared()]
        elif not self._text.file.startswith("arch/"):
            tree = self._how.build.tree
            has = partial(
                has_each, tree, arches=architectures_of(tree, self._text.file)
            )
            found += [OF_SOME.format(name) for name in unit.of_some(has)]
        for reason in found:
            for token in tokens:
                yield self._named(texts[0], token, reason)

    def _arriving(self) -> Iterator[Execution]:
        """The changed names of headers that are included here alone."""
        text = self._text
        known = self._said.definitions(1, text)
        sight = Sight(known.files, known.text_of)
        names = sight.arriving(text, self._other.text, self._including)
        for token in self._own.changed:
            for name in sorted(names.intersection(words([token]))):
                yield self._named(text, token, ARRIVES.format(name))

    def _stranded(self) -> Iterator[Execution]:
        """Names in code removed by the preprocessor that only the other side declares, or declares otherwise."""
        text, other = self._text, self._other.text
        gone = {t.text for t in self._other.own.get("", ()) if t.kind == NAME}
        called = {name for name, _ in _parameters(other) - _parameters(text)}
        lost = names_of(other, self._other.changed) - {*words(text.tokens)}
        certain = called | _altered(self._own, self._other)
        for each in (text, *self._including, *self._headers()):
            gone = gone if each is text else lost
            uses = [t for t in each.tokens if t.text in gone | certain]
            removed = self._removed(each, uses, frozenset())
            inside = [t for t in uses if any(a <= t.start < b for a, b in removed)]
            gone -= {t.text for t in uses if t not in inside}
            for token in inside:
                if token.text in gone | certain:
                    yield self._named(each, token, STRANDED)

    def _headers(self) -> Iterator[Text]:
        """The headers in sight that use what changes."""
        for file in self._how.headers:
            if f'/{file}"' in self._said.definitions(self._side, self._text).text:
                path = self._how.places[self._side] / file
                yield Text(file, decode(read(path)))

    def _conditioned(self) -> Iterator[Execution]:
        """Code outside functions that is under another condition of the preprocessor than on the other side."""
        own, other = (
            [(t, _condition(s.text, t)) for t in s.own.get("", ()) if t.kind == NAME]
            for s in (self._own, self._other)
        )
        there: dict[str, set[object]] = {}
        for token, condition in other:
            there.setdefault(token.text, set()).add(condition)
        for token, condition in own:
            if condition not in there.get(token.text, (condition,)):
                yield self._named(self._text, token, DECIDES)

    def _bounded(self) -> Iterator[Execution]:
        """The arrays that are used before the member that bounds them is set, and were not before the change."""
        text = self._text
        for function in {*self._own.own, *self._other.own} - {""}:
            both = (s.whole.get(function, ()) for s in (self._own, self._other))
            for token, member in bounded(*both):
                known = self._said.definitions(self._side, text)
                if known.bounds(member, token.text):
                    yield self._named(text, token, BOUND.format(member))

    def _lost(self, function: str) -> set[str]:
        lost = self._every_lost(function)
        same = {n for n in lost if SAME_MEANING.fullmatch(n)}
        if (
            not same.isdisjoint(self._defined)
            or same
            and _BESIDE.search(self._text.text)
        ):
            known = self._said.definitions(self._side, self._text)
            same = {n for n in same if known.means_same(n)}
        return lost - same

    @cached_property
    def _defined(self) -> Set[str]:
        """The macros and functions of the file."""
        return {*self._text.used, *functions(self._text.text)}

    def _every_lost(self, function: str) -> set[str]:
        """The names in a function's changed tokens that the other side has less often, and the constants that it has elsewhere."""
        text, other = self._text.tokens, self._other.text.tokens
        own = self._own.own[function]
        theirs = self._other.own.get(function, ())
        mine = partial(self._again, self._side, self._text)
        fewer = named(text, own, mine) - named(
            other, theirs, partial(self._again, 1 - self._side, self._other.text)
        )
        if not function:
            # No comparison shows which of the values in a table has which name.
            fewer |= named(text, [t for t in own if t.kind != DIRECTIVE])
        if self._gains(function):
            # Any name may be one of a number, as pageblock_order and PG_slab.
            fewer |= self._fewer(function)
        sizes = counts(
            self._own.names[function] - self._other.names.get(function, Counter())
        )
        return {*fewer, *sizes}

    def _gains(self, function: str) -> bool:
        """Whether the other side has numbers or constants in a function's changed tokens that this one has less often."""
        theirs, own = (
            Counter(t.text for t in side.own.get(function, ()) if is_value(t))
            for side in (self._other, self._own)
        )
        known = partial(self._said.definitions, 1 - self._side, self._other.text)
        # A macro that only computes, as DIV_ROUND_UP(), is none.
        return any(
            not is_constant(name) or not known().computes(name) for name in theirs - own
        )

    def _again(self, side: int, text: Text, name: str, number: int) -> int:
        return self._said.definitions(side, text).again(name, number)

    def _fewer(self, function: str) -> Counter[str]:
        """All names in a function's changed tokens that the other side has less often."""
        return plain(self._own.own[function]) - plain(self._other.own.get(function, ()))

    def _of_file(self, text: Text, tokens: Sequence[Token]) -> Iterator[Execution]:
        tokens = [token for token in tokens if self._is_asked(text, token)]
        if not tokens:
            return
        owner = text.pieces.owner
        seen = self._pieces(text, {owner[t.start] for t in tokens if t.start in owner})
        removed = self._removed(text, tokens, seen.kept)
        for token in tokens:
            reason = DECIDES if decides(text, token) else ""
            if token.start in owner:
                reason = self._piece(text, token, owner[token.start], seen)
            if any(start <= token.start < end for start, end in removed):
                reason = REMOVED
            if reason:
                yield self._named(text, token, reason)

    def _piece(self, text: Text, token: Token, owner: int, seen: _Seen) -> str:
        """Why the compiler does not see a token of a function; empty if it does."""
        piece = text.pieces.all[owner]
        if owner not in seen.marked:
            line = self._line(text, token).number
            names = {file for file, number in self._coded if number == line}
            own = (n == text.file or n.endswith(f"/{text.file}") for n in names)
            return "" if any(own) else UNREACHABLE
        if owner not in seen.kept:
            return UNREACHABLE
        if piece.operand is None or owner not in seen.constant:
            return ""
        start, end = piece.operand
        condition = text.text[start:end]
        # work.py has both kinds of windows compiled.
        fixed = is_literal(condition) or condition == marks.MASKED
        return CONSTANT if start <= token.start < end and not fixed else ""

    def _pieces(self, text: Text, owners: set[int]) -> _Seen:
        """Compile with marks before these pieces."""
        wanted = set(owners)
        for _ in range(TRIES):
            if not wanted:
                break
            own = Text(text.file, marked(text, wanted))
            compiled, assembly = _run(self._how, self._side, own, ("-S",))
            if compiled.object is not None:
                found = [(int(n), bool(c)) for n, c in MARK.findall(assembly)]
                return _Seen(
                    frozenset(n for n, _ in found),
                    frozenset(n for n, c in found if c)
                    - frozenset(n for n, c in found if not c),
                    frozenset(wanted),
                )
            lines = {
                m.line
                for m in compiled.messages
                if m.kind == ERROR and m.file.endswith(text.file)
            }
            wanted -= {
                n for n in wanted if text.line_of(text.pieces.all[n].at) in lines
            }
        return _Seen(frozenset(), frozenset(), frozenset())

    def _removed(
        self, text: Text, tokens: Sequence[Token], kept: frozenset[int]
    ) -> list[tuple[int, int]]:
        """The branches with some of the tokens that the preprocessor removes; none has a kept mark."""
        marks_kept = [text.pieces.all[number].at for number in kept]
        branches = [
            branch
            for condition in conditions(text.text)
            for branch in condition.branches
            if any(branch.start <= token.start < branch.end for token in tokens)
            and not any(branch.start <= at < branch.end for at in marks_kept)
        ]
        left = taken(text, branches, partial(self._said.expanded, self._side))
        return [(b.start, b.end) for n, b in enumerate(branches) if n not in left]

    def _line(self, text: Text, token: Token) -> Line:
        number = self._original(text.file, text.line_of(token.start))
        return Line(text.file, number, self._side == 0)

    def _is_asked(self, text: Text, token: Token) -> bool:
        own = self._asked is not None and text.file == self._text.file
        return not own or self._line(text, token) in (self._asked or ())

    def _named(self, text: Text, token: Token, reason: str) -> Execution:
        target, unit = self._how.build.target.name, self._how.command.file
        line, function = self._line(text, token), text.function(token)
        return Execution(target, unit, function, NOT_PROVEN, reason, unseen=line)
