# SPDX-License-Identifier: GPL-2.0
"""Print the loads of functions as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from hotcocci.engines.loads.chains import LINE, Chain, Touched
from hotcocci.engines.loads.steps import Load
from hotcocci.pipeline.loading import Loaded
from hotcocci.plural import count

VERSION = 1
Where = tuple[tuple[str, int], ...]


def text(loaded: Loaded, show: Callable[[str], str]) -> list[str]:
    """The loads of a function as lines."""
    found = loaded.found
    if found is None:
        return [f"{show(loaded.file)}: {loaded.why}"]
    name = f"{found.function}()"
    if found.holder != found.function:
        name += f", inlined into {found.holder}()"
    known = f"{found.typed} of known members"
    lines = [f"{show(loaded.file)}: {name}: {count(found.count, 'load')}, {known}"]
    for chain, places in zip(found.chains, loaded.places, strict=True):
        lines += _chain(chain, places)
    if found.touched:
        lines.append("  cache lines:")
        lines += [f"    {_touched(each)}" for each in found.touched]
    return lines


def _chain(chain: Chain, places: Where) -> list[str]:
    rows = [
        (load.name or "?", _member(load), f"{file}:{line}")
        for load, (file, line) in zip(chain.loads, places, strict=True)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"  {len(rows)} loads, each waits for the one before:"]
    lines += ["    " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    if chain.others:
        lines.append(f"    or last: {', '.join(chain.others)}")
    return lines


def _member(load: Load) -> str:
    if not load.record:
        return f"{load.size} bytes"
    return f"{load.record} +{load.offset}, line {load.offset // LINE}"


def _touched(each: Touched) -> str:
    lines = (f"{line}: {', '.join(paths)}" for line, paths in each.lines.items())
    return f"{each.record}  {'; '.join(lines)}"


def document(every: Sequence[Loaded]) -> str:
    """All functions as JSON."""
    made = {"version": VERSION, "functions": [_function(each) for each in every]}
    return json.dumps(made, indent=2)


def _function(loaded: Loaded) -> dict[str, Any]:
    found = loaded.found
    if found is None:
        return {"file": loaded.file, "why": loaded.why}
    return {
        "file": loaded.file,
        "function": found.function,
        "holder": found.holder,
        "loads": found.count,
        "typed": found.typed,
        "chains": [
            {
                "loads": [
                    {
                        "name": load.name,
                        "record": load.record,
                        "member": load.path,
                        "offset": load.offset,
                        "size": load.size,
                        "file": file,
                        "line": line,
                    }
                    for load, (file, line) in zip(chain.loads, places, strict=True)
                ],
                "others": chain.others,
            }
            for chain, places in zip(found.chains, loaded.places, strict=True)
        ],
        "lines": [
            {"record": each.record, "line": line, "members": members}
            for each in found.touched
            for line, members in each.lines.items()
        ],
    }
