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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from hotcocci.c.conditionals import conditions
from hotcocci.c.source import DIRECTIVE, Token
from hotcocci.engines.compiler import ERROR, Compiled
from hotcocci.findings import NOT_PROVEN, Execution, Line
from hotcocci.proof.changed import DECIDING, Text, defined, differing, uses, word_of
from hotcocci.proof.objects import layouts, marks
from hotcocci.proof.objects.annotations import dropped
from hotcocci.proof.objects.compiled import FLAGS, Compilation, CompiledUnit, coded
from hotcocci.proof.objects.declared import declared
from hotcocci.proof.objects.idle import DECIDES, IGNORED, LOST, idle
from hotcocci.proof.objects.marking import Bodies, marked
from hotcocci.proof.objects.pieces import is_literal
from hotcocci.proof.objects.punned import PUNNED, punned
from hotcocci.proof.objects.silent import (
    ASSEMBLY,
    UNALIGNED,
    WIDER,
    Applied,
    alone,
    applied,
    assembly,
    bytewise,
    pairs,
    silent,
    words,
)
from hotcocci.proof.objects.varying import (
    Definitions,
    Exchange,
    is_value,
    moved,
    named,
    plain,
    ranked,
)
from hotcocci.proof.objects.wider import beside_wider
from hotcocci.tree.source import decode, read

REMOVED = "removed by the preprocessor in this configuration"
UNREACHABLE = "unreachable in this configuration"
CONSTANT = "decided by a constant in this configuration"
UNUSED = "not used by compiled code"
SPECULATES = "barriers against speculation are not compared"

MARK = re.compile(r"\bhotcocci (\d+)( constant)?$", re.MULTILINE)
PRAGMA = re.compile(r"^\s*#\s*pragma hotcocci (\d+)$", re.MULTILINE)
DEFINED = re.compile(r"^#define (\w+)", re.MULTILINE)
BARRIER = "barrier_nospec"
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


def unseen(how: Compilation, unit: CompiledUnit) -> Iterator[Execution]:
    """A NOT_PROVEN result for each changed line that this compilation, ``unit``, does not see."""
    changed = how.changed
    texts = [Text(changed.file, text) for text in changed.aligned.texts]
    sides = differing(texts[0], texts[1])
    own = [_by_function(text, side) for text, side in zip(texts, sides, strict=True)]
    names = [
        {
            name: applied(text.tokens, [*tokens, *lone.get(name, ())])
            for name, tokens in each.items()
        }
        for text, each in zip(texts, own, strict=True)
        for lone in [_by_function(text, alone(text.tokens))]
    ]
    for side, tokens in enumerate(sides):
        said: set[Line] = set()
        judge = _Judge(how, unit, side)
        statements = assembly(texts[side].tokens, texts[1 - side].tokens)
        found = chain(
            judge.all(texts[side], tokens),
            judge.bodies(texts[side], *sides[side:], *sides[:side]),
            judge.silent(texts, own, names, statements),
            judge.declared(texts, tokens),
            judge.idle(texts[side], tokens),
            judge.varying(texts, own, names),
        )
        # What else is said of a line says more.
        for each in sorted(found, key=lambda e: e.detail.endswith(IGNORED[2:])):
            if each.unseen is not None and each.unseen not in said:
                said.add(each.unseen)
                yield each


def _by_function(text: Text, tokens: Sequence[Token]) -> dict[str, list[Token]]:
    """Tokens by the function that they are in; those outside of functions have none."""
    found: dict[str, list[Token]] = {}
    for token in tokens:
        inside = token.kind != DIRECTIVE and token.start in text.pieces.owner
        owner = text.pieces.owner[token.start] if inside else None
        name = "" if owner is None else text.pieces.all[owner].function
        found.setdefault(name, []).append(token)
    return found


def _with(name: str, tokens: Sequence[Token]) -> Sequence[Token]:
    """The changed tokens with a name; the first one if the name only moved, as what was beside it did."""
    return [t for t in tokens if name in words([t])] or tokens[:1]


def _constants(tokens: Sequence[Token]) -> Counter[str]:
    return Counter(token.text for token in tokens if is_value(token))


class _Judge:
    """The changed tokens of one side, in the changed file and, for its macros, in the compiled one."""

    def __init__(self, how: Compilation, unit: CompiledUnit, side: int) -> None:
        self._how, self._unit, self._side = how, unit, side
        self._original = how.changed.aligned.original(side)

    @cached_property
    def _coded(self) -> frozenset[tuple[str, int]]:
        return coded(self._unit.sides[self._side], self._original)

    def all(self, text: Text, tokens: Sequence[Token]) -> Iterator[Execution]:
        names = {name for token in tokens if (name := defined(token))}
        own = list(uses(text, names))
        yield from self._of_file(text, [*tokens, *own])
        file = self._how.command.file
        if names and file != text.file:
            unit = Text(file, decode(read(self._how.places[self._side] / file)))
            using = list(uses(unit, names))
            yield from self._of_file(unit, using)
            own += using
        if names and not own:
            # Headers may expand a macro that the file only defines, as pr_fmt().
            _, said = _run(self._how, self._side, text, ("-E", "-dU"))
            expanded = set(DEFINED.findall(said))
            for token in tokens:
                if defined(token) and defined(token) not in expanded:
                    yield self._named(text, token, "", UNUSED)

    def bodies(
        self, text: Text, own: Sequence[Token], theirs: Sequence[Token]
    ) -> Iterator[Execution]:
        """The changed macros of which a changed part is not compiled wherever they are used."""
        macros = [tuple(t for t in side if defined(t)) for side in (own, theirs)]
        bodies = Bodies(text.file, text.text, macros=macros[0], theirs=macros[1])
        changed = list(bodies.changed())
        owner = bodies.pieces.owner
        seen = self._pieces(bodies, {owner[token.start] for token, _ in changed})
        for token, macro in changed:
            known = owner[token.start] in seen.marked
            reason = self._piece(bodies, token, owner[token.start], seen)
            if reason:
                yield self._named(text, macro, "", reason if known else LOST)

    def silent(
        self,
        texts: Sequence[Text],
        both: Sequence[Mapping[str, Sequence[Token]]],
        names: Sequence[Mapping[str, Counter[Applied]]],
        statements: Sequence[tuple[int, int]],
    ) -> Iterator[Execution]:
        """The changed tokens, by function, or in these asm statements, that may have no effect on the compared code."""
        own, text = both[self._side], texts[self._side]
        casts = pairs(texts[1 - self._side].tokens) - pairs(text.tokens)
        for function, tokens in own.items():
            order = self._how.processor.layout.order
            other = names[1 - self._side].get(function, Counter())
            applied_here = names[self._side][function]
            found = silent(order, applied_here, other, self._side == 0)
            theirs = both[1 - self._side].get(function, ())
            found |= dict.fromkeys(bytewise(tokens, theirs, casts), UNALIGNED)
            for name in sorted(found):
                for token in _with(name, tokens):
                    yield self._named(text, token, function, found[name])
            for token in tokens:
                if BARRIER in words([token]):
                    yield self._named(text, token, function, SPECULATES)
                if any(start <= token.start < end for start, end in statements):
                    yield self._named(text, token, function, ASSEMBLY)

    def declared(
        self, texts: Sequence[Text], tokens: Sequence[Token]
    ) -> Iterator[Execution]:
        """What others than this compiler read otherwise on the other side, and types that are wider elsewhere."""
        text, other = texts[self._side], texts[1 - self._side]
        both = [{p.function for p in t.pieces.all} for t in (text, other)]
        functions = both[0] & both[1]
        found = [*declared(text.tokens, other.tokens, functions, self._side == 1)]
        wider = beside_wider(text.tokens, tokens, lambda: self._expanded(text) or "")
        found += [(token, WIDER) for token in wider]
        found += [(t, PUNNED) for t in punned(self._how, self._side, texts, tokens)]
        sizes = layouts.compared(text.tokens, other.tokens)
        found += [(token, layouts.LAID_OUT) for token in sizes]
        if self._side == 0:
            found += dropped(text.tokens, other.tokens)
        for token, reason in found:
            [(function, _)] = _by_function(text, [token]).items()
            yield self._named(text, token, function, reason)

    def varying(
        self,
        texts: Sequence[Text],
        own: Sequence[Mapping[str, Sequence[Token]]],
        names: Sequence[Mapping[str, Counter[Applied]]],
    ) -> Iterator[Execution]:
        """The changed tokens, by function, that name what this configuration or architecture defines."""
        text, other = texts[self._side], texts[1 - self._side]
        theirs = own[1 - self._side]
        lost = {
            function: self._lost(text, other, tokens, theirs.get(function, ()))
            for function, tokens in own[self._side].items()
        }
        if not any(lost.values()):
            return
        compiled, said = _run(self._how, self._side, text, ("-E", "-dD"))
        out = self._how.build.out
        definitions = Definitions(
            said, text.file, lambda file: decode(read(out / file))
        )
        for function, tokens in own[self._side].items():
            rest = _by_function(other, other.tokens).get(function, [])
            change = Exchange(
                names[self._side][function],
                names[1 - self._side].get(function, Counter()),
                set(applied(other.tokens, rest)) if function else set(),
                bool(_constants(theirs.get(function, ())) - _constants(tokens)),
            )
            why = {
                name: definitions.differs(name, change) if compiled.object else LOST
                for name in lost[function]
            }
            for name in sorted(name for name in why if why[name]):
                for token in _with(name, tokens):
                    yield self._named(text, token, function, why[name].format(name))

    def _lost(
        self,
        text: Text,
        other: Text,
        own: Sequence[Token],
        theirs: Sequence[Token],
    ) -> set[str]:
        """The names in changed tokens that the other side has less often, and the constants that it has elsewhere."""
        fewer = named(text.tokens, own) - named(other.tokens, theirs)
        if _constants(theirs) - _constants(own):
            # Any name may be one of a number, as pageblock_order and PG_slab.
            fewer |= plain(own) - plain(theirs)
        return {*fewer, *moved(text.tokens, own, ranked(other.tokens, theirs))}

    def idle(self, text: Text, tokens: Sequence[Token]) -> Iterator[Execution]:
        """The changed tokens of which this configuration leaves nothing."""
        for token, reason in idle(text, tokens, self._expanded):
            function = ""
            if self._inside(text, token):
                owner = text.pieces.owner[token.start]
                function = text.pieces.all[owner].function
            yield self._named(text, token, function, reason)

    def _expanded(self, text: Text) -> str | None:
        compiled, said = _run(self._how, self._side, text, ("-E", "-P"))
        return said if compiled.object else None

    def _of_file(self, text: Text, tokens: Sequence[Token]) -> Iterator[Execution]:
        if not tokens:
            return
        owners = {text.pieces.owner[t.start] for t in tokens if self._inside(text, t)}
        seen = self._pieces(text, owners)
        removed = self._removed(text, tokens, seen.kept)
        for token in tokens:
            function = ""
            reason = DECIDES if word_of(token) in DECIDING else ""
            if self._inside(text, token):
                owner = text.pieces.owner[token.start]
                function = text.pieces.all[owner].function
                reason = self._piece(text, token, owner, seen)
            if any(start <= token.start < end for start, end in removed):
                reason = REMOVED
            if reason:
                yield self._named(text, token, function, reason)

    def _inside(self, text: Text, token: Token) -> bool:
        return token.kind != DIRECTIVE and token.start in text.pieces.owner

    def _piece(self, text: Text, token: Token, owner: int, seen: _Seen) -> str:
        """Why the compiler does not see a token of a function; empty if it does."""
        piece = text.pieces.all[owner]
        if owner not in seen.marked:
            line = self._line(text, token)
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
            (branch.start, branch.end)
            for condition in conditions(text.text)
            for branch in condition.branches
            if any(branch.start <= token.start < branch.end for token in tokens)
            and not any(branch.start <= at < branch.end for at in marks_kept)
        ]
        if not branches:
            return []
        parts, done = [], 0
        for number, (start, _) in sorted(enumerate(branches), key=lambda b: b[1]):
            parts += [text.text[done:start], f"\n#pragma hotcocci {number}"]
            done = start
        own = Text(text.file, "".join(parts) + text.text[done:])
        _, said = _run(self._how, self._side, own, ("-E",))
        taken = {int(number) for number in PRAGMA.findall(said)}
        return [branch for n, branch in enumerate(branches) if n not in taken]

    def _line(self, text: Text, token: Token) -> int:
        return self._original(text.file, text.line_of(token.start))

    def _named(self, text: Text, token: Token, function: str, reason: str) -> Execution:
        line = self._line(text, token)
        return Execution(
            self._how.build.target.name,
            self._how.command.file,
            function,
            NOT_PROVEN,
            reason,
            unseen=Line(text.file, line, self._side == 0),
        )
