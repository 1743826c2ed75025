# SPDX-License-Identifier: GPL-2.0
"""benchmarks/results/tables.md: its commands are run and their output is written into it."""

import shlex

import pytest
from measured import PAGE, ROOT, commands, replaced, run

from hotcocci.cli.main import parser

PAGE_OF_TWO = """\
Text.

<!-- run: printf one -->
old
<!-- end -->

<!-- run: printf two -->
<!-- end -->
"""


def test_output_replaces_that_of_the_same_command():
    page = replaced(PAGE_OF_TWO, "printf one", "one\n")
    assert page == PAGE_OF_TWO.replace("old\n", "`printf one`\n\n```\none\n```\n\n")
    assert replaced(page, "printf one", "one\n") == page


def test_tables_are_not_quoted():
    table = "| a |\n|---|\n| 1 |"
    assert f"`printf two`\n\n{table}\n\n<!--" in replaced(
        PAGE_OF_TWO, "printf two", table
    )


def test_trees_have_their_names_in_the_output():
    assert run("echo linux-6.12/fs", {"linux-6.12": "/src/6.12"}) == "linux-6.12/fs\n"


def test_a_command_that_fails_writes_nothing():
    with pytest.raises(RuntimeError, match="exit code 3"):
        run("exit 3", {})
    with pytest.raises(RuntimeError, match=r"needs --tree linux-6\.12=FOLDER"):
        run("echo linux-6.12", {})


def test_commands_of_the_page_exist():
    for command in commands(PAGE.read_text(encoding="utf-8")):
        script, *arguments = shlex.split(command.split(" 2>")[0].split(" |")[0])
        assert (ROOT / script).is_file(), command
        if script == "run.py":
            parser().parse_args(arguments)
