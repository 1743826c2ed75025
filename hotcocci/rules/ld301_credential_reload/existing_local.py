# SPDX-License-Identifier: GPL-2.0
"""Find a local variable that already stores the credentials and can replace the later loads."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.c.source import NAME
from hotcocci.c.syntax import block_of, declarations, innermost
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.loads.credential_loads import Load
from hotcocci.rewrite.loads.macro_bodies import free_names
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ld301_credential_reload.placement import jumped_into

_LOADING = ("current_cred", "current_real_cred")
_IDS = ("kuid_t", "kgid_t")


@dataclass(frozen=True)
class ExistingLocal:
    """The local, assigned by the first load and nothing else."""

    name: str


def existing_local(
    context: Context, loads: list[Load], accessor: str | None
) -> ExistingLocal | Refusal | None:
    """The local assigned by the first load, if it is valid at all others; None if there is none.

    A refusal if it is assigned again later: a second local for the same value would be
    confusing.
    """
    source = context.source
    first = loads[0]
    if first.name not in ((accessor,) if accessor else _LOADING):
        return None
    before = source.code_between(context.body.start, first.start)[-2:]
    after = source.code_between(first.end, context.body.end)
    if len(before) < 2 or before[1].text != "=" or before[0].kind != NAME:
        return None
    if not after or after[0].text != ";":
        return None
    name = before[0].text
    if not _declared_once(context, name):
        return None
    # The loads themselves mention members: current_user_ns() has user_ns.
    others = context.identifiers - {name} - {load.name for load in loads}
    hidden = free_names(context.options.root, context.facts.file, others)
    if name in hidden or _reassigned(context, name, before[0].start):
        return Refusal("unusual-form", source.line_of(first.start))
    if jumped_into(context, first.start, loads[-1].end):
        return None
    return ExistingLocal(name) if _reaches(context, loads) else None


def _reassigned(context: Context, name: str, assigned: int) -> bool:
    """Whether a local may be assigned other than at one offset."""
    for index, token in enumerate(context.tokens):
        if token.text != name or token.start == assigned:
            continue
        before = context.tokens[index - 1].text
        after = context.tokens[index + 1].text
        # An ID is a structure: uid.val = 0
        if before in ("&", "++", "--") or after in ("=", "++", "--", "."):
            return True
    return False


def _declared_once(context: Context, name: str) -> bool:
    """Whether a name is declared once, as a pointer to credentials or to a namespace, or as an ID."""
    found = [
        d
        for d in context.declared
        for before, token in zip(d, d[1:])
        if token.text == name and before.text in ("*", "const", *_IDS)
    ]
    return len(found) == 1 and found[0][0].text in ("const", "struct", *_IDS)


def _reaches(context: Context, loads: list[Load]) -> bool:
    """Whether the block of the first load contains all others and always performs it."""
    start, end = loads[0].start, loads[-1].end
    statement = innermost(context.function, start)
    if statement.kind in ("block", "switch"):
        declared = declarations(context.source, statement)
        inside = any(d[0].start <= start < d[-1].end for d in declared)
        return statement.kind == "block" and inside and end <= statement.end
    if statement.kind != "expression" or statement.parent is None:
        return False
    block = block_of(statement)
    return statement.parent is block and block.kind == "block" and end <= block.end
