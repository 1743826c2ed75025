#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Run hotcocci from a checkout; with ``--setup``, install what is missing first.

Needs only the standard library. ``run.py COMMAND…`` never installs anything;
``run.py --setup COMMAND…`` installs Debian packages and creates .venv in the checkout.
``run.py test [--fast|--all] [ARGUMENT…]`` runs the style checks and pytest.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
STAMP = VENV / "hotcocci-setup"
OLDEST_PYTHON = (3, 11)
# Seconds of silence where there is no terminal
PATIENCE = 10.0

# The extras of setup.cfg that commands and options need; all others need none.
EXTRAS = {
    "prove": "prove",
    "bench": "prove",
    "series": "prove",
    "--prove": "prove",
    "--scheduler": "cluster",
    "lsp": "lsp",
    "completion": "shell",
    "test": "test",
}
# The Debian packages that all commands need, including what builds a kernel.
PACKAGES = (
    "bc bison coccinelle cpio flex gcc git kmod libc6-dev libelf-dev libssl-dev make perl python3-venv rsync sparse xz-utils "
    # The clang-tidy plugin, and the kernels configured for clang.
    "clang-19 clang-tidy-19 g++ libclang-19-dev llvm-19-dev"
).split()
TESTS = (
    "chromium chromium-driver gcc-aarch64-linux-gnu gcc-powerpc-linux-gnu gcc-powerpc64le-linux-gnu linux-source-6.12"
).split()
MORE_PACKAGES = {
    "bench": ["qemu-system-x86"],
    # Patches whose words depend on the width of integers
    "prove": ["gcc-powerpc-linux-gnu"],
    "test": TESTS,
}

# Cheapest first, since the first failure ends the run.
CHECKS = (
    ("ruff", "format", "--check"),
    ("ruff", "check"),
    ("mypy",),
    ("pytest", "-n", "2", "--dist", "loadgroup"),
)
# tests/conftest.py derives most markers from the fixtures that a test uses.
USUAL = ("-m", "not (slow or browser)")
SELECTIONS = {
    "--fast": ("-m", "not (slow or tree or build or browser or whole)"),
    "--all": (),
}


class SetupError(Exception):
    """An error message of one line that says what to do."""


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return the exit code."""
    try:
        if sys.version_info < OLDEST_PYTHON:
            raise SetupError(
                f"Python {sys.version_info[0]}.{sys.version_info[1]} is too old: use 3.11 or newer"
            )
        if arguments[:1] == ["--setup"]:
            arguments = arguments[1:]
            set_up(arguments)
            if not arguments:
                return 0
        enter_venv(arguments)
        if arguments[:1] == ["test"]:
            return run_tests(arguments[1:])
        return run_command(arguments)
    except SetupError as error:
        print(f"hotcocci: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("hotcocci: interrupted", file=sys.stderr)
        return 130


def enter_venv(arguments: Sequence[str]) -> None:
    """Restart in the virtual environment if there is one and this is not it."""
    if VENV_PYTHON.exists() and Path(sys.prefix) != VENV:
        os.execv(VENV_PYTHON, [str(VENV_PYTHON), str(ROOT / "run.py"), *arguments])


def run_command(arguments: Sequence[str]) -> int:
    """Run hotcocci in this interpreter and return its exit code."""
    # What --setup has installed for this very setup.cfg is complete.
    missing = [] if is_set_up() else missing_libraries()
    if missing:
        again = shlex.join(["python3", sys.argv[0], "--setup", *arguments])
        raise SetupError(
            f"missing Python libraries ({', '.join(missing)}): install them with '{again}'"
        )
    sys.path.insert(0, str(ROOT))
    from hotcocci.cli.main import main as hotcocci

    return hotcocci(list(arguments))


def missing_libraries() -> list[str]:
    """Names of the libraries required by setup.cfg that are not installed."""
    # Slow to import, and rarely needed.
    import configparser

    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg", encoding="utf-8")
    installed = {
        plain_name(path.name.partition("-")[0])
        for folder in map(Path, sys.path)
        for path in folder.glob("*.*-info")
    }
    lines = settings["options"]["install_requires"].split("\n")
    names = [re.match(r"[\w.-]*", line.strip()) for line in lines]
    return [n[0] for n in names if n and n[0] and plain_name(n[0]) not in installed]


def plain_name(name: str) -> str:
    """The name of a library in the form that does not depend on its spelling."""
    return re.sub(r"[-_.]+", "-", name).lower()


def run_tests(arguments: Sequence[str]) -> int:
    """Run the checks up to the first that fails and return its exit code.

    ``--fast`` or ``--all``, if it comes first, selects tests; the other arguments go to pytest.
    """
    if arguments and arguments[0] in SELECTIONS:
        arguments = [*SELECTIONS[arguments[0]], *arguments[1:]]
    else:
        arguments = [*USUAL, *arguments]
    for check in CHECKS:
        if importlib.util.find_spec(check[0]) is None:
            raise SetupError(
                f"{check[0]} is missing: install it with 'python3 run.py --setup test'"
            )
        command = [
            sys.executable,
            "-m",
            *check,
            *(arguments if check[0] == "pytest" else []),
        ]
        print("+", shlex.join(command[2:]), flush=True)
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if code:
            return code
    return 0


def set_up(arguments: Sequence[str]) -> None:
    """Install the packages and libraries that a command line needs, and the clang-tidy plugin."""
    packages, extras = needed(arguments)
    install_packages(missing_packages(packages))
    make_venv(extras)
    # Slow to import. With PYTHONDONTWRITEBYTECODE, each start would compile our modules.
    import compileall

    compileall.compile_dir(ROOT / "hotcocci", quiet=2)
    build_plugin()


def needed(arguments: Sequence[str]) -> tuple[list[str], set[str]]:
    """The Debian packages and the extras of setup.cfg that a command line needs."""
    # The command and the options, but no paths: a directory may be called "test".
    words = [*arguments[:1], *(a.partition("=")[0] for a in arguments if a[:2] == "--")]
    more = [package for word in words for package in MORE_PACKAGES.get(word, ())]
    return [*PACKAGES, *more], {EXTRAS[word] for word in words if word in EXTRAS}


def missing_packages(wanted: Sequence[str]) -> list[str]:
    """Those of the Debian packages that are not installed."""
    if shutil.which("dpkg-query") is None or shutil.which("apt-get") is None:
        raise SetupError(
            f"--setup supports only Debian: install the equivalents of {' '.join(wanted)}, "
            "run 'pip install -e .' with the extras you need from setup.cfg, and omit --setup"
        )
    answer = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Package} ${Status}\n", *wanted],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    installed = {
        line.split()[0]
        for line in answer.splitlines()
        if line.endswith(" ok installed")
    }
    return [package for package in wanted if package not in installed]


def install_packages(packages: Sequence[str]) -> None:
    """Install Debian packages; without root, raise SetupError with the command that does."""
    if not packages:
        return
    if os.geteuid() != 0:
        raise SetupError(
            f"missing Debian packages: run 'sudo apt-get install {' '.join(packages)}', then this command again"
        )
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    print(f"hotcocci: installing {' '.join(packages)}", file=sys.stderr, flush=True)
    # Package lists may be empty or stale. Update them only after a failure, since that is slow.
    if watched(install, environment)[0] == 0:
        return
    code, output = watched(["apt-get", "update", "-q"], environment)
    if code == 0:
        code, output = watched(install, environment)
    if code:
        raise SetupError(
            f"cannot install Debian packages ({complaint(output)}): try '{shlex.join(install)}'"
        )


def make_venv(extras: Set[str]) -> None:
    """Create the virtual environment with these extras, or add them to it.

    If setup.cfg has changed, recreate it with the extras it had, too.
    """
    try:
        with (ROOT / ".venv.lock").open("w") as lock:
            # Two concurrent runs would overwrite each other's environment.
            fcntl.flock(lock, fcntl.LOCK_EX)
            had = set(stamp()[1:])
            if is_set_up() and extras <= had:
                return
            print(
                "hotcocci: setting up the Python environment",
                file=sys.stderr,
                flush=True,
            )
            wanted = sorted(extras | had)
            venv = [sys.executable, "-m", "venv", "--clear", str(VENV)]
            code, output = (0, "") if is_set_up() else watched(venv, os.environ)
            if code == 0:
                code, output = watched(pip_install(wanted), os.environ)
            if code:
                shutil.rmtree(VENV, ignore_errors=True)
                raise SetupError(
                    f"cannot set up the Python environment ({complaint(output)}): fix this and try again"
                )
            STAMP.write_text("\n".join([fingerprint(), *wanted]), encoding="ascii")
    except OSError as error:
        raise SetupError(
            f"cannot set up the Python environment in {VENV}: {error.strerror}: make it writable"
        ) from error


def pip_install(extras: Sequence[str]) -> list[str]:
    """The command that installs the package with these extras."""
    package = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    pip = [str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check"]
    return [*pip, "install", "-e", package]


def stamp() -> list[str]:
    """What ``--setup`` has recorded: the fingerprint, and the extras it installed."""
    return STAMP.read_text(encoding="ascii").split() if STAMP.exists() else []


def is_set_up() -> bool:
    """Whether the virtual environment was made by ``--setup`` from setup.cfg as it is."""
    return STAMP.exists() and stamp()[0] == fingerprint()


def build_plugin() -> None:
    """Build the clang-tidy plugin unless it is up to date."""
    command = [str(VENV_PYTHON), str(ROOT / "run.py"), "checkers", "build"]
    code, output = watched(command, os.environ)
    if code:
        raise SetupError(complaint(output).removeprefix("hotcocci: "))


def fingerprint() -> str:
    """A hash of everything the virtual environment depends on."""
    digest = hashlib.sha256(f"{ROOT}\n{sys.version}\n".encode())
    for name in ("setup.cfg", "setup.py", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def watched(command: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command and return its exit code and output, with stderr.

    The last line of its output is shown: as it comes on a terminal, else every ten seconds.
    """
    terminal = sys.stderr.isatty()
    width = shutil.get_terminal_size().columns - 1
    output: list[str] = []
    shown = time.monotonic()
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=dict(environment),
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            output.append(line)
            said = f"hotcocci: {line.strip()}"
            if line.strip() and terminal:
                print(f"\r\x1b[K{said[:width]}", end="", file=sys.stderr, flush=True)
            elif line.strip() and time.monotonic() - shown >= PATIENCE:
                shown = time.monotonic()
                print(said, file=sys.stderr, flush=True)
    if terminal and output:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return process.returncode, "".join(output)


def complaint(output: str) -> str:
    """The line that says why a command failed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [
        line for line in lines if line.startswith(("E:", "ERROR", "error", "Error"))
    ]
    return (errors or lines[-1:] or ["no output"])[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
