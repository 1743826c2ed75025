# SPDX-License-Identifier: GPL-2.0
"""UA203: copies whose size is only known at run time but is usually small."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.findings import (
    PREPARED,
    READ,
    REPORT,
    REWRITE,
    Facts,
    Finding,
    Rewrite,
)
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies import results
from hotcocci.rewrite.copies.calls import Copy, copies_of
from hotcocci.rewrite.copies.dispatch import (
    CALLERS,
    COMMAND,
    parameter_of,
    source_of_size,
)
from hotcocci.rules.ua203_runtime_size.sizes import (
    SMALL_BYTES,
    Histogram,
    of_callers,
    of_commands,
)
from hotcocci.rules.ua203_runtime_size.lengths import Length, length_of
from hotcocci.rules.ua203_runtime_size.buffer import (
    ALIGNED,
    Buffer,
    after_fault,
    buffer_of,
)
from hotcocci.rules.ua203_runtime_size.emit import Helper, edits_of, helper_name
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.context_conditions import lock_held_at
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ua203_runtime_size import RULE


# Known sizes of a copy: a histogram, or the origin of a length.
Sizes = Histogram | Length | Refusal


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """Every copy of a size given by commands or callers, and the helpers for some of them.

    In hot functions also copies of a count or a length.
    """
    source = Source(facts.file, text)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for function in functions(source, facts):
        context = Context(function.source, function, facts, options)
        copies = [(copy, _sizes(copy, text)) for copy in copies_of(context)]
        copies = [(copy, sizes) for copy, sizes in copies if sizes is not None]
        uses = Counter(
            helper_name(copy) for copy, sizes in copies if not isinstance(sizes, Length)
        )
        for copy, sizes in copies:
            assert sizes is not None
            found = _judge(copy, sizes, text)
            if uses[helper_name(copy)] > 1 and not isinstance(found, Refusal):
                found = Refusal("several-copies", copy.line)
            if isinstance(found, Refusal):
                findings.append(_finding(copy, sizes, found))
                continue
            helper, buffer = found
            finding = _finding(copy, sizes, helper)
            findings.append(finding)
            edits = (*edits_of(copy, helper), *buffer.edits)
            rewrites.append(
                Rewrite(finding, edits, "S", options.small_api, _notes(helper, buffer))
            )
    return findings, rewrites


def _sizes(copy: Copy, text: str) -> Sizes | None:
    """The sizes of a copy, a refusal if they are unknown; None for no finding."""
    origin = source_of_size(copy)
    if origin == COMMAND:
        return of_commands(copy, text) or Refusal("sizes-unknown", copy.line)
    if origin == CALLERS:
        parameter = parameter_of(copy.text(copy.size), copy.context)
        found = of_callers(copy, text, parameter.place) if parameter else None
        if found is not None and found.listed:
            return found
    return length_of(copy, text) if copy.hot else None


def _judge(copy: Copy, sizes: Sizes, text: str) -> tuple[Helper, Buffer] | Refusal:
    """Return the helper that replaces a copy, or why there is none."""
    if isinstance(sizes, Refusal):
        return sizes
    if isinstance(sizes, Length):
        return Refusal("size-given", copy.line)
    if not sizes.listed:
        return Refusal("sizes-large" if sizes.total else "sizes-unknown", copy.line)
    buffer = buffer_of(copy)
    if isinstance(buffer, Refusal):
        return buffer
    fit = tuple(s for s in sizes.listed if buffer.size is None or s <= buffer.size)
    if not fit or min(fit) > SMALL_BYTES:
        return Refusal("sizes-large", copy.line)
    if len(fit) < 2:
        return Refusal("one-size", copy.line)
    refusal = _context_refusal(copy) or after_fault(copy, buffer)
    if refusal is not None:
        return refusal
    name = helper_name(copy)
    helper = Helper(
        name,
        copy.access.name,
        copy.direction,
        fit,
        buffer.heap,
        buffer.size is not None,
    )
    if name in text:
        return Refusal("name-taken", copy.line)
    return helper, buffer


def _context_refusal(copy: Copy) -> Refusal | None:
    context = copy.context
    reason = results.refusal(copy)
    if reason is not None:
        return Refusal(reason, copy.line)
    if context.source.has_directive(copy.start, copy.end):
        return Refusal("ifdef", copy.line)
    held = lock_held_at(copy.start, context)
    if held is not None:
        return Refusal("atomic-context", context.source.line_of(held.start))
    return None


def _notes(helper: Helper, buffer: Buffer) -> tuple[str, ...]:
    notes = ["the code grows by the inline copies"]
    if buffer.edits:
        notes.insert(0, f"the buffer on the stack gets {ALIGNED}")
    if helper.direction == READ:
        notes.append(
            "after a fault the rest of the buffer is not zeroed, but nothing reads it"
        )
    else:
        notes.append(
            "on a fault whole words have been stored, where the copy may have stored more bytes"
        )
    return tuple(notes)


def _finding(copy: Copy, sizes: Sizes, found: Helper | Refusal) -> Finding:
    function = copy.context.function.name
    message = f"{copy.access.name}() of a size only known at run time in {function}()"
    if not isinstance(sizes, Refusal):
        message += f"; {sizes}"
    finding = Finding(
        rule=RULE.code,
        file=copy.context.facts.file,
        line=copy.line,
        end_line=copy.context.source.line_of(copy.end),
        function=function,
        message=message,
        accesses=1,
        base=copy.text(copy.user),
        direction=copy.direction,
        verdict=REPORT,
        tier=None,
        reason=None,
    )
    if isinstance(found, Refusal):
        more = f"; {found.text(RULE.meaning(found.reason))}"
        return replace(finding, message=message + more, reason=found.reason)
    listed = ", ".join(map(str, found.sizes))
    message += f"; copy {listed} bytes inline, in a switch"
    return replace(finding, message=message, verdict=REWRITE, tier=PREPARED)
