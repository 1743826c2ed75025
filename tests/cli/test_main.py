# SPDX-License-Identifier: GPL-2.0
"""The command line: lazy imports, and suggestions for typos."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from hotcocci.cli.main import COMMANDS, main

# Only imported where used: each costs a tenth of a second or more.
HEAVY = ("unicorn", "capstone", "elftools", "yaml", "hotcocci.proof")


@pytest.mark.parametrize(
    ("arguments", "suggested"),
    [
        (["lnt"], "lint"),
        (["lint", "--teir", "safe"], "--tier"),
        (["lint", "--format", "jsn"], "json"),
        (["check", "--diff", "x.patch"], "--diff-base"),
        (["lint", "--frobnicate"], None),
    ],
)
def test_a_typo_gets_a_suggestion(
    arguments: list[str], suggested: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    output = capsys.readouterr().err
    assert output.count("\n") == 1
    assert ("did you mean" in output) is (suggested is not None)
    assert suggested is None or f"(did you mean {suggested}?)" in output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    usage, _, text = capsys.readouterr().out.partition("\n\n")
    assert usage.startswith(f"usage: hotcocci {command}")
    # What is said of options is of those that the command has, or names another command.
    text = re.sub(r"-\n +", "-", text)
    text = re.sub(
        r"perf annotate\s+--stdio|--write-baseline of\s+'lint' or 'check'", "", text
    )
    named = set(re.findall(r"--[a-z][a-z-]+", text)) - {"--help"}
    assert named <= set(re.findall(r"--[a-z][a-z-]+", usage))


@pytest.mark.parametrize("arguments", [["--version"], ["rules"], ["lint", "--help"]])
def test_fast_commands_import_little(arguments: list[str]) -> None:
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
def test_completions_and_the_manual_list_every_command(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out.replace("\\-", "-")
    assert [command for command in COMMANDS if command not in out] == []
    assert "min-run" in out


def test_bash_completes_file_names_where_no_word_fits(
    capsys: pytest.CaptureFixture[str],
) -> None:
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
def test_a_fault_is_no_finding(
    error: Exception,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_: object) -> int:
        raise error

    monkeypatch.setattr("hotcocci.cli.rules.run", fail)
    assert main(["rules"]) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1
