# SPDX-License-Identifier: GPL-2.0
"""Ask z3 about paths, reusing the assertions of the previous path up to where they differ."""

import time
from dataclasses import dataclass, field
from itertools import takewhile

import z3

from hotcocci.errors import AGAIN
from hotcocci.names import count
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.prover import deadline
from hotcocci.proof.symbolic.state import Path, UnsupportedError
from hotcocci.proof.symbolic.values import Truth

# Effort is counted in units of z3's resource limit, of which it uses 3.5 million a second on a
# processor of 2024: unlike time, it is the same on any machine. Per query:
MOST = 20_000_000
# What a step of the search and a query take besides that.
STEP = QUERY = 5_000
# Processor time of a search in which z3 needs much more time for its units than usual.
SECONDS = 60.0
# In what z3 says if it lacks memory: "out of memory", or "max. memory exceeded".
MEMORY = "memory"


class LimitError(UnsupportedError):
    """The search hit a limit; the message says which."""


@dataclass
class Solver:
    """An incremental solver with one level per condition, for a search of at most ``limit``."""

    limit: int = MOST
    solver: z3.Solver = field(default_factory=z3.Solver)
    # It is asked nothing: what z3 counts of all solvers is in its short statistics, too.
    counter: z3.Solver = field(default_factory=z3.Solver)
    asserted: list[z3.BoolRef] = field(default_factory=list)
    steps: int = 0
    asked: int = 0

    def __post_init__(self) -> None:
        self.start = self._used()
        self.began = time.process_time()

    @property
    def spent(self) -> int:
        """The effort so far."""
        return self._used() - self.start + STEP * self.steps + QUERY * self.asked

    def step(self) -> None:
        """Count a step of the search. Raises LimitError if the effort or the time is spent."""
        self.steps += 1
        now = time.process_time()
        if now > min(self.began + SECONDS, deadline()):
            spent = f"over {now - self.began:.0f} s"
            raise LimitError(f"{spent} after {count(self.steps, 'step')}: {AGAIN}")
        if self.spent > self.limit:
            raise LimitError(f"too much work: {count(self.steps, 'step')}")

    def _used(self) -> int:
        # Of all solvers and simplifications of this process.
        return int(self.counter.statistics().get_key_value("rlimit count"))

    def model(self, path: Path, condition: Truth = 1) -> z3.ModelRef | None:
        """A model of a condition on a path, None if there is none.

        Raises UnsupportedError if z3 gives up, and MemoryError.
        """
        return self.solver.model() if self.possible(path, condition) else None

    def possible(self, path: Path, condition: Truth = 1) -> bool:
        """Whether a condition can hold on a path.

        Raises UnsupportedError if z3 gives up, and MemoryError.
        """
        if isinstance(condition, int) and not condition:
            return False
        self._assert(path)
        self.asked += 1
        extra = [] if isinstance(condition, int) else [v.truth(condition)]
        self.solver.set("rlimit", min(MOST, self.limit))
        answer = self.solver.check(*extra)
        if answer == z3.unknown:
            why = self.solver.reason_unknown()
            if MEMORY in why:
                raise MemoryError
            raise UnsupportedError(f"z3 gave up: {why}")
        return bool(answer == z3.sat)

    def _assert(self, path: Path) -> None:
        pairs = zip(self.asserted, path.conditions, strict=False)
        common = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
        self.solver.pop(len(self.asserted) - common)
        del self.asserted[common:]
        for condition in path.conditions[common:]:
            self.solver.push()
            self.solver.add(condition)
            self.asserted.append(condition)
