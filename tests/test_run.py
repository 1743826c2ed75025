# SPDX-License-Identifier: GPL-2.0
"""run.py: setup and its errors."""

import importlib.util
import io
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from tests.shared import ROOT, launch

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root installs packages")


def load(folder):
    """The module run.py in a folder."""
    spec = importlib.util.spec_from_file_location("run", folder / "run.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run():
    return load(ROOT)


@pytest.fixture
def checkout(tmp_path):
    """A checkout without a virtual environment."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ("run.py", "setup.cfg", "setup.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def fake_module(folder, name, body):
    """A module that 'python -m' runs if the folder is in PYTHONPATH; it logs its arguments."""
    module = folder / name / "__main__.py"
    module.parent.mkdir(parents=True)
    # Without it, the real one comes first.
    module.with_name("__init__.py").touch()
    log = f"open({str(folder / 'log')!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')"
    module.write_text(f"import os, sys\n{log}\n{body}\n")


@pytest.fixture
def debian(program, tmp_path, monkeypatch):
    """A machine with only git and make; logs the calls of apt-get."""
    program(
        "dpkg-query",
        "echo 'git install ok installed'; echo 'make install ok installed';"
        "echo 'gcc deinstall ok config-files'; exit 1",
    )
    apt = program("apt-get", f'echo "$@" >> {tmp_path}/asked')
    monkeypatch.setenv("PATH", f"{apt.parent}:/usr/bin:/bin")
    return tmp_path


@as_root
def test_lists_are_updated_when_a_package_is_unknown(run, debian, program):
    unknown = f'[ "$1" = update ] || grep -q update {debian}/asked'
    program("apt-get", f'echo "$1" >> {debian}/asked; {unknown}')
    run.install_packages(["gcc"])
    assert (debian / "asked").read_text().split() == ["install", "update", "install"]


@as_root
def test_a_failed_installation_quotes_apt(run, debian, program):
    program("apt-get", "echo Reading; echo 'E: no network'; exit 100")
    with pytest.raises(run.SetupError, match="E: no network") as error:
        run.install_packages(["gcc"])
    assert "\n" not in str(error.value)


class Terminal(io.StringIO):
    """A terminal that keeps what is written to it."""

    def isatty(self):
        return True


def test_a_terminal_shows_what_is_being_installed(run, program, monkeypatch):
    lines = "Get:1 coccinelle [9,000 kB]\nUnpacking coccinelle\n"
    apt = program("apt", f"printf '{lines}'; exit 3")
    monkeypatch.setattr("sys.stderr", Terminal())
    assert run.watched([str(apt)], os.environ) == (3, lines)
    shown = [line.removeprefix("\x1b[K") for line in sys.stderr.getvalue().split("\r")]
    assert shown == ["", *(f"hotcocci: {line}" for line in lines.splitlines()), ""]


@pytest.mark.parametrize("seconds", [0.0, 10.0])
def test_a_log_shows_now_and_then_what_is_being_installed(
    run, seconds, monkeypatch, capfd
):
    monkeypatch.setattr(run, "PATIENCE", seconds)
    run.watched(["echo", "Collecting rich"], os.environ)
    said = "hotcocci: Collecting rich\n" if seconds == 0 else ""
    assert capfd.readouterr() == ("", said)


def test_without_root_the_command_is_only_printed(debian, checkout):
    other = [] if os.geteuid() else ["setpriv", "--reuid=65534", "--clear-groups"]

    def set_up(command):
        # Others cannot enter tmp_path.
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            bin = shutil.copytree(debian / "bin", f"{folder}/bin")
            shutil.copytree(checkout, f"{folder}/checkout")
            python = getattr(sys, "_base_executable", sys.executable)
            started = launch(
                [*other, python, f"{folder}/checkout/run.py", "--setup", command],
                env={**os.environ, "PATH": f"{bin}:/usr/bin:/bin"},
            )
            assert started.returncode == 2
            assert not (Path(folder) / "checkout/.venv.lock").exists()
        return started.stderr

    err = set_up("lint")
    assert err.startswith("hotcocci: ") and err.count("\n") == 1
    assert "sudo apt-get install" in err and "coccinelle" in err
    assert " git " not in err and "linux-source" not in err
    assert not (debian / "asked").exists()
    assert "linux-source-6.12" in set_up("test")


def test_our_modules_are_compiled(run, tmp_path, monkeypatch):
    for name in ("missing_packages", "install_packages", "make_venv", "build_plugin"):
        monkeypatch.setattr(run, name, lambda *_: None)
    monkeypatch.setattr(run, "ROOT", tmp_path)
    (tmp_path / "hotcocci").mkdir()
    (tmp_path / "hotcocci/a.py").write_text("A = 1\n")
    run.set_up(["lint"])
    assert [file.name.split(".")[0] for file in tmp_path.rglob("*.pyc")] == ["a"]


def test_other_distributions(run, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run.main(["--setup", "lint"]) == 2
    err = capsys.readouterr().err
    assert "Debian" in err and err.count("\n") == 1


def test_a_library_that_came_later_is_named(tmp_path):
    """An environment set up before setup.cfg required a new library."""
    (tmp_path / "run.py").write_text((ROOT / "run.py").read_text())
    settings = (ROOT / "setup.cfg").read_text()
    later = settings.replace("    jinja2 ", "    no.such-library >=1\n    jinja2 ")
    assert later != settings
    (tmp_path / "setup.cfg").write_text(later)
    started = launch(
        [sys.executable, str(tmp_path / "run.py"), "lint", "--format", "html"]
    )
    assert (started.returncode, started.stdout) == (2, "")
    assert started.stderr == (
        "hotcocci: missing Python libraries (no.such-library): install them "
        f"with 'python3 {tmp_path}/run.py --setup lint --format html'\n"
    )


@pytest.mark.parametrize(
    ("line", "extras", "package"),
    [
        ("patch sound", set(), "clang-19"),
        ("patch --prove test", {"prove"}, "clang-19"),
        ("prove --scheduler=tcp://a:1 .", {"prove", "cluster"}, "sparse"),
        ("series --tree linux", {"prove"}, "git"),
        ("lsp", {"lsp"}, "coccinelle"),
        ("test --fast", {"test"}, "chromium"),
    ],
)
def test_a_command_gets_what_it_needs(run, line, extras, package):
    packages, libraries = run.needed(line.split())
    assert package in packages and libraries == extras
    assert ("chromium" in packages) == ("test" in extras)


VENV = """
python = f"{sys.argv[-1]}/bin/python"
os.makedirs(os.path.dirname(python), exist_ok=True)
open(python, "w").write(f'#!/bin/sh\\nexec {sys.executable} "$@"\\n')
os.chmod(python, 0o755)
"""


def test_extras_are_added_to_an_environment(checkout, tmp_path, monkeypatch):
    modules = tmp_path / "modules"
    fake_module(modules, "venv", VENV)
    fake_module(modules, "pip", "")
    monkeypatch.setenv("PYTHONPATH", str(modules))
    run = load(checkout)

    def started(extras):
        """The last argument of each program that makes the environment."""
        (modules / "log").write_text("")
        run.make_venv(extras)
        lines = (modules / "log").read_text().splitlines()
        return [line.split()[-1].removeprefix(str(checkout)) for line in lines]

    assert started(set()) == ["/.venv", ""]
    assert started({"prove"}) == ["[prove]"]
    assert started(set()) == []
    assert started({"lsp"}) == ["[lsp,prove]"]
    (checkout / "setup.cfg").write_text("[options]")
    assert started(set()) == ["/.venv", "[lsp,prove]"]


def test_tests_stop_at_the_first_failure(run, tmp_path, monkeypatch):
    for name in ("ruff", "mypy", "pytest"):
        fake_module(tmp_path, name, f"sys.exit(3 * ({name!r} == os.environ['FAILS']))")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def ran(*arguments, fails=""):
        (tmp_path / "log").write_text("")
        monkeypatch.setenv("FAILS", fails)
        code = run.run_tests(list(arguments))
        return code, (tmp_path / "log").read_text().splitlines()

    style = ["format --check", "check", ""]
    pytest_options = " ".join(run.CHECKS[-1][1:])
    assert ran("-k", "x", fails="mypy") == (3, style)
    usual, fast = (" ".join(each) for each in (run.USUAL, run.SELECTIONS["--fast"]))
    assert ran("-k", "x") == (0, [*style, f"{pytest_options} {usual} -k x"])
    assert ran("--fast", "-k", "x") == (0, [*style, f"{pytest_options} {fast} -k x"])
    assert ran("--all", "-k", "x") == (0, [*style, f"{pytest_options} -k x"])


@pytest.mark.whole
def test_fast_tests_use_no_tree_no_build_and_no_browser(run):
    """Fixtures in pytest's setup plan for tests of each kind."""
    plan = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--setup-plan"]
    plan += ["tests/tree/test_kernel.py", "tests/output/test_html.py"]
    plan += ["tests/cases/test_texts.py"]

    def fixtures(*options):
        planned = launch([*plan, *options], cwd=ROOT)
        return set(re.findall(r"^ *SETUP +\w (\w+)", planned.stdout, re.MULTILINE))

    costly = {"linux_tree", "harness", "browser"}
    assert fixtures(*run.USUAL) & costly == {"linux_tree", "harness"}
    assert fixtures(*run.SELECTIONS["--fast"]) & costly == set()
