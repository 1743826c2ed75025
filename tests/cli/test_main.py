# SPDX-License-Identifier: GPL-2.0
"""The command line: lazy imports, completions, and faults of our own."""

import subprocess
import sys

import pytest

from hotcocci.cli.main import COMMANDS, main

# Only imported where used: each costs a tenth of a second or more.
HEAVY = ("unicorn", "capstone", "elftools", "yaml", "hotcocci.proof")


@pytest.mark.parametrize("arguments", [["--version"], ["rules"], ["lint", "--help"]])
def test_fast_commands_import_little(arguments):
    program = (
        "import sys; from hotcocci.cli.main import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit: pass\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert output.stderr == "[]\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh", "man"])
def test_completions_and_the_manual_list_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out.replace("\\-", "-")
    assert [command for command in COMMANDS if command not in out] == []
    assert "min-run" in out


def test_bash_completes_file_names_where_no_word_fits(capsys):
    main(["completion", "bash"])
    script = capsys.readouterr().out + "complete -p hotcocci\n"
    done = subprocess.run(
        ["bash"], input=script, capture_output=True, text=True, check=True
    )
    assert done.stdout == "complete -o default -F _shtab_hotcocci hotcocci\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "out of memory: try again"),
        (RuntimeError("a\nb"), r"report this: RuntimeError: a\nb (" + __file__),
    ],
)
def test_a_fault_is_no_finding(error, said, monkeypatch, capsys):
    def fail(_: object) -> int:
        raise error

    monkeypatch.setattr("hotcocci.cli.rules.run", fail)
    assert main(["rules"]) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1
