# SPDX-License-Identifier: GPL-2.0
"""Find a prefix that several chains of a function share, and a local to store it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotcocci.c.source import NAME, tokenize
from hotcocci.c.syntax import (
    Statement,
    declarations,
    enclosing,
    innermost,
)
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context
from hotcocci.rules.ld302_pointer_chain.changes_between import effect_between
from hotcocci.rewrite.loads.chain_bodies import free_names
from hotcocci.rewrite.loads.chain_paths import (
    CREDENTIALS,
    CURRENT,
    Chain,
    Load,
    Reader,
)
from hotcocci.c.types import Type
from hotcocci.rewrite.loads.credential_flow import evaluates
from hotcocci.rewrite.window import Refusal


@dataclass(frozen=True)
class CommonPrefix:
    """A prefix, the chains that load it, and the loads in it, its own last."""

    loads: tuple[Load, ...]
    occurrences: tuple[Load, ...]

    @property
    def key(self) -> str:
        """Its spelling."""
        return self.loads[-1].key


@dataclass(frozen=True)
class Local:
    """The local for a prefix, and the edits that introduce it."""

    name: str
    edits: tuple[Edit, ...]


def common_prefix(chain: Chain, chains: list[Chain]) -> CommonPrefix | None:
    """The longest prefix that is also loaded elsewhere in the function."""
    for length in range(len(chain.loads), 0, -1):
        prefix = chain.loads[:length]
        if prefix[-1].key == CURRENT:
            continue
        same = {
            load.start: load
            for other in chains
            for load in other.loads
            if load.key == prefix[-1].key
        }
        if len(same) > 1:
            return CommonPrefix(prefix, tuple(same[start] for start in sorted(same)))
    return None


def judge(context: Context, reader: Reader, prefix: CommonPrefix) -> Local | Refusal:
    """Return the local for a prefix, or why there is none."""
    source = context.source

    def refuse(reason: str, at: int) -> Refusal:
        return Refusal(reason, source.line_of(at))

    first = prefix.occurrences[0]
    if prefix.key in CREDENTIALS:
        return refuse("credentials-prefix", first.start)
    if any(load.once for load in prefix.loads):
        return refuse("chain-changes", first.start)
    spelled = " ".join(load.key for load in prefix.loads)
    if "((" in spelled or any(_overlaps(load) for load in prefix.loads):
        return refuse("chain-changes", first.start)
    if not _steady_indexes(context, reader, prefix.key):
        return refuse("chain-changes", first.start)
    block, children = _enclosing_block(context, prefix)
    key = tokenize(prefix.key)
    roots = {
        token.text
        for before, token in zip((None, *key), key)
        if token.kind == NAME and (before is None or before.text not in ("->", "."))
    }
    low = children[0] if children else None
    if low is None or not children:
        return refuse("unusual-form", first.start)
    effect = effect_between(context, reader, prefix.loads, roots, low, children[-1])
    if effect.changed is not None:
        return refuse("chain-changes", effect.changed)
    if not effect.hidden:
        return refuse("chain-merged", prefix.occurrences[1].start)
    if not all(load.written for load in prefix.occurrences):
        return refuse("unusual-form", first.start)
    type_ = _declared(first.type)
    name = _name(context, first.field)
    certain = low.kind != "while" and evaluates(source, low, first.start)
    if type_ is None or name is None or not certain:
        return refuse("unusual-form", first.start)
    if source.has_directive(block.start, children[-1].end):
        return refuse("ifdef", first.start)
    return Local(name, _edits(context, prefix, block, low, f"{type_}{name}", name))


def _overlaps(load: Load) -> bool:
    """Whether a load is volatile or a store to a member of another name may change it."""
    if load.key == CURRENT:
        return False
    return load.type is None or load.type.shared or load.type.volatile


def _steady_indexes(context: Context, reader: Reader, key: str) -> bool:
    """Whether the indexes of a prefix consist of numbers and local variables only."""
    depth = 0
    for token in tokenize(key):
        depth += (token.text == "[") - (token.text == "]")
        if depth and token.text in ("->", ".", "*", "(") or depth > 1:
            return False
        if depth and token.kind == NAME:
            own = token.text in reader.types
            if not own or token.text in context.static_names:
                return False
    return True


def _enclosing_block(
    context: Context, prefix: CommonPrefix
) -> tuple[Statement, list[Statement]]:
    """The smallest block with all loads of a prefix, and its statements from the first to the last."""
    low = prefix.occurrences[0].start
    high = prefix.occurrences[-1].end
    inner = innermost(context.function, low)
    around = (s for s in (inner, *enclosing(inner)) if s.kind == "block")
    block = next(s for s in around if s.start <= low and high <= s.end)
    return block, [c for c in block.children if c.end > low and c.start < high]


def _declared(type_: Type | None) -> str | None:
    """The beginning of a declaration of a pointer to a structure."""
    if type_ is None or type_.stars != 1 or type_.bounds or not type_.name:
        return None
    return ("const " if type_.const else "") + f"{type_.name} *"


def _name(context: Context, field: str) -> str | None:
    """A name that the function, the macros it uses, and the file do not use."""
    expanded = free_names(context.options.root, context.facts.file, context.identifiers)
    for name in (field, f"this_{field}"):
        macro = rf"^[ \t]*#[ \t]*define[ \t]+{name}\b"
        taken = name in context.identifiers | expanded or name in context.labels
        if not taken and not re.search(macro, context.source.text, re.MULTILINE):
            return name
    return None


def _edits(
    context: Context,
    prefix: CommonPrefix,
    block: Statement,
    first: Statement,
    declaration: str,
    name: str,
) -> tuple[Edit, ...]:
    """Declare the local after the block's declarations, assign it, and replace the loads."""
    source = context.source
    text = source.text[prefix.occurrences[0].start : prefix.occurrences[0].end]
    leading = [
        d for d in declarations(source, block) if d[0].start < block.children[0].start
    ]
    edits = [Edit(load.start, load.end, name) for load in prefix.occurrences]
    early = first is block.children[0]
    line = declaration + (f" = {text};" if early else ";")
    if leading:
        at = source.text.find("\n", leading[-1][-1].end) + 1
        indent = source.indent(leading[-1][0].start)
        edits.insert(0, Edit(at, at, f"{indent}{line}\n"))
    else:
        at = source.text.find("\n", block.start) + 1
        indent = source.indent(block.children[0].start)
        edits.insert(0, Edit(at, at, f"{indent}{line}\n\n"))
    if not early:
        indent = source.indent(first.start)
        edits.append(Edit(first.start, first.start, f"{name} = {text};\n{indent}"))
    return tuple(edits)
