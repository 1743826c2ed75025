# SPDX-License-Identifier: GPL-2.0
"""Log the results of mutants, so that another run can continue, and tabulate them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from mutants.judge import OUTCOMES, SURVIVOR

EXPLAINED = Path(__file__).with_name("explained.txt")


@dataclass(frozen=True)
class Record:
    """A mutant by name, or an unmodified rewrite, which has no kinds.

    ``digest`` is a hash of the text: a name yields another mutant once the generator changes.
    """

    name: str
    kinds: tuple[str, ...]
    outcome: str
    said: str
    seconds: float
    digest: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Key in explained.txt."""
        return self.name, self.digest


def read(log: Path) -> dict[str, Record]:
    """Read the records of a log by name; truncated lines are skipped."""
    found = {}
    for line in log.read_text().splitlines() if log.exists() else ():
        try:
            data = json.loads(line)
        except ValueError:
            continue
        record = Record(**{**data, "kinds": tuple(data["kinds"])})
        found[record.name] = record
    return found


def write(log: Path, record: Record) -> None:
    """Append a record to a log."""
    with log.open("a") as stream:
        print(json.dumps(asdict(record)), file=stream)


def explained(file: Path = EXPLAINED) -> dict[tuple[str, str], str]:
    """Read the survivors known to be equivalent, by name and digest, with the reason."""
    lines = file.read_text().splitlines() if file.exists() else []
    known = (line.split(None, 2) for line in lines if line and not line.startswith("#"))
    return {(name, digest): why for name, digest, why in known}


def table(
    records: Iterable[Record], known: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    """Tabulate the outcomes by kind; a mutant of several kinds counts once for each, and once in total."""
    counts: dict[str, Counter[str]] = {}
    for record in records:
        outcome = record.outcome
        for kind in {*record.kinds, "all"} if record.kinds else ():
            count = counts.setdefault(kind, Counter())
            count[outcome] += 1
            count["mutants"] += 1
            count["explained"] += outcome == SURVIVOR and record.key in known
    columns = ("mutants", *OUTCOMES, "explained")
    yield f"| broken how | {' | '.join(columns)} |"
    yield "|---" + "|--:" * len(columns) + "|"
    for kind in sorted(counts, key=lambda kind: (kind == "all", kind)):
        row = [str(counts[kind][column]) for column in columns]
        yield f"| {kind} | {' | '.join(row)} |"
