# SPDX-License-Identifier: GPL-2.0
"""Declare hoisted expressions, and remove variables that are unused, or constant, after a rewrite."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hotcocci.c.expression import ASSIGNMENTS, Expr
from hotcocci.c.parsing import parse_range
from hotcocci.c.source import NAME, Source, Token, closing, tokenize
from hotcocci.c.syntax import Statement, block_of, declarations
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.layout import WIDTH, columns, deeper, without_lines
from hotcocci.rewrite.window import Hoist, Window

# Tokens before a variable that may change it, and after which they do not
_BEFORE = frozenset({"&", "++", "--"})
_PLACES = frozenset({("&", "->"), ("&", "[")})
_PLACE = re.compile(r"&([A-Za-z_]\w*)\[([A-Za-z_]\w*)\]")
_VALUE = r"-?(?:\d+|[A-Z][A-Z0-9_]*|true|false)"
_CHOSEN = re.compile(r"\? [-\w]+ : ([-\w]+)(?=;)")
_STARTS = (";", "{", "}", ":")
# Types that return such a value unchanged, and the values of a bool
_TYPES = ("int", "long", "ssize_t", "bool")
_BOOLS = ("0", "1", "true", "false")


def declare_hoists(window: Window, context: Context) -> list[Edit]:
    """Declare the hoisted expressions after the declarations of the block."""
    if not window.hoists:
        return []
    source = context.source
    block = block_around(window)
    first = block.children[0].start
    leading = [d for d in declarations(source, block) if d[-1].end <= first]
    # A label has less indentation than the statements after it.
    indent = source.indent(leading[-1][0].start if leading else first)
    if not indent:
        indent = deeper(source.indent(block.start), context.unit)
    values = are_initializers(window, context)
    lines = [_line(h, indent, context.unit, values) for h in window.hoists]
    if len(lines) == 1:
        value = window.hoists[0].value if values else ""
        used = {t.text for t in tokenize(value) if t.kind == NAME}
        for declaration in _by_length(leading, source):
            if used & {t.text for d in leading for t in d}:
                break
            place = source.line_starts[source.line_of(declaration[0].start) - 1]
            if columns(lines[0]) > columns(source.line(source.line_of(place)) + "\n"):
                return [Edit(place, place, lines[0])]
    after = leading[-1][-1].end if leading else block.start + 1
    place = source.line_starts[source.line_of(after - 1)]
    blank = "" if not source.line(source.line_of(place)).strip() else "\n"
    return [Edit(place, place, "".join(lines) + blank)]


def _line(hoist: Hoist, indent: str, unit: str, value: bool) -> str:
    """One declaration; a long initializer has a line of its own."""
    head = f"{indent}{hoist.type}{hoist.name}"
    if not value:
        return f"{head};\n"
    line = f"{head} = {hoist.value};\n"
    if columns(line.rstrip()) <= WIDTH:
        return line
    return f"{head} =\n{deeper(indent, unit)}{hoist.value};\n"


def _by_length(
    leading: list[tuple[Token, ...]], source: Source
) -> list[tuple[Token, ...]]:
    """Declarations of one line each, if they are ordered by length, the longest first.

    That is the style of the tip and net trees (Documentation/process/maintainer-tip.rst).
    """
    if any(
        source.line_of(d[0].start) != source.line_of(d[-1].end - 1) for d in leading
    ):
        return []
    widths = [columns(source.line(source.line_of(d[0].start))) for d in leading]
    return leading if widths == sorted(widths, reverse=True) else []


def are_initializers(window: Window, context: Context) -> bool:
    """Whether the hoists of a window can be initializers.

    That is where nothing of its block runs before, where they are parameters that never change,
    or places in arrays whose pointer and index are not changed before in the block.
    """
    if any(h.start != h.end for h in window.hoists):
        return False
    run = window.run
    first = run.sequence[run.first]
    if (
        window.begin == run.first
        and first.syntax is block_around(window).children[0]
        and first.operands[0].access is run.accesses[0]
    ):
        return True
    return all(
        _is_constant_parameter(h.value, context)
        or _is_constant_place(h.value, window, context)
        for h in window.hoists
    )


def _is_constant_place(value: str, window: Window, context: Context) -> bool:
    """Whether a value is ``&p[i]`` of variables of outer blocks that are not changed up to the window."""
    match = _PLACE.fullmatch(value)
    if match is None:
        return False
    block = block_around(window)
    code = context.source.code_between
    here = {t.text for d in declarations(context.source, block) for t in d}
    return not any(
        name in here
        or is_changed(name, code(block.start, window.start))
        or context.is_pointed_to(name, context.body.end)
        for name in match.groups()
    )


def _is_constant_parameter(value: str, context: Context) -> bool:
    """Whether a value is a parameter that is neither assigned nor has its address taken."""
    if value not in {t.text for t in context.header if t.kind == NAME}:
        return False
    return not is_changed(value, context.tokens)


def is_changed(name: str, tokens: Sequence[Token]) -> bool:
    """Whether tokens assign a pointer or an index, or take its address; ``&p->x`` and ``&p[i]`` do not."""
    texts = [token.text for token in tokens]
    for before, text, after in zip(texts, texts[1:], texts[2:]):
        if text == name and before not in (".", "->"):
            moved = after in ("++", "--") or before != "*" and after in ASSIGNMENTS
            if moved or before in _BEFORE and (before, after) not in _PLACES:
                return True
    return False


def block_around(window: Window) -> Statement:
    """The block that a window is in, which may declare variables."""
    block = block_of(window.run.statements[0].syntax)
    while block.kind != "block":
        block = block_of(block)
    return block


def has_variable_size(declaration: tuple[Token, ...], context: Context) -> bool:
    """Whether a declaration is of an array whose size is not constant (C11 6.8.6.1)."""
    equals = next((i for i, t in enumerate(declaration) if t.text == "="), None)
    declared = declaration[:equals]
    for at, token in enumerate(declared):
        last = closing(declared, at) if token.text == "[" else None
        if last is None:
            continue
        size = parse_range(context.source, token.end, declared[last].start)
        if any(e.name in context.names for e in _evaluated(size)):
            return True
    return False


def _evaluated(expr: Expr) -> Iterator[Expr]:
    """The parts of an expression outside of the arguments of macros like ARRAY_SIZE()."""
    if not expr.callee.isupper():
        yield expr
        for child in expr.children():
            yield from _evaluated(child)


def remove_variable(
    name: str | None, made: Sequence[Edit], context: Context
) -> list[Edit]:
    """Remove an error variable that is no longer used from its declaration; ``made`` are the other edits."""
    if name is None:
        return []
    source = context.source
    for declaration in context.declared:
        for index, token in enumerate(declaration):
            if token.text == name:
                return [_without(declaration, index, made, context)]
    raise ValueError(f"{source.file}: the declaration of {name} was not found")


def _without(
    tokens: tuple[Token, ...], index: int, made: Sequence[Edit], context: Context
) -> Edit:
    """Remove one variable from a declaration, or the declaration if it has no other."""
    source = context.source
    depth = 0
    commas = []
    for position, token in enumerate(tokens):
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == "," and depth == 0:
            commas.append(position)
    if not commas:
        first_line = source.line_of(tokens[0].start)
        end_line = source.line_of(tokens[-1].end - 1)
        alone = source.line(first_line - 1).rstrip().endswith("{")
        replaced = any(edit.start == source.line_starts[end_line] for edit in made)
        if alone and not replaced and not source.line(end_line + 1).strip():
            end_line += 1  # the blank line after the only declaration
        return Edit(
            source.line_starts[first_line - 1], source.line_starts[end_line], ""
        )
    before = [c for c in commas if c < index]
    after = [c for c in commas if c > index]
    if before:
        end = tokens[after[0]].start if after else tokens[-1].start
        return Edit(tokens[before[-1]].start, end, "")
    return Edit(tokens[index].start, tokens[after[0] + 1].start, "")


def settled(made: Sequence[Edit], context: Context) -> list[Edit]:
    """The edits of a rewrite, and those that remove the locals that are constant after it."""
    edits = list(made)
    inside = {
        token.text
        for edit in made
        for token in context.source.code_between(edit.start, edit.end)
        if token.kind == NAME
    }
    for name in sorted(inside):
        declared = [d for d in context.declared if declares(d, name)]
        if len(declared) == 1 and not _is_edited(declared[0][0].start, edits):
            edits = _with_constant(name, declared[0], edits, context) or edits
    return edits


def _is_edited(at: int, edits: Sequence[Edit]) -> bool:
    return any(edit.start <= at < edit.end for edit in edits)


def _with_constant(
    name: str, declaration: tuple[Token, ...], edits: list[Edit], context: Context
) -> list[Edit] | None:
    """The edits without a variable, if it has one constant value, and is only returned or chooses what is."""
    texts = [token.text for token in declaration]
    rest = texts[texts.index(name) + 1 :]
    first = rest[1] if rest[0] == "=" and rest[2] in (",", ";") else None
    if texts[0] not in _TYPES or rest[0] == "=" and first not in ("0", "false"):
        return None
    returned = re.compile(rf"\breturn {name};")
    given = re.compile(rf"[ \t]*\b{name} = ({_VALUE});\n?[ \t]*")
    new = [edit.text for edit in edits]
    uses = sum(t.text == name for text in new for t in tokenize(text))
    values = [match[1] for text in new for match in given.finditer(text)]
    if uses != len(values) + sum(len(returned.findall(text)) for text in new):
        return None
    values += [first] if first is not None else []
    assigned: list[Edit] = []
    returns: list[Edit] = []
    source = context.source
    code = source.code_between(context.body.start, context.body.end)
    for before, token, after in zip(code, code[1:], code[2:]):
        declares_it = declaration[0].start <= token.start < declaration[-1].end
        if token.text != name or declares_it or _is_edited(token.start, edits):
            continue
        if before.text == "return" and after.text == ";":
            returns.append(Edit(token.start, token.end, ""))
            continue
        chosen = _CHOSEN.match(source.text, after.start)
        if before.text == "return" and chosen is not None and first is not None:
            returns.append(Edit(token.start, chosen.end(), chosen[1]))
            continue
        line = without_lines(token.start, after.end, source.text)
        match = given.fullmatch(source.line(source.line_of(token.start)))
        if match is None or before.text not in _STARTS:
            return None
        assigned.append(line)
        values.append(match[1])
    if len(values) != 1 or any(_is_edited(line.start, edits) for line in assigned):
        return None
    if "unsigned" in texts or texts[0] == "bool" and values[0] not in _BOOLS:
        return None
    value = f"return {values[0]};"
    made = [
        replace(e, text=returned.sub(value, _dropped(given, e.text))) for e in edits
    ]
    made += [replace(edit, text=edit.text or values[0]) for edit in returns]
    return [*made, *assigned, *remove_variable(name, made, context)]


def _dropped(given: re.Pattern[str], text: str) -> str:
    """New code without the assignment; the indentation of what follows is that of the assignment."""
    match = given.search(text)
    if match is None:
        return text
    indent = match[0][: len(match[0]) - len(match[0].lstrip())]
    return text[: match.start()] + indent + text[match.end() :]
