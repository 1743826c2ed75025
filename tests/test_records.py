# SPDX-License-Identifier: GPL-2.0
"""Records survive JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from hotcocci.findings import (
    Check,
    Cost,
    Count,
    Edit,
    Execution,
    Finding,
    Gain,
    Proof,
    Rewrite,
    Skip,
)
from hotcocci.pipeline.changes import Rewritten, Gated
from hotcocci.records import rebuilt


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "text",
        {},
        {"file": 1, "reason": "x"},
        {"file": "a", "reason": None},
        {"file": "a", "reason": "x", "more": 1},
    ],
)
def test_other_shapes_are_refused(data: object) -> None:
    with pytest.raises((TypeError, ValueError, KeyError)):
        rebuilt(Skip, data)


def test_what_passed_its_checks() -> None:
    finding = Finding(
        "UA101", "a.c", 1, 2, None, "text", 2, "p", "rw", "rewrite", "safe", None
    )
    rewrite = Rewrite(finding, (Edit(0, 1, "ä"),), "A", "classic", ("Note.",))
    cost = Cost(None, Count(1, 2, 3, 4, 5), 6)
    gain = Gain("x86-64", "a.c", "f", cost, Cost(Count(1, 1, 1, 1), cost.whole, 6))
    execution = Execution("x86-64", "a.c", "f", "proven", permitted=("a", "b"), paths=2)
    proof = Proof("a.c", (Check("compile", "passed"),), (gain,), (execution,))
    change = Rewritten("a.c", "old", "new", (), (rewrite,), {"UA101": 2})
    gated = Gated((change,), (finding,), (Skip("b.c", "why"),), (), (proof,))
    assert rebuilt(Gated, json.loads(json.dumps(asdict(gated)))) == gated
