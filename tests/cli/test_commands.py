# SPDX-License-Identifier: GPL-2.0
"""What the commands that process no code do, and what all have in common: options from a file, completions, faults."""

import fcntl
import os
import sys
import time

import pytest

from hotcocci.cache import FILE_NAME, Cache
from hotcocci.cli import config, doctor
from hotcocci.cli.main import COMMANDS, main, parser
from hotcocci.errors import UserError
from hotcocci.rules.rulebook import REASONS, RULES
from tests.shared import PROGRAM, ROOT, launch


def test_rules(said):
    code, out, _ = said("rules")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [r.code for r in RULES]
    assert said("rules", "ua102")[1].startswith("UA102: loop of user accesses\n")
    out = said("rules", "--reasons")[1]
    assert all(f"{code} " in out for code in REASONS)


def test_doctor(said, monkeypatch):
    code, out, _ = said("doctor")
    assert code == 0 and "spatch" in out
    monkeypatch.setenv("PATH", "/nowhere")
    code, out, _ = said("doctor")
    assert code == 2
    assert "apt-get install coccinelle" in out and "without it: " in out
    assert "\n".join(doctor.from_the_tree()) in out


@pytest.mark.parametrize("compiler, status", [(None, 2), ("gcc", 0), ("clang", 0)])
def test_doctor_needs_a_compiler(tmp_path, compiler, status):
    for name in filter(None, ("spatch", compiler)):
        (tmp_path / name).symlink_to("/bin/true")
    ran = launch([*PROGRAM, "doctor"], env={"PATH": str(tmp_path)})
    assert ran.returncode == status


def test_what_each_command_runs_from_the_tree():
    rows = ["| command | runs from the tree | writes |", "|---|---|---|"]
    for names, *others in doctor.TABLE:
        # Words after the options of a command stay text.
        words = (name.partition(" with ") for name in names.split(", "))
        said = ", ".join(f"`{word}`{link}{rest}" for word, link, rest in words)
        rows.append(f"| {said} | {' | '.join(others)} |")
    assert "\n".join(rows) + "\n" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert {
        name.split()[0] for names, *_ in doctor.TABLE for name in names.split(", ")
    } == {*COMMANDS}
    said = " ".join(" ".join(doctor.from_the_tree()).split())
    assert "patch, prove, loads, check with any other engine: its Makefiles" in said
    assert "lsp, rules, doctor, cache" in said and "checkers build: nothing" in said


def test_doctor_says_what_cannot_be_used(said, monkeypatch, program):
    for name, version in (("spatch", "1.0.4"), ("smatch", "0.6.4")):
        program(name, f"echo version {version}")
    monkeypatch.delenv("SMATCH", raising=False)
    code, out, _ = said("doctor")
    lines = {line.split(" ")[0]: line for line in out.splitlines()}
    spatch, smatch = lines["spatch"], lines["smatch"]
    assert code == 0
    assert "1.0.4" in spatch and spatch.endswith("(tested with 1.1.1)")
    assert "unusable" in smatch and "lacks the user access checkers" in smatch


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
    assert launch([sys.executable, "-c", program]).stderr == "[]\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh", "man"])
def test_completions_and_the_manual_list_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out.replace("\\-", "-")
    assert [command for command in COMMANDS if command not in out] == []
    assert "min-run" in out


def test_bash_completes_file_names_where_no_word_fits(capsys):
    main(["completion", "bash"])
    done = launch(["bash"], input=capsys.readouterr().out + "complete -p hotcocci\n")
    assert done.stdout == "complete -o default -F _shtab_hotcocci hotcocci\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "out of memory: try again"),
        (RuntimeError("a\nb"), r"report this: RuntimeError: a\nb (" + __file__),
    ],
)
def test_a_fault_is_no_finding(error, said, monkeypatch, capsys):
    def fail(_):
        raise error

    monkeypatch.setattr("hotcocci.cli.rules.run", fail)
    assert main(["rules"]) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1


@pytest.fixture
def folder(tmp_path):
    with Cache(tmp_path) as cache:
        cache.remember({"key": "answer"})
    for name in ("x86-64-old", "x86-64-new"):
        (tmp_path / "builds" / name / "out").mkdir(parents=True)
        (tmp_path / "builds" / name / "out" / "vmlinux.o").write_bytes(b"x" * 100_000)
        (tmp_path / "builds" / f"{name}.lock").touch()
    past = time.time() - 40 * 86400
    os.utime(tmp_path / "builds" / "x86-64-old.lock", (past, past))
    return tmp_path


def names(folder):
    return sorted(path.name for path in folder.glob("builds/*/"))


def test_prune_and_clear_keep_what_is_used(folder, capsys):
    assert main(["cache", "prune", "--cache-dir", str(folder)]) == 0
    assert names(folder) == ["x86-64-new"]
    assert (folder / FILE_NAME).exists()
    with (folder / "builds" / "x86-64-new.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["cache", "clear", "--cache-dir", str(folder)]) == 0
    assert names(folder) == ["x86-64-new"]
    assert not (folder / FILE_NAME).exists()
    assert "in use by another run: build x86-64-new" in capsys.readouterr().out


def words(folder, text, *arguments):
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
