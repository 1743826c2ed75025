# SPDX-License-Identifier: GPL-2.0
"""One violation per line and rule, with all engines that found it."""

from hotcocci.findings import Note, Report, merge

NOTE = (Note("fs/file.c", 3, "opened here"),)


def report(engine, line=7, rule="UW02", **rest):
    function = str(rest.get("function", "f")) or None
    notes = NOTE if rest.get("noted") else ()
    return Report(rule, "fs/file.c", line, function, f"says {engine}", engine, notes)


def test_engines_that_agree_make_one_violation():
    found = merge([report("objtool"), report("smatch", noted=True), report("objtool")])
    assert [(v.line, v.engines, v.message) for v in found] == [
        (7, ("smatch", "objtool"), "says smatch")
    ]
    assert found[0].notes == NOTE


def test_the_function_comes_from_an_engine_that_knows_it():
    assert merge([report("smatch", function=""), report("objtool")])[0].function == "f"
