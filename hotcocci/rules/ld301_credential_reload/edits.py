# SPDX-License-Identifier: GPL-2.0
"""The edits that load credentials once."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import WIDTH, columns
from hotcocci.rewrite.loads.credential_loads import OBJECTIVE, VALUES, Load
from hotcocci.rules.ld301_credential_reload.placement import Placement


@dataclass(frozen=True)
class Hoist:
    """Loads that become one: the local that stores the value, and where it is loaded.

    ``accessor`` is set if its value is stored, and not the credentials. ``placement`` is None
    if the function already has such a local, which its first load sets.
    """

    name: str
    accessor: str | None
    placement: Placement | None


def declaration(loads: list[Load], name: str, accessor: str | None, value: bool) -> str:
    """The declaration of the local, with or without its initializer."""
    type_ = VALUES[accessor] if accessor else "const struct cred *"
    return f"{type_}{name}" + (f" = {_value(loads, accessor)};" if value else ";")


def _value(loads: list[Load], accessor: str | None) -> str:
    if accessor:
        return f"{accessor}()"
    return "current_real_cred()" if loads[0].base == OBJECTIVE else "current_cred()"


def edits_of(context: Context, loads: list[Load], hoist: Hoist) -> tuple[Edit, ...]:
    """The edits of a file that load these credentials once."""
    edits = []
    where = hoist.placement
    for number, load in enumerate(loads):
        if number or where is not None:
            form = "{}" if hoist.accessor else load.form
            text = form.format(*[hoist.name] * 2)
            edits.append(Edit(load.start, load.end, text))
            edits += _joined(context, load, text, loads)
    if where is not None:
        early = where.assigned is None
        line = declaration(loads, hoist.name, hoist.accessor, value=early)
        ending = "\n\n" if where.blank else "\n"
        edits.insert(
            0, Edit(where.declared, where.declared, where.indent + line + ending)
        )
        if where.assigned is not None:
            indent = context.source.indent(where.assigned)
            value = f"{hoist.name} = {_value(loads, hoist.accessor)};\n{indent}"
            edits.append(Edit(where.assigned, where.assigned, value))
    return tuple(edits)


def _joined(context: Context, load: Load, text: str, loads: list[Load]) -> list[Edit]:
    """Join an argument that got shorter with the next line, if both fit on one."""
    source = context.source
    number = source.line_of(load.start)
    start = source.line_starts[number - 1]
    line = source.line(number)
    if source.line_of(load.end) != number or _others(context, loads, load, number):
        return []
    own = line[: load.start - start] + text + line[load.end - start :]
    after = line[load.end - start :].strip()
    above, below = source.line(number - 1), source.line(number + 1)
    if after == "," and not _others(context, loads, load, number + 1):
        if _fits(own, below):
            first = start + len(line.rstrip())
            return [Edit(first, _begins(context, number + 1), " ")]
    for one, two, edge, other in (
        (own, below, number, number + 1),
        (above, own, number - 1, number - 1),
    ):
        if _is_statement(context, edge) and not _others(context, loads, load, other):
            if _fits(one, two):
                end = source.line_starts[edge - 1] + len(source.line(edge).rstrip())
                return [Edit(end, _begins(context, edge + 1), " ")]
    leads = line[: load.start - start].strip() == ""
    if (
        leads
        and above.rstrip().endswith(",")
        and not _others(context, loads, load, number - 1)
    ):
        if _fits(above, own):
            first = source.line_starts[number - 2] + len(above.rstrip())
            return [Edit(first, _begins(context, number), " ")]
    return []


def _is_statement(context: Context, number: int) -> bool:
    """Whether a line and the next are a statement, or its head, broken after a comma, = or operator."""
    line = context.source.line
    before, first, second = (line(n).rstrip() for n in (number - 1, number, number + 1))
    whole = before.endswith((";", "{", "}", ":", "*/")) or not before
    broken = first.endswith((",", " =", "&&", "||"))
    return whole and broken and second.endswith((";", "{", ")"))


def _others(context: Context, loads: list[Load], load: Load, number: int) -> bool:
    lines = {context.source.line_of(o.start) for o in loads if o is not load}
    return number in lines


def _fits(first: str, second: str) -> bool:
    both = f"{first.rstrip()} {second.strip()}"
    return columns(both) <= WIDTH and "/*" not in both and "//" not in both


def _begins(context: Context, number: int) -> int:
    line = context.source.line(number)
    return context.source.line_starts[number - 1] + len(line) - len(line.lstrip())
