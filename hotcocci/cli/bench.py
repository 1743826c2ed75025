# SPDX-License-Identifier: GPL-2.0
"""``bench [OPERATION…]``: count the instructions of system calls, before and after a change."""

import argparse
import math
import platform
import sys
from pathlib import Path

from hotcocci.bench import run as benching
from hotcocci.bench.catalogue import (
    MACHINES,
    X86_64,
    Machine,
    catalogue,
    chosen,
    of_machine,
)
from hotcocci.bench.counts import Row, Table, broken
from hotcocci.cli.options import (
    RUNNING,
    add,
    add_format,
    add_named,
    add_show,
    add_tier,
    patches_in,
    settings_of,
)
from hotcocci.cli.reports import JSON
from hotcocci.errors import UserError, told
from hotcocci.findings import PREPARED
from hotcocci.output import bench as output
from hotcocci.pipeline.proving import propose
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.incoming import applied
from hotcocci.tree.kernel import Tree, find_tree
from hotcocci.tree.source import decode, read
from hotcocci.tree.touched import ends, texts_at

FORMATS = ("text", JSON)
# They are in no kernel.
DOCUMENTS = "Documentation"


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Build a small kernel of a tree, boot it under QEMU, which needs no KVM, and count the instructions of system "
        "calls exactly. With a change, do so before and after it, and print what differs. "
        "Exit code: 0, 1 if an operation grew by more than --fail-above or breaks, or a fault differs, 2 error."
    )
    add_named(
        parser, {"patterns OPERATION": "names or patterns (default: all)"}, nargs="*"
    )
    add_named(parser, {"--tree DIR": "the kernel tree (default: .)"}, default=Path("."))
    text = (
        "the machine that the kernel is for; if QEMU, a compiler or its C library is missing for it, "
        f"says what to install (default: {X86_64.name})"
    )
    add_named(parser, {"--target": text}, choices=MACHINES)
    change = parser.add_mutually_exclusive_group()
    text = "compare with this patch: a diff, a mail, an mbox, or -"
    add_named(change, {"--diff FILE": text}, type=str)
    add_named(
        change, {"--rev A..B": "compare these git revisions, whatever is checked out"}
    )
    text = "compare with our rewrites of this; may be repeated"
    add_named(change, {"--rewrites PATH": text}, action="append")
    add_named(
        change,
        {
            "--native": "time the running kernel of this machine instead",
            "--table FILE": "print a table that --save wrote instead",
            "--list": "list the operations",
        },
    )
    add_tier(
        parser,
        PREPARED,
        "with --rewrites, those up to this tier (default: %(default)s)",
    )
    add_show(parser, reports=False)
    add_named(
        parser,
        {
            "--faults": "with a change, also compare faults at every byte",
            "--save FILE": "write the table, for --against",
            "--against FILE": "compare with a table that --save wrote",
        },
    )
    text = "exit with 1 if an operation grew by more"
    add_named(parser, {"--fail-above N": text}, type=_number)
    add_named(parser, {"--all": "also show what is the same"}, dest="everything")
    add_format(parser, FORMATS)
    add(parser, *RUNNING)
    parser.set_defaults(timeout=600)


def run(options: argparse.Namespace) -> int:
    """Print the counts, or the differences; returns the exit code."""
    if options.native and options.target:
        raise UserError("--native runs on this machine: omit --target")
    machine = _here() if options.native else MACHINES[options.target or X86_64.name]
    operations = chosen(options.patterns, of_machine(machine))
    if options.list:
        print("\n".join(output.listed(operations)))
        return 0
    changes = options.diff or options.rev or options.rewrites
    _refuse_useless(options, bool(changes))
    # Before minutes of other work
    stored = _stored(options.against) if options.against else None
    if options.save and options.save.is_dir():
        raise UserError(f"cannot write {options.save}: it is a folder")
    if options.save and not options.save.parent.is_dir():
        raise UserError(f"cannot write {options.save}: it is in no folder")
    if options.table:
        return _one(options, _stored(options.table), stored)
    if options.native:
        timed = benching.native(machine, operations, options.timeout)
        return _one(options, timed, stored)
    settings = settings_of(options)
    tree = find_tree(options.tree)
    job = benching.Job(
        *(tree.root, machine, operations),
        *(settings.cache_dir, settings.jobs, settings.timeout),
        titled=settings.observer.progress,
    )
    if not changes:
        return _one(options, benching.measured(job).table, stored)
    before, after = _texts(options, tree, settings)
    if before == after:
        raise UserError("the change has no code: there is nothing to compare")
    compared = benching.compared(job, before, after, options.faults)
    if options.save:
        _write(options.save, output.document(compared.after))
    if options.format == JSON:
        print(output.compared_document(compared))
    else:
        tables = compared.before, compared.after
        lines = output.changes(*tables, operations, options.everything)
        lines += output.functions(compared) + output.reached(compared)
        lines += output.warnings(compared) + output.faults(compared)
        print("\n".join(lines))
    apart = frozenset() if compared.data else compared.apart
    worse = _worse(compared.before, compared.after, options.fail_above, apart)
    return int(worse or bool(compared.faults and compared.faults[1]))


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return number


def _here() -> Machine:
    """This machine. Raises UserError for one that the operations are not written for."""
    name = platform.machine()
    found = next((each for each in MACHINES.values() if each.native == name), None)
    if found is None:
        known = ", ".join(filter(None, (each.native for each in MACHINES.values())))
        raise UserError(f"--native runs on {known}, and not on {name}")
    return found


def _texts(
    options: argparse.Namespace, tree: Tree, settings: Settings
) -> tuple[dict[str, str], dict[str, str]]:
    """The texts of files that replace the tree's, in the first kernel and in the second."""
    if options.rev:
        first, last = ends(options.rev)
        return texts_at(tree.root, first), texts_at(tree.root, last)
    if options.diff:
        texts = applied(tree.root, patches_in(options.diff), "").texts
        return {}, {f: t for f, t in texts.items() if f.split("/")[0] != DOCUMENTS}
    changes = propose(tree, options.rewrites, settings).changes
    if not changes:
        paths = ", ".join(map(str, options.rewrites))
        raise UserError(
            f"no rewrite is offered in {paths}: "
            "--show cold and --tier manual take more, 'lint --show all' says why not"
        )
    return {}, {
        file: text
        for change in changes
        for file, text in (
            (change.file, change.new),
            *((other.file, other.new) for other in change.others),
        )
    }


def _refuse_useless(options: argparse.Namespace, changes: bool) -> None:
    """Raise UserError for options that compare, where nothing is compared, or that compare twice."""
    if options.faults and not changes:
        raise UserError(
            "--faults compares two kernels: add --diff, --rev or --rewrites"
        )
    if options.against and changes:
        raise UserError("--against compares with a table: omit it, or the change")
    if options.fail_above is not None and not (changes or options.against):
        raise UserError(
            "--fail-above compares: add --diff, --rev, --rewrites or --against"
        )


def _one(options: argparse.Namespace, found: Table, before: Table | None) -> int:
    """Print one table, or what differs from a stored one."""
    if options.save:
        _write(options.save, output.document(found))
    if before is None:
        print(
            output.document(found)
            if options.format == JSON
            else "\n".join(output.table(found))
        )
        return 0
    if before.unit != found.unit:
        raise UserError(
            f"{options.against} has {before.unit}, and this run {found.unit}"
        )
    print(
        output.tables_document(before, found)
        if options.format == JSON
        else "\n".join(output.changes(before, found, catalogue(), options.everything))
    )
    return int(_worse(before, found, options.fail_above))


def _write(path: Path, text: str) -> None:
    with told(f"write {path}"):
        path.write_text(text)


def _stored(path: Path) -> Table:
    with told(f"read {path}"):
        return output.read(decode(read(path)), str(path))


def _worse(
    before: Table, after: Table, most: float | None, apart: frozenset[Row] = frozenset()
) -> bool:
    """Whether an operation broke, or grew by more than allowed; names each of these on standard error.

    The change is not why those ``apart`` grew.
    """
    found = output.grown(before, after, most)
    for row, line in found.items():
        why = f"more than {most:g}"
        if row in apart:
            why = "but runs no changed function: not counted"
        print(f"hotcocci: {line}, {why}", file=sys.stderr)
    timed = {each.name for each in catalogue() if each.timed}
    return bool(found.keys() - apart or broken(before, after, timed))
