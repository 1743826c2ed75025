# SPDX-License-Identifier: GPL-2.0
"""The configuration file: lookup, validation, and precedence of the command line."""

import os
from pathlib import Path

import pytest

from hotcocci.cli import config
from hotcocci.cli.main import main, parser
from hotcocci.errors import UserError


def words(folder: Path, text: str, *arguments: str) -> list[str]:
    file = folder / config.NAME
    file.write_text(text)
    command = parser(["lint"]).parse_args(["lint"]).command
    return config.words(file, config.applying(file, command, arguments), ())


def test_options_become_arguments(tmp_path):
    text = 'tier = "safe"\njobs = 3\nall = true\nprove = false\nrule = ["UA101", "LD301"]\n'
    found = "--tier=safe --jobs=3 --all --rule=UA101 --rule=LD301"
    assert words(tmp_path, text) == found.split()
    # Paths are relative to the file.
    found = words(tmp_path, 'baseline = "known.json"\n')
    assert found == [f"--baseline={tmp_path / 'known.json'}"]


def test_the_nearest_file_above_applies(tmp_path):
    below = tmp_path / "linux" / "fs"
    below.mkdir(parents=True)
    with pytest.raises(UserError, match="cannot read"):
        config.read(tmp_path / config.NAME)
    (tmp_path / config.NAME).write_text('tier = "safe"\n')
    assert config.find(below) == tmp_path / config.NAME
    (tmp_path / "linux" / config.NAME).write_text("")
    assert config.find(below / "open.c") == tmp_path / "linux" / config.NAME


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('teir = "safe"\n', "there is no option teir here"),
        ('scheduler = "tcp://elsewhere"\n', "there is no option scheduler here"),
        ("tier = \n", ": line 1: invalid value: see docs/configuration.md"),
        ('jobs = 3\ntier = "safe\n', ": line 2: unterminated string: see "),
        ('tier = "safe', ": end of document: unterminated string: see "),
        ('tier = "reckless"\n', "invalid choice: 'reckless'"),
        ("\ufeffjobs = 100000\n", "argument --jobs: 100000 is more than 512"),
        ('baseline = "a\\u0000"\n', "no file has a NUL byte in its name"),
        # Each part takes as long as all before it.
        (f"a{'.a' * 100_000} = 1", "it has more than 16 KB: mend it"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, text, message, capsys):
    file = tmp_path / "options.toml"
    file.write_text(text)
    assert main(["lint", str(tmp_path), "--config", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and message in error and str(file) in error


def test_doctor_prints_it(tmp_path, capsys, monkeypatch):
    (tmp_path / config.NAME).write_text('tier = "safe"\n')
    main(["doctor", str(tmp_path)])
    said = f"options from {tmp_path / config.NAME}:\n  tier = safe\n"
    assert capsys.readouterr().out.endswith(said)
    monkeypatch.chdir(tmp_path)
    main(["doctor"])
    assert capsys.readouterr().out.endswith(said)
    assert main(["doctor", "gone"]) == 2


@pytest.mark.parametrize("option", ["baseline", "profile"])
def test_a_file_names_regular_files_only(tmp_path, option):
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "huge").open("wb") as stream:
        stream.truncate(2 << 30)
    (tmp_path / "known").touch()
    for name in ("pipe", "huge", "/dev/zero", "."):
        with pytest.raises(UserError, match="is not a regular file of at most"):
            words(tmp_path, f'{option} = "{name}"\n')
    # Whoever reads the second says that it does not exist.
    for name in ("known", "gone", "~nobody-of-this-name"):
        found = words(tmp_path, f'{option} = "{name}"\n')
        assert found == [f"--{option}={tmp_path / name}"]
