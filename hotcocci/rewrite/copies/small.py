# SPDX-License-Identifier: GPL-2.0
"""Copies of a small size known at compile time, for the rules on scalars and structures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hotcocci.c.ask import layouts
from hotcocci.c.model import BOOL, BYTES, INTEGER, POINTER, RECORD, Layout
from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.findings import (
    Facts,
)
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import COPIES, Copy
from hotcocci.rewrite.options import Options, small_api_for
from hotcocci.rewrite.prefilter import is_constant
from hotcocci.rewrite.ranges import architecture
from hotcocci.rewrite.window import Refusal, has_windows

# Kinds of copied objects
SCALAR = "scalar"
STRUCT = "struct"

SCALARS = (INTEGER, BOOL, POINTER)
# 32 bytes are four 64-bit accesses; larger copies are what copy_from_user() is for.
LARGEST = 32
# The largest structure reported in hot functions: a cache line.
LARGEST_REPORTED = 64


def contexts(text: str, facts: Facts, options: Options) -> Iterator[Context]:
    """The functions of a file with the calls of its facts."""
    source = Source(facts.file, text)
    small = replace(options, api=small_api_for(options, facts.file))
    for function in functions(source, facts):
        yield Context(function.source, function, facts, small)


def with_resolved_types(copies: list[Copy]) -> list[Copy]:
    """Add the compiler's answers on types to the copies, if they are hot."""
    hot = [copy for copy in copies if is_constant(copy.text(copy.size)) and copy.hot]
    unresolved = sorted(
        {type_ for copy in hot for type_ in copy.unresolved_types()} - {"void"}
    )
    if not unresolved:
        return copies
    context = hot[0].context
    answers = layouts(*context.where, unresolved)
    known = {t: one for t, one in answers.items() if isinstance(one, Layout)}
    return [replace(copy, asked=known) for copy in copies]


def kind_of(copy: Copy) -> str | None:
    """SCALAR or STRUCT; None if a copy is not small or its size is unknown."""
    if copy.access.name not in COPIES or not is_constant(copy.text(copy.size)):
        return None
    size, object_ = copy.size_layout, copy.kernel_layout
    if size is not None and size.kind in SCALARS:
        return SCALAR
    if size is not None and size.kind == BYTES:
        scalar = object_ is not None and object_.kind == INTEGER
        return SCALAR if scalar and max(size.sizes) <= 8 else None
    if size is not None and size.kind == RECORD and max(size.sizes) <= LARGEST:
        return STRUCT
    if not copy.hot:
        return None
    most = copy.size_bytes or 0 if size is None else max(size.sizes)
    return STRUCT if most <= LARGEST_REPORTED else None


def of_constant_sizes(facts: Facts) -> Facts:
    """Only the functions with a copy of a size known at compile time; the others need not be parsed."""
    wanted = {
        (access.function, access.function_end_line)
        for access in facts.accesses
        if is_constant(access.size)
    }
    kept = [a for a in facts.accesses if (a.function, a.function_end_line) in wanted]
    return replace(facts, accesses=tuple(kept))


def opens_more(copy: Copy) -> Refusal | None:
    """Refuse to take a copy apart in generic code of a tree whose arm64 has no windows (6.1).

    One copy would become several accesses that open and close user access each, with two
    changes of TTBR0 where PAN is emulated.
    """
    options = copy.context.options
    if not has_windows(options):
        return Refusal("no-window-api", copy.line)
    if architecture(copy.context) is not None or "arm64" not in options.arches:
        return None
    if "arm64" in options.gain_arches:
        return None
    detail = "user_access_begin() of arm64 is only access_ok(): each word would open and close user access"
    return Refusal("no-gain-arch", copy.line, detail)
