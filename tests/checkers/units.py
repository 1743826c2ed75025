# SPDX-License-Identifier: GPL-2.0
"""Compilation units for cases: the file, and a command from a real tree."""

import dataclasses

from window_cases import FIXTURES, INCLUDE, LOCAL_LABELS, SCOPED_HEADER

from hotcocci.tree.command import Unit, commands

# Built into every kernel, with ordinary flags.
LENT = "lib/usercopy.c"


def wrong(cases, reports, wanted):
    """By case, the lines and codes that are missing, and those that are reported though not wanted."""
    found = {}
    for report in reports:
        found.setdefault(report.file, set()).add((report.line, report.rule))
    return {
        case.name: {"missing": sorted(right - said), "false": sorted(said - right)}
        for case in cases
        if (right := wanted(case)) != (said := found.get(case.file, set()))
    }


def unit_of(case, build):
    """Add the case as a file to the build's tree, with scopes if it needs them."""
    command = commands(build, [LENT])[LENT]
    argv = command.argv
    if case.tree == "scoped":
        argv = (*argv, f"-I{INCLUDE}", "-include", str(SCOPED_HEADER))
    return Unit(build, dataclasses.replace(command, argv=argv), case.path, FIXTURES)


def unit_of_many(cases, build, folder):
    """Combine cases for one kind of tree into a file: that compiles as fast as a single case."""
    kind = cases[0].tree
    wrapper = folder / f"{cases[0].name}.c"
    wrapper.write_text("".join(f'#include "{case.path}"\n' for case in cases))
    command = unit_of(cases[0], build).command
    # Inline as much as in a separate file for each case.
    argv = (*command.argv, "--param=large-unit-insns=1000000")
    if kind == "scoped":
        argv += ("-include", str(LOCAL_LABELS))
    return Unit(build, dataclasses.replace(command, argv=argv), wrapper, FIXTURES)
