# SPDX-License-Identifier: GPL-2.0
"""What others take: the installed package, whose layers import those below, the pre-commit hook and the CI templates."""

import configparser
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from hotcocci.layout import DATA, IMPORTS, PROGRAM, setup_hint
from tests.shared import NEEDS_SPATCH, ROOT, launch
from tests.tree.traps import commit, git

MAIN = "import sys; from hotcocci.cli.main import main; sys.exit(main())"


def _run(site, *arguments):
    return launch(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site)},
    )


def test_a_checkout():
    assert (DATA, IMPORTS, PROGRAM) == (ROOT, ROOT, "run.py")
    assert setup_hint("shell", "completion") == (
        "install it with 'python3 run.py --setup completion'"
    )


def test_one_complete_top_level_package(installed):
    assert [path.name for path in installed.iterdir()] == ["hotcocci"]
    # Compiler output.
    generated = {"__pycache__", "build"}
    listed = [
        path
        for folder in ("cocci", "checkers", "docs/rules", "hotcocci")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not generated & set(path.parts)
    ]
    assert len(listed) > 300
    missing = []
    for path in listed:
        name = path.relative_to(ROOT)
        inside = name if name.parts[0] == "hotcocci" else Path("hotcocci") / name
        if not (installed / inside).is_file():
            missing.append(name)
    assert missing == []


@pytest.mark.whole
def test_an_installed_hotcocci_lints(installed, tmp_path):
    shutil.copytree(ROOT / "kernel-fixtures/classic", tmp_path / "tree", symlinks=True)
    cache = f"--cache-dir={tmp_path / 'cache'}"
    found = _run(installed, "lint", "--churn", cache, str(tmp_path / "tree"))
    # A busy machine shows progress before.
    assert (found.returncode, found.stderr.splitlines()[-1]) == (1, "3 findings")
    assert "lamp.c:34: UA101" in found.stdout
    (tmp_path / "tree/scripts/coccinelle").mkdir(parents=True)
    scripts = _run(installed, "install", "--tree", str(tmp_path / "tree"))
    assert (scripts.returncode, scripts.stderr) == (0, "")


def test_extras_do_not_repeat_what_is_always_installed():
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg", encoding="utf-8")

    def names(lines):
        return re.findall(r"^([\w.-]+) [<>=]", lines, re.MULTILINE)

    extras = settings["options.extras_require"].values()
    libraries = names(settings["options"]["install_requires"])
    libraries += [name for lines in extras for name in names(lines)]
    assert "jinja2" in libraries and "pytest" in libraries
    assert len(libraries) == len(set(libraries))


SETUP = Path(__file__).resolve().parents[1] / "setup.cfg"


def test_floors(capsys):
    code = lint_imports(config_filename=str(SETUP), no_cache=True)
    assert code == EXIT_STATUS_SUCCESS, capsys.readouterr().out


HOOKS = ROOT / ".pre-commit-hooks.yaml"
CI = ROOT / "docs/ci"
TEMPLATES = {
    "vendor.github-workflows": CI / "github-actions.yml",
    "vendor.gitlab-ci": CI / "gitlab-ci.yml",
}
FILE = "lib/two.c"
TEXTS = Path(__file__).with_name("hooks")
FUNCTION = (TEXTS / "two.c").read_text(encoding="utf-8")
OLD = "#include <linux/uaccess.h>\n\n" + FUNCTION.format(name="one")
# What assembly calls for each system call, so that both are hot
ENTRY = (TEXTS / "entry.c").read_text(encoding="utf-8")
SECOND = 18


def commands():
    """Collect all hotcocci command lines in the hooks, the templates and their page."""
    texts = [
        path.read_text() for path in (HOOKS, *TEMPLATES.values(), CI / "README.md")
    ]
    found = [
        m
        for text in texts
        for m in re.findall(r"(?:bin/| )hotcocci ((?:lint|check) .*)", text)
    ]
    assert len(found) >= 6
    return found


def test_the_hooks_are_valid():
    ran = launch([sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)])
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("schema", TEMPLATES)
def test_the_templates_match_their_schemas(schema):
    argv = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    ran = launch([*argv, str(TEMPLATES[schema])])
    assert ran.returncode == 0, ran.stdout


@pytest.fixture
def repository(tmp_path):
    """A miniature kernel with a committed finding, and a second one staged."""
    root = tmp_path / "linux"
    shutil.copytree(ROOT / "kernel-fixtures/classic", root)
    (root / FILE).write_text(OLD)
    commit(root)
    (root / FILE).write_text(OLD + FUNCTION.format(name="two") + ENTRY)
    git(root, "add", ".")
    return root


@pytest.mark.whole
@NEEDS_SPATCH
def test_the_hook_checks_staged_files(repository, installed):
    hook = next(h for h in yaml.safe_load(HOOKS.read_text()) if h["id"] == "hotcocci")
    assert re.search(hook["files"], FILE) and not re.search(hook["files"], "Makefile")
    program, *arguments = shlex.split(hook["entry"])
    assert program == "hotcocci"
    start = "import sys; from hotcocci.cli.main import main; sys.exit(main())"
    # Like pre-commit: in the repository, with the staged files as arguments.
    ran = launch(
        [sys.executable, "-c", start, *arguments, FILE],
        cwd=repository,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(repository.parent),
            "PYTHONPATH": str(installed),
            "XDG_CACHE_HOME": str(repository.parent / "cache"),
        },
    )
    assert ran.returncode == 1, ran.stderr
    # The code to write is indented.
    lines = [line for line in ran.stdout.splitlines() if not line.startswith("  ")]
    assert [line.split(" ")[:2] for line in lines] == [[f"{FILE}:{SECOND}:", "UA101"]]
