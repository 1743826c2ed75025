# SPDX-License-Identifier: GPL-2.0
"""``loads PATH…``: the chains of dependent loads in the machine code of hot functions."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hotcocci.cli.options import (
    PROFILE,
    RUNNING,
    SEVERAL,
    add,
    add_format,
    add_named,
    settings_of,
)
from hotcocci.cli.reports import JSON
from hotcocci.cli.terminal import say
from hotcocci.engines.perf_annotate import annotated as read
from hotcocci.machine.elf import Address
from hotcocci.machine.loads import LINE, NO_SHARES, Chain, Touched
from hotcocci.machine.steps import Load
from hotcocci.names import aligned, count
from hotcocci.output import text
from hotcocci.pipeline.loading import Loaded, Outlined, loads
from hotcocci.pipeline.paths import trees

FORMATS = ("text", JSON)


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Compile files for x86-64 and print which loads of their hot functions wait for other loads, and "
        "which cache lines of structures they read. Exit code: 0, 1 if a function could not be read, 2 "
        "error."
    )
    add(parser, "paths", *PROFILE, *RUNNING)
    text = "read only this function, hot or not; may be repeated"
    add_named(parser, {"--function NAME": text}, dest="functions", **SEVERAL)
    text = "show how hot each load is; FILE is what perf annotate --stdio prints"
    add_named(parser, {"--annotate FILE": text})
    text = "print chains of at least N loads (default: %(default)s)"
    add_named(parser, {"--least N": text}, default=3)
    add_format(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the loads; returns the exit code."""
    settings = settings_of(options)
    annotated = read(options.annotate) if options.annotate else []
    found = []
    for tree, paths in trees(options.paths):
        show = text.shown_from(tree.root)
        for each in loads(
            tree, paths, options.functions, options.least, settings, annotated
        ):
            found.append(each)
            if options.format != JSON:
                print("\n".join(text_of(each, show)), flush=True)
    if options.format == JSON:
        print(document(found))
    if not found:
        say("no hot function has code there")
    return 0 if found and not any(each.why for each in found) else 1


VERSION = 1
_OTHER = "the annotated code is of another build, or not in AT&T syntax"
ANOTHER = f"{_OTHER}, and without lines (perf annotate -l): no shares"
LINES = f"{_OTHER}: shares are those of source lines"
Where = tuple[tuple[str, int], ...]


def text_of(loaded: Loaded, show: Callable[[str], str]) -> list[str]:
    """The loads of a function as lines."""
    found = loaded.found
    if found is None:
        return [f"{show(loaded.file)}: {loaded.why}"]
    name = f"{found.function}()"
    if found.holder != found.function:
        name += f", inlined into {found.holder}()"
    known = f"{found.typed} of known members"
    lines = [f"{show(loaded.file)}: {name}: {count(found.count, 'load')}, {known}"]
    hot = found.sampled
    if hot is not None and hot.by_line:
        lines.append(f"  {LINES if hot.shares else ANOTHER}")
    for chain, places in zip(found.chains, loaded.places, strict=True):
        lines += _chain(chain, places, hot.shares if hot else NO_SHARES)
    if loaded.outlined:
        lines.append("  calls:")
        lines += [f"    {_outlined(each)}" for each in loaded.outlined]
    if found.touched:
        lines.append("  cache lines:")
        lines += [f"    {_touched(each)}" for each in found.touched]
    return lines


def _chain(chain: Chain, places: Where, shares: Mapping[Address, float]) -> list[str]:
    rows = [
        (load.name or "?", _member(load), f"{file}:{line}")
        for load, (file, line) in zip(chain.loads, places, strict=True)
    ]
    waits = ", each waits for the one before" if len(rows) > 1 else ""
    lines = [f"  {count(len(rows), 'load')}{waits}:"]
    for load, row in zip(chain.loads, aligned(rows), strict=True):
        share = shares.get(load.address)
        hot = f"{share:5.1f} %  " if share is not None else ""
        lines.append(f"    {hot}{row}")
    if chain.others:
        lines.append(f"    or last: {', '.join(chain.others)}")
    return lines


def _member(load: Load) -> str:
    own = load.member
    if not own.record:
        return f"{load.size} bytes"
    return f"{own.record} +{own.offset}, line {own.offset // LINE}"


def _outlined(each: Outlined) -> str:
    callee = each.callee
    where = ", ".join(f"{file}:{line}" for file, line in each.places)
    said = f"{callee.name}() at {where}: {callee.file}:{callee.line}"
    if callee.small:
        said += " is a few lines that store nothing"
    if each.wasted:
        values = " and ".join(f"{v or 'a value'} for {p}" for p, v in each.wasted)
        both = ", and" if callee.small else ""
        said += f"{both} returns first if {callee.test}; the caller loads {values} in any case"
    return said


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
    hot = found.sampled
    shares = hot.shares if hot else NO_SHARES
    return {
        "file": loaded.file,
        "function": found.function,
        "holder": found.holder,
        "loads": found.count,
        "typed": found.typed,
        "shares": ("line" if hot.by_line else "instruction")
        if hot and hot.shares
        else None,
        "chains": [
            {
                "loads": [
                    {
                        "name": load.name,
                        "record": load.member.record,
                        "member": load.member.path,
                        "offset": load.member.offset,
                        "size": load.size,
                        "file": file,
                        "line": line,
                        "share": shares.get(load.address),
                    }
                    for load, (file, line) in zip(chain.loads, places, strict=True)
                ],
                "others": chain.others,
            }
            for chain, places in zip(found.chains, loaded.places, strict=True)
        ],
        "calls": [
            {
                "function": each.callee.name,
                "file": each.callee.file,
                "line": each.callee.line,
                "small": each.callee.small,
                "test": each.callee.test,
                "places": [{"file": f, "line": n} for f, n in each.places],
                "wasted": [{"parameter": p, "value": v} for p, v in each.wasted],
            }
            for each in loaded.outlined
        ],
        "lines": [
            {"record": each.record, "line": line, "members": members}
            for each in found.touched
            for line, members in each.lines.items()
        ],
    }
