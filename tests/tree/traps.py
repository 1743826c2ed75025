# SPDX-License-Identifier: GPL-2.0
"""A tree that says so wherever a file of it is run or imported, or git obeys its configuration."""

import os
import subprocess
from pathlib import Path

# Each trap appends its name to the file SPRUNG beside the repository.
CONFIG = Path(__file__).with_suffix(".config").read_text(encoding="ascii")
# What Python, pytest, a shell or make would take from the folder that they run in.
MODULES = (
    "hotcocci argparse json signal sqlite3 tomllib typing coccilib "
    "sitecustomize usercustomize conftest setup"
).split()
PROGRAMS = "spatch git clang gcc make setpriv python3 sh scripts/checkpatch.pl".split()
MAKEFILES = ("Makefile", "drivers/Makefile", "scripts/Makefile.build", "Kbuild")
SCRIPTS = (
    "askpass diff-external diff-command textconv process gpg remote uploadpack "
    "post-index-change reference-transaction fsmonitor-watchman"
).split()


def git(where, *arguments):
    """Run git in a repository that has no traps yet, without user or system settings."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    allow = ("-c", "protocol.file.allow=always")
    return subprocess.run(
        ["git", *who, *allow, *arguments],
        cwd=where,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def commit(where):
    """Commit all files; a folder that is in no repository becomes one."""
    if not any((folder / ".git").exists() for folder in (where, *where.parents)):
        git(where, "init", "-q")
    git(where, "add", ".")
    git(where, "commit", "-q", "--no-verify", "-m", "Old")


def sprung(root):
    """The traps that were sprung."""
    file = root.parent / "SPRUNG"
    return file.read_text().split() if file.exists() else []


def arm(root):
    """Arm a repository whose files are committed; the traps have names of their own."""
    hooks = root.parent / "hooks"
    hooks.mkdir()
    log = root.parent / "SPRUNG"
    for name in SCRIPTS:
        _script(hooks / name, f"echo {name} >> {log}")
    _script(hooks / "trap", f"echo $1 >> {log}")
    include = root.parent / "included"
    include.write_text(f'[core]\n\tfsmonitor = "{hooks}/trap included"\n')
    places = {"trap": f"{hooks}/trap", "hooks": hooks, "include": include}
    with (root / ".git/config").open("a") as config:
        config.write(CONFIG.format(**places))
    for name in ("post-index-change", "reference-transaction"):
        _script(root / ".git/hooks" / name, f"echo {name} >> {log}")
    (root / ".git/info/attributes").write_text("*.c filter=evil diff=evil\n")


def lay(root):
    """Lay traps into a tree, and a pipe that nobody writes to."""
    log = root.parent / "SPRUNG"
    for name in MODULES:
        module = f"open({str(log)!r}, 'a').write('{name}.py ')\n"
        (root / f"{name}.py").write_text(module)
    (root / "x.pth").write_text(f"import os; open({str(log)!r}, 'a').write('x.pth ')\n")
    for name in PROGRAMS:
        _script(root / name, f"echo {name} >> {log}")
    for name in MAKEFILES:
        (root / name).parent.mkdir(exist_ok=True)
        with (root / name).open("a") as makefile:
            makefile.write(f"ignored := $(shell echo {name} >> {log})\n")
    with (root / "Kconfig").open("a") as kconfig:
        kconfig.write(f"ignored := $(shell,echo Kconfig >> {log})\n")
    (root / ".hotcocci.toml").write_text("jobs = 1\n")
    os.mkfifo(root / "x.c")


def _script(path, line):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{line}\nexit 1\n")
    path.chmod(0o755)
