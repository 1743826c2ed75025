# SPDX-License-Identifier: GPL-2.0
"""The pre-commit hook and CI templates are valid, and their commands work."""

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from tests.shared import launch
from tests.tree.traps import commit, git

ROOT = Path(__file__).resolve().parents[1]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
CI = ROOT / "docs/ci"
TEMPLATES = {
    "vendor.github-workflows": CI / "github-actions.yml",
    "vendor.gitlab-ci": CI / "gitlab-ci.yml",
}
FILE = "lib/two.c"
FUNCTION = """\
int {name}(struct point __user *from, struct point *p)
{{
	int x, y, z, t, u;

	if (get_user(x, &from->x) || get_user(y, &from->y) || get_user(z, &from->z) ||
	    get_user(t, &from->t) || get_user(u, &from->u))
		return -EFAULT;
	*p = (struct point) {{ x, y, z, t, u }};
	return 0;
}}

"""
OLD = "#include <linux/uaccess.h>\n\n" + FUNCTION.format(name="one")
# What assembly calls for each system call, so that both are hot
ENTRY = """\
int do_syscall_64(struct point __user *from, struct point *p)
{
	return one(from, p) + two(from, p);
}
"""
SECOND = 18


def commands() -> list[str]:
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
    argv = [sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)]
    ran = launch(argv)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("schema", TEMPLATES)
def test_the_templates_match_their_schemas(schema):
    argv = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    ran = launch([*argv, str(TEMPLATES[schema])])
    assert ran.returncode == 0, ran.stdout


@pytest.fixture
def repository(tmp_path) -> Path:
    """A miniature kernel with a committed finding, and a second one staged."""
    root = tmp_path / "linux"
    shutil.copytree(ROOT / "kernel-fixtures/classic", root)
    (root / FILE).write_text(OLD)
    commit(root)
    (root / FILE).write_text(OLD + FUNCTION.format(name="two") + ENTRY)
    git(root, "add", ".")
    return root


@pytest.mark.whole
@pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")
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
