# SPDX-License-Identifier: GPL-2.0
"""Instructions or nanoseconds of operations, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from hotcocci.bench.catalogue import Operation
from hotcocci.bench.counts import Count, Difference, Table, differences
from hotcocci.bench.run import Compared
from hotcocci.errors import UserError
from hotcocci.plural import count as plural

VERSION = 1


def listed(operations: Sequence[Operation]) -> list[str]:
    """The catalogue, one operation a line."""
    rows = [
        (each.name, each.unit, " ".join(map(str, each.sizes)), " ".join(each.reaches))
        for each in operations
    ]
    return _aligned([("operation", "unit", "sizes", "reaches"), *rows])


def table(found: Table) -> list[str]:
    """What each operation takes in one kernel."""
    rows = [("operation", "size", found.unit, "result")]
    for (name, size), count in sorted(found.counts.items()):
        spread = (
            "" if count.low == count.high else f" ({count.low:g} to {count.high:g})"
        )
        rows.append((name, str(size), f"{count.value:g}{spread}", str(count.result)))
    return [*_aligned(rows), *_missing(found)]


def changes(
    before: Table, after: Table, operations: Sequence[Operation], everything: bool
) -> list[str]:
    """The operations that take more or less, and how many take the same."""
    units = {each.name: each.unit for each in operations}
    found = differences(before, after)
    differing = [d for d in found if is_different(d)]
    shown = found if everything else differing
    rows = [("operation", "size", f"{before.unit} before", "after", "per unit")]
    for each in sorted(shown, key=lambda d: d.per_unit):
        name, size = each.row
        per = f"{each.per_unit:+.1f} per {units.get(name, 'unit')}"
        rows.append((name, str(size), _value(each.before), _value(each.after), per))
    lines = _aligned(rows) if shown else []
    same = len(found) - len(differing)
    lines.append(
        f"{len(differing)} of {plural(len(found), 'operation')} changed, {same} the same"
    )
    return [*lines, *_missing(after)]


def reached(compared: Compared) -> list[str]:
    """Which operations call the functions that changed."""
    lines = []
    for name, rows in compared.changed.items():
        by = ", ".join(dict.fromkeys(row[0] for row in rows))
        lines.append(f"{name}(): {f'run by {by}' if by else 'no operation runs it'}")
    return lines or ["no function's code differs in this configuration"]


def faults(compared: Compared) -> list[str]:
    """The calls with bad or partly mapped objects whose outcome differs."""
    if compared.faults is None:
        return []
    made, differing = compared.faults
    lines = [f"before: {old}\nafter:  {new}" for old, new in differing]
    return [
        *lines,
        f"{made} calls with bad or partly mapped objects, {len(differing)} differ",
    ]


def is_different(difference: Difference) -> bool:
    """Whether the middle halves of all tries do not overlap."""
    before, after = difference.before, difference.after
    return before.high < after.low or after.high < before.low


def document(found: Table) -> str:
    """A table as JSON, for `read`."""
    return json.dumps(_document(found), indent=1)


def compared_document(compared: Compared) -> str:
    """Both tables, the functions that changed and the faults that differ, as JSON."""
    return json.dumps(
        {
            "version": VERSION,
            "before": _document(compared.before),
            "after": _document(compared.after),
            "changed": {
                name: [list(row) for row in rows]
                for name, rows in compared.changed.items()
            },
            "faults": compared.faults,
        },
        indent=1,
    )


def read(text: str, name: str) -> Table:
    """A table that `document` wrote. Raises UserError for any other text."""
    try:
        data = json.loads(text)
        if data["version"] != VERSION:
            raise ValueError(data["version"])
        counts = {
            (str(row[0]), int(row[1])): Count(
                float(row[2]), float(row[3]), float(row[4]), int(row[5])
            )
            for row in data["counts"]
        }
        missing = {(str(r[0]), int(r[1])): str(r[2]) for r in data["missing"]}
        return Table(str(data["unit"]), counts, missing)
    except (ValueError, LookupError, TypeError) as error:
        raise UserError(f"{name} is no table of bench: write it with --save") from error


def _document(found: Table) -> Mapping[str, object]:
    return {
        "version": VERSION,
        "unit": found.unit,
        "counts": [
            [*row, *asdict(count).values()] for row, count in found.counts.items()
        ],
        "missing": [[*row, why] for row, why in found.missing.items()],
    }


def _value(count: Count) -> str:
    return f"{count.value:g}"


def _missing(found: Table) -> list[str]:
    return [
        f"{name} {size}: {why}" for (name, size), why in sorted(found.missing.items())
    ]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
