# SPDX-License-Identifier: GPL-2.0
"""Instructions saved per target, for the bar charts of the HTML pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci.findings import Gain


@dataclass(frozen=True)
class Saved:
    """Instructions on the non-faulting path for one target, summed over functions with a known path.

    ``unknown`` counts the other functions.
    """

    target: str
    functions: int
    unknown: int
    before: int
    after: int

    @property
    def percent(self) -> float:
        """The change in percent; negative for fewer instructions."""
        return 100 * (self.after - self.before) / self.before if self.before else 0.0

    @property
    def bar(self) -> float:
        """The length of the bar after, in percent of the longer of both."""
        return 100 * self.after / max(self.before, self.after, 1)


def saved(made: Sequence[Gain]) -> list[Saved]:
    """Return the instructions saved per target, in order of appearance."""
    result = []
    for target in dict.fromkeys(gain.target for gain in made):
        own = [gain for gain in made if gain.target == target]
        paths = [(g.before.success, g.after.success) for g in own]
        known = [(b, a) for b, a in paths if b is not None and a is not None]
        before = sum(b.instructions for b, _ in known)
        after = sum(a.instructions for _, a in known)
        result.append(Saved(target, len(known), len(own) - len(known), before, after))
    return result
