# SPDX-License-Identifier: GPL-2.0
"""``check PATH…``: the window checkers."""

import argparse

from hotcocci.cli.options import (
    RUNNING,
    SEVERAL,
    add,
    add_format,
    add_named,
    settings_of,
    text_of,
    touched_by,
    trees_of,
    write_baseline,
)
from hotcocci.cli.reports import (
    DOCUMENTS,
    OF_VIOLATIONS,
    TEXT,
    check_read,
    check_trees,
    document,
    show,
)
from hotcocci.cli.terminal import say
from hotcocci.findings import ENGINES
from hotcocci.names import count
from hotcocci.output import text
from hotcocci.output.text import gone
from hotcocci.pipeline.paths import texts_of
from hotcocci.pipeline.violations import Checked, check, check_text


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Check user access windows, hand-written or generated. "
        "Exit code: 0 no violations, 1 violations, 2 error."
    )
    add(parser, "paths", *RUNNING, "--rule")
    text = "use only this engine; may be repeated (default: all installed engines)"
    add_named(parser, {"--engine": text}, dest="engines", choices=ENGINES, **SEVERAL)
    add(parser, "--baseline", "--write-baseline", "--diff-base", "--stdin")
    text = "also list helpers that a compiler may put out of line, once each"
    add_named(parser, {"--all": text}, dest="hygiene")
    add_format(parser, OF_VIOLATIONS)


def run(options: argparse.Namespace) -> int:
    """Print the violations; returns the exit code."""
    settings = settings_of(options)
    edited = text_of(options)
    chosen = trees_of(options, edited)
    check_trees(options, chosen)
    found = False
    unread: list[str] = []
    for tree, paths in chosen:
        if edited is not None:
            checked = check_text(tree, paths[0], edited, settings)
        else:
            checked = check(tree, paths, settings, touched_by(tree, options.diff_base))
        if options.write_baseline:
            write_baseline(
                options.write_baseline, checked.each, checked.texts, "violation"
            )
            continue
        found = found or bool(checked.violations)
        _print(checked, options)
        unread += text.unread(checked.unread, checked.tree.root)
        # With --diff-base only changed code is checked: an entry that is missing may be elsewhere.
        if checked.gone and options.diff_base is None:
            say(gone(checked.gone, "violation"))
    check_read(unread)
    return 1 if found else 0


def _print(checked: Checked, options: argparse.Namespace) -> None:
    form, tree, violations = options.format, checked.tree, checked.violations
    if form == TEXT:
        name = text.shown_from(tree.root)
        lines = [line for v in violations for line in text.violation(v, name)]
    else:
        # An unused "allow" comment may be in a file without windows.
        others = {v.file for v in violations} - checked.texts.keys()
        texts = checked.texts | texts_of(tree, sorted(others))
        lines = [document("check", form, tree, violations, checked.skipped, texts)]
    show(lines, form, tree, checked.skipped)
    if form in DOCUMENTS or options.quiet:
        return
    files = len({violation.file for violation in violations})
    missed = {skip.file for skip in checked.missed}
    said = f"{count(len(violations), 'violation')} in {count(files, 'file')}, "
    said += f"{count(len(checked.texts.keys() - missed), 'file')} with windows checked"
    if missed:
        said += f", {count(len(missed), 'file')} not or only in part"
    say(said)
