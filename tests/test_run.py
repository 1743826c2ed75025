# SPDX-License-Identifier: GPL-2.0
"""run.py: setup and its errors."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def run() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fake(folder: Path, name: str, body: str) -> None:
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with only git and make; logs the calls of apt-get."""
    folder = tmp_path / "bin"
    fake(
        folder,
        "dpkg-query",
        "echo 'git install ok installed'; echo 'make install ok installed';"
        "echo 'gcc deinstall ok config-files'; exit 1",
    )
    fake(folder, "apt-get", f'echo "$@" >> {tmp_path}/asked')
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return tmp_path


def test_missing_packages(run: ModuleType, debian: Path) -> None:
    assert run.missing_packages(["git", "gcc", "make", "sparse"]) == ["gcc", "sparse"]


def test_packages_are_installed(run: ModuleType, debian: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root installs packages")
    run.install_packages(["gcc", "sparse"])
    (line,) = (debian / "asked").read_text().splitlines()
    assert line.startswith("install ") and line.endswith(" gcc sparse")


def test_lists_are_updated_when_a_package_is_unknown(
    run: ModuleType, debian: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    fake(
        debian / "bin",
        "apt-get",
        f'echo "$1" >> {debian}/asked; [ "$1" = update ] || grep -q update {debian}/asked',
    )
    run.install_packages(["gcc"])
    assert (debian / "asked").read_text().split() == ["install", "update", "install"]


def test_a_failed_installation_quotes_apt(
    run: ModuleType, debian: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    fake(debian / "bin", "apt-get", "echo Reading; echo 'E: no network'; exit 100")
    with pytest.raises(run.SetupError, match="E: no network") as error:
        run.install_packages(["gcc"])
    assert "\n" not in str(error.value)


def test_without_root_the_command_is_only_printed(
    run: ModuleType,
    debian: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(run, "make_venv", lambda: pytest.fail("half a set-up"))
    assert run.main(["--setup", "lint"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("hotcocci: ") and err.count("\n") == 1
    assert "sudo apt-get install" in err and "coccinelle" in err
    assert " git " not in err and "linux-source" not in err
    assert not (debian / "asked").exists()
    assert run.main(["--setup", "test"]) == 2
    assert "linux-source-6.12" in capsys.readouterr().err


def test_other_distributions(
    run: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run.main(["--setup", "lint"]) == 2
    err = capsys.readouterr().err
    assert "Debian" in err and err.count("\n") == 1


def test_without_libraries_setup_is_suggested(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("run.py", "setup.cfg"):
        (checkout / name).write_text((ROOT / name).read_text())
    # -S: without the libraries installed on this machine.
    started = subprocess.run(
        [sys.executable, "-S", str(checkout / "run.py"), "lint", "a b"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert started.returncode == 2
    assert started.stderr.startswith("hotcocci: ") and started.stderr.count("\n") == 1
    assert "--setup lint 'a b'" in started.stderr


def test_a_library_that_came_later_is_named(tmp_path: Path) -> None:
    """An environment set up before setup.cfg required a new library."""
    (tmp_path / "run.py").write_text((ROOT / "run.py").read_text())
    settings = (ROOT / "setup.cfg").read_text()
    later = settings.replace("    jinja2 ", "    no.such-library >=1\n    jinja2 ")
    assert later != settings
    (tmp_path / "setup.cfg").write_text(later)
    started = subprocess.run(
        [sys.executable, str(tmp_path / "run.py"), "lint", "--format", "html"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (started.returncode, started.stdout) == (2, "")
    assert started.stderr == (
        "hotcocci: missing Python libraries (no.such-library): install them "
        f"with 'python3 {tmp_path}/run.py --setup lint --format html'\n"
    )


def test_fingerprint_follows_the_settings(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "ROOT", tmp_path)
    for name in ("setup.cfg", "pyproject.toml"):
        (tmp_path / name).write_text("")
    before = run.fingerprint()
    assert run.fingerprint() == before
    (tmp_path / "setup.cfg").write_text("[options]")
    assert run.fingerprint() != before


def test_tests_stop_at_the_first_failure(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    class Done:
        def __init__(self, code: int) -> None:
            self.returncode = code

    def start(command: list[str], **_: object) -> Done:
        started.append(command[2:])
        return Done(3 if "mypy" in command else 0)

    monkeypatch.setattr(run.subprocess, "run", start)
    assert run.run_tests(["-k", "x"]) == 3
    assert started == [["ruff", "format", "--check"], ["ruff", "check"], ["mypy"]]
    monkeypatch.setattr(run, "CHECKS", (("pytest", "-n", "2"),))
    started.clear()
    assert run.run_tests(["-k", "x"]) == 0
    assert started == [["pytest", "-n", "2", "-k", "x"]]
    started.clear()
    assert run.run_tests(["--fast", "-k", "x"]) == 0
    assert started == [["pytest", "-n", "2", *run.FAST, "-k", "x"]]


def test_fast_tests_use_no_tree_no_build_and_no_browser(run: ModuleType) -> None:
    """Fixtures in pytest's setup plan for tests of each kind."""
    plan = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--setup-plan"]
    plan += ["tests/tree/test_kernel.py", "tests/output/test_html.py"]
    plan += ["tests/cases/test_simulation.py"]

    def fixtures(*options: str) -> set[str]:
        planned = subprocess.run(
            [*plan, *options], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return set(re.findall(r"^ *SETUP +\w (\w+)", planned.stdout, re.MULTILINE))

    costly = {"linux_tree", "harness", "browser"}
    assert costly <= fixtures()
    assert fixtures(*run.FAST) & costly == set()
