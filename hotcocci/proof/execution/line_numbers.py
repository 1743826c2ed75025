# SPDX-License-Identifier: GPL-2.0
"""Undo changes of __LINE__ in call arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hotcocci.proof.execution.trace import Call, Event, Trace


def renumbered(old: Trace, new: Trace, lines: Mapping[int, int]) -> Trace:
    """The new trace with __LINE__ arguments replaced by the old line numbers."""
    left = [event for event in old.events if isinstance(event, Call)]
    if not lines or len(left) != sum(isinstance(e, Call) for e in new.events):
        return new
    numbers = {hex(was): hex(now) for was, now in lines.items() if was != now}
    events: list[Event] = []
    for event in new.events:
        was = left.pop(0) if isinstance(event, Call) else None
        if isinstance(event, Call) and was is not None and was.name == event.name:
            both = zip(was.arguments, event.arguments, strict=False)
            arguments = tuple(a if numbers.get(a) == b else b for a, b in both)
            event = replace(event, arguments=arguments)
        events.append(event)
    return replace(new, events=tuple(events))
