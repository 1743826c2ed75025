# SPDX-License-Identifier: GPL-2.0
"""Instructions or nanoseconds of operations, as text and as JSON."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict

from hotcocci.bench.catalogue import Operation
from hotcocci.bench.counts import Count, Ran, Row, Table, broken, differences
from hotcocci.bench.run import Compared
from hotcocci.errors import UserError
from hotcocci.names import aligned
from hotcocci.names import count as plural

VERSION = 2
_NOTHING = Ran(0, 0)
# Names on a line of text
_SHOWN = 20


def listed(operations: Sequence[Operation]) -> list[str]:
    """The catalogue, one operation a line."""
    rows = [
        (each.name, each.unit, " ".join(map(str, each.sizes)), " ".join(each.reaches))
        for each in operations
    ]
    return aligned([("operation", "unit", "sizes", "reaches"), *rows])


def table(found: Table) -> list[str]:
    """The instructions of each operation in one kernel."""
    rows = [("operation", "size", found.unit, "result")]
    for (name, size), count in sorted(found.counts.items()):
        spread = (
            "" if count.low == count.high else f" ({count.low:g} to {count.high:g})"
        )
        rows.append((name, str(size), f"{count.value:g}{spread}", str(count.result)))
    return [*aligned(rows), found.made, *_missing(found)]


def changes(
    before: Table, after: Table, operations: Sequence[Operation], everything: bool
) -> list[str]:
    """The operations that take more or less, and how many take the same."""
    units = {each.name: each.unit for each in operations}
    found = differences(before, after)
    differing = [d for d in found if d.is_real]
    shown = found if everything else differing
    rows = [("operation", "size", f"{before.unit} before", "after", "", "per unit")]
    for each in sorted(shown, key=lambda d: d.per_unit):
        name, size = each.row
        share = f"{each.more / each.before.value:+.1%}" if each.before.value else ""
        figures = _value(each.before), _value(each.after), share
        rows.append((name, str(size), *figures, each.per(units.get(name, "unit"))))
    lines = aligned(rows) if shown else []
    same = len(found) - len(differing)
    lines.append(
        f"{len(differing)} of {plural(len(found), 'operation')} changed, {same} the same"
    )
    if before.made == after.made:
        lines.append(after.made)
    else:
        lines += [f"before: {before.made}", f"after: {after.made}"]
    timed = {each.name for each in operations if each.timed}
    return [*lines, *broken(before, after, timed), *_missing(after, before.counts)]


def functions(compared: Compared) -> list[str]:
    """The functions of which operations that changed run more or less, with their shares of the call."""
    rows = [
        (row[0], str(row[1]), f"{name}()", *_share(old), *_share(new))
        for row, name, old, new in _differing(compared)
    ]
    head = ("operation", "size", "function", "before", "", "after", "")
    return aligned([head, *rows]) if rows else []


def reached(compared: Compared) -> list[str]:
    """Which operations call the functions that changed, and which differ without calling one."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, rows in compared.changed.items():
        by = tuple(dict.fromkeys(row[0] for row in rows))
        groups.setdefault(by, []).append(f"{name}()")
    lines = ["no function's code differs in this configuration"] if not groups else []
    for by, names in groups.items():
        none = f"none of these operations runs {'it' if len(names) == 1 else 'them'}"
        lines.append(f"{_some(names)}: {f'run by {_some(by)}' if by else none}")
    if compared.data:
        lines.append(f"data that differs: {_some(compared.data)}")
    # A kernel of another size leaves other pages free.
    why = (
        ": it may depend on data that changed"
        if compared.data
        else ", and no data changed: other pages are free"
    )
    return [
        *lines,
        *(
            f"{each.row[0]} {each.row[1]} runs no changed function{why}"
            for each in differences(compared.before, compared.after)
            if each.is_real and each.row in compared.apart
        ),
    ]


def warnings(compared: Compared) -> list[str]:
    """The warnings that only the second build has."""
    return [f"new warning: {warning}" for warning in compared.warnings]


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


def grown(before: Table, after: Table, most: float | None) -> dict[Row, str]:
    """The operations that grew by more than this, each with its name; none without a limit."""
    return {
        each.row: f"{each.row[0]} {each.row[1]} grew by {each.more:g} {after.unit}"
        for each in differences(before, after)
        if most is not None and each.is_real and each.more > most
    }


def document(found: Table) -> str:
    """A table as JSON, for `read`."""
    return json.dumps(_document(found), indent=1)


def compared_document(compared: Compared) -> str:
    """Both tables, the functions that differ and the faults that differ, as JSON."""
    return json.dumps(
        {
            **_tables(compared.before, compared.after),
            "functions": [
                [*row, name, asdict(old[0]), asdict(new[0])]
                for row, name, old, new in _differing(compared)
            ],
            "changed": {
                name: [list(row) for row in rows]
                for name, rows in compared.changed.items()
            },
            "data": compared.data,
            "warnings": compared.warnings,
            "faults": compared.faults,
        },
        indent=1,
    )


def tables_document(before: Table, after: Table) -> str:
    """Two tables as JSON, of which no more is known."""
    return json.dumps(_tables(before, after), indent=1)


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
        return Table(str(data["unit"]), str(data["made"]), counts, missing)
    except (ValueError, LookupError, TypeError) as error:
        raise UserError(f"{name} is no table of bench: write it with --save") from error


def _tables(before: Table, after: Table) -> dict[str, object]:
    return {"version": VERSION, "before": _document(before), "after": _document(after)}


def _document(found: Table) -> Mapping[str, object]:
    return {
        "version": VERSION,
        "unit": found.unit,
        "made": found.made,
        "counts": [
            [*row, *asdict(count).values()] for row, count in found.counts.items()
        ],
        "missing": [[*row, why] for row, why in found.missing.items()],
    }


# What ran of a function, and how many instructions of the kernel the whole call runs
_Side = tuple[Ran, int]


def _differing(compared: Compared) -> Iterator[tuple[Row, str, _Side, _Side]]:
    """The functions of which a call that changed runs more or less; the largest difference first."""
    for each in differences(compared.before, compared.after):
        if not each.is_real:
            continue
        old, new = (ran.get(each.row, {}) for ran in compared.ran)
        totals = [sum(r.instructions for r in side.values()) for side in (old, new)]
        pairs = {
            name: (old.get(name, _NOTHING), new.get(name, _NOTHING))
            for name in {**old, **new}
        }
        more = {n: abs(b.instructions - a.instructions) for n, (a, b) in pairs.items()}
        for name in sorted(pairs, key=lambda n: -more[n]):
            was, now = pairs[name]
            if was != now:
                yield each.row, name, (was, totals[0]), (now, totals[1])


def _some(names: Sequence[str]) -> str:
    """The first of many names: a header may change thousands of functions, which are all in the JSON."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _share(side: _Side) -> tuple[str, str]:
    ran, total = side
    share = f"{ran.instructions / total:.1%}" if ran.instructions else ""
    return str(ran.instructions), share


def _value(count: Count) -> str:
    return f"{count.value:g}"


def _missing(found: Table, said: Collection[Row] = ()) -> list[str]:
    return [
        f"{row[0]} {row[1]} {why}"
        for row, why in sorted(found.missing.items())
        if row not in said
    ]
