# SPDX-License-Identifier: GPL-2.0
"""The scripts run by spatch itself, from any directory and by any name."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from smpl_runs import ACCESS, COCCI

from tests.shared import launch

TEXTS = Path(__file__).with_name("plain_spatch")

pytestmark = pytest.mark.whole

FIXTURES = COCCI.parent / "kernel-fixtures"
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
CHURN = ("-D", "churn=yes")
WORDS = {"get_user", "put_user", "__get_user", "__put_user"}
READS = {"current_cred", "current_user_ns", "current_fsuid"}
CREDENTIALS = COCCI / "credential_reload.cocci"

STAT = (TEXTS / "stat.c").read_text(encoding="utf-8")
HOISTED = """\
int whose(struct ids *to)
{
	const struct cred *cred = current_cred();
	int a;

	a = from_kuid(cred->user_ns, cred->fsuid);
	to->uid = a;
	to->gid = from_kgid(cred->user_ns, cred->fsgid);
	return a;
}
"""

SOURCE = (TEXTS / "source.c").read_text(encoding="utf-8")
WINDOW = {
    # A masked one: the run has only two accesses.
    "classic": """\
	if (can_do_masked_user_access())
		u = masked_user_access_begin(u);
	else if (!user_read_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_get_user(x, &u->x, efault);
	unsafe_get_user(y, &u->y, efault);
	user_read_access_end();
	k->x = x;
	k->y = y;
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
""",
    "scoped": """\
	scoped_user_read_access(u, efault) {
		unsafe_get_user(x, &u->x, efault);
		unsafe_get_user(y, &u->y, efault);
	}
	k->x = x;
	k->y = y;
	return 0;

efault:
	return -EFAULT;
}
""",
}


def spatch(script: Path, file: object, where: Path, *more: object) -> str:
    """Run spatch in a directory, with options as a user would type them."""
    argv = ["spatch", "--very-quiet", "--sp-file", script, "-D", "patch"]
    ran = launch([*argv, "--no-includes", *more, file], cwd=where, env=ENVIRONMENT)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def take(tree: Path, diff: str) -> None:
    """Apply a diff to a tree."""
    ran = launch(["patch", "-p1", "--fuzz=0"], cwd=tree, input=diff)
    assert ran.returncode == 0, ran.stdout


def copied(name: str, folder: Path) -> Path:
    """A copy of a miniature kernel tree with one more file."""
    tree = folder / name
    shutil.copytree(FIXTURES / name, tree)
    (tree / "drivers/point.c").write_text(SOURCE)
    return tree


@pytest.fixture
def miniature(tmp_path) -> Path:
    return copied("classic", tmp_path)


def windowed(tree: Path) -> str:
    head, _, _ = SOURCE.partition("	if (get_user")
    return head + WINDOW[tree.name]


def test_absolute(tmp_path):
    tree = copied("scoped", tmp_path)
    file = tree / "drivers/point.c"
    take(tree, spatch(ACCESS, file, tmp_path, *CHURN))
    assert file.read_text() == windowed(tree)


def test_other_encodings(miniature, tmp_path):
    """The diff has the encoding of the file, whatever the locale."""
    file = miniature / "drivers/point.c"
    said = b"\tint x, y; /* d\xe9j\xe0 */\n"
    plain = b"\tint x, y;\n"
    file.write_bytes(SOURCE.encode().replace(plain, said))
    ran = subprocess.run(
        ["spatch", "--very-quiet", "--sp-file", ACCESS, "--no-includes", file]
        + ["-D", "patch", "-D", "churn=yes"],
        env={**os.environ, "LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=True,
    )
    subprocess.run(
        ["patch", "-p1", "--fuzz=0"],
        cwd=miniature,
        input=ran.stdout,
        check=True,
        capture_output=True,
    )
    made = windowed(miniature).encode().replace(plain, said)
    assert file.read_bytes() == made


def test_files_of_one_call(miniature):
    """spatch processes the files of a command line together; each has its own facts."""
    other = miniature / "drivers/other.c"
    other.write_text(SOURCE.replace("read_point", "read_other"))
    take(miniature, spatch(ACCESS, "drivers/point.c", miniature, *CHURN, other))
    made = windowed(miniature)
    assert (miniature / "drivers/point.c").read_text() == made
    assert other.read_text() == made.replace("read_point", "read_other")


def test_without_a_mode_it_says_so(miniature):
    argv = ["spatch", "--very-quiet", "--sp-file", ACCESS, "drivers/point.c"]
    ran = launch(argv, cwd=miniature, env=ENVIRONMENT)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "give spatch a mode: -D patch" in ran.stderr


def test_without_a_compiler_it_says_so(miniature, tmp_path):
    # How often a line runs is asked only of what may be about a command.
    command = "\tif (k->x == SYNC_PTR)\n\t\treturn 0;\n\tif (get_user"
    text = SOURCE.replace("\tif (get_user", command)
    (miniature / "drivers/point.c").write_text(text)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("spatch", "python3"):
        found = shutil.which(name, path=os.defpath) or name
        (programs / name).symlink_to(found)
    there = {**ENVIRONMENT, "PATH": str(programs), "XDG_CACHE_HOME": str(tmp_path)}
    argv = ["spatch", "--very-quiet", "-D", "report", "--sp-file", ACCESS]
    ran = launch([*argv, "drivers/point.c"], cwd=miniature, env=there)
    why = "reading who calls whom needs a C compiler: install gcc"
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"user_access.cocci: {why}\n"


@pytest.mark.parametrize("mode", ["patch", "report", "context", "org"])
@pytest.mark.parametrize("script, words", [(ACCESS, WORDS), (CREDENTIALS, READS)])
def test_keywords_are_inferred(script, words, mode):
    """Otherwise spatch parses every file: a run over the kernel takes 20 times longer."""
    argv = ["spatch", "--sp-file", script, "-D", mode, "--parse-cocci"]
    said = launch(argv, env=ENVIRONMENT).stdout.splitlines()
    assert "Grep query" in said, "no inferred keywords"
    found = set(said[said.index("Grep query") + 1].split(" || "))
    assert found == words if script == ACCESS else words <= found


def test_small_savings_of_cold_code_are_not_printed(miniature, tmp_path):
    file = miniature / "drivers/point.c"
    assert spatch(ACCESS, file, tmp_path) == ""
    assert spatch(ACCESS, file, tmp_path, *CHURN) != ""


def test_credentials_are_hoisted(miniature, tmp_path):
    file = miniature / "drivers/stat.c"
    file.write_text(STAT)
    head, _, rest = STAT.partition("int whose")
    tail = rest.partition("int once")[2]
    more = (*CHURN, "-D", "tier=prepared")
    take(miniature, spatch(CREDENTIALS, file, tmp_path, *more))
    assert file.read_text() == f"{head}{HOISTED}\nint once{tail}"
    # A second run changes nothing.
    assert spatch(CREDENTIALS, file, tmp_path, *more) == ""
