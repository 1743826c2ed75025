# SPDX-License-Identifier: GPL-2.0
"""The scripts run by spatch itself, from any directory and by any name, and by ``make coccicheck``."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from smpl_runs import ACCESS, COCCI

from tests.shared import FIXTURES, launch

TEXTS = Path(__file__).with_name("plain_spatch")
pytestmark = pytest.mark.whole
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
CHURN = ("-D", "churn=yes")
WORDS = {"get_user", "put_user", "__get_user", "__put_user"}
READS = {"current_cred", "current_user_ns", "current_fsuid"}
CREDENTIALS = COCCI / "credential_reload.cocci"
STAT = (TEXTS / "stat.c").read_text(encoding="utf-8")
HOISTED = (TEXTS / "stat.after").read_text(encoding="utf-8")
SOURCE = (TEXTS / "source.c").read_text(encoding="utf-8")


def spatch(script, file, where, *more):
    """Run spatch in a directory, with options as a user would type them."""
    argv = ["spatch", "--very-quiet", "--sp-file", script, "-D", "patch"]
    ran = launch([*argv, "--no-includes", *more, file], cwd=where, env=ENVIRONMENT)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def take(tree, diff):
    """Apply a diff to a tree."""
    ran = launch(["patch", "-p1", "--fuzz=0"], cwd=tree, input=diff)
    assert ran.returncode == 0, ran.stdout


def copied(name, folder):
    """A copy of a miniature kernel tree with one more file."""
    tree = folder / name
    shutil.copytree(FIXTURES / name, tree)
    (tree / "drivers/point.c").write_text(SOURCE)
    return tree


@pytest.fixture
def miniature(tmp_path):
    return copied("classic", tmp_path)


def windowed(tree):
    """A masked window in the classic tree, as the run has only two accesses."""
    return (TEXTS / f"source.{tree.name}.after").read_text(encoding="utf-8")


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
    assert file.read_bytes() == windowed(miniature).encode().replace(plain, said)


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
        (programs / name).symlink_to(shutil.which(name, path=os.defpath) or name)
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
    more = (*CHURN, "-D", "tier=prepared")
    take(miniature, spatch(CREDENTIALS, file, tmp_path, *more))
    assert file.read_text() == HOISTED
    # A second run changes nothing.
    assert spatch(CREDENTIALS, file, tmp_path, *more) == ""


SCRIPT = COCCI / "user_access_window.cocci"
BROKEN = (TEXTS / "broken.c").read_text(encoding="utf-8")
MENDED = (TEXTS / "mended.c").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root = tmp_path_factory.mktemp("modes") / "tree"
    shutil.copytree(FIXTURES / "scoped", root)
    (root / "drivers/window.c").write_text(BROKEN)
    return root


def moded(tree, mode):
    argv = ["spatch", "--very-quiet", "--sp-file", SCRIPT, "--no-includes"]
    where = {"cwd": tree, "env": {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}}
    ran = launch([*argv, "-D", mode, "drivers/window.c"], **where)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_report(tree):
    told = moded(tree, "report").splitlines()
    assert [line.split(": ")[0].split(":")[1] for line in told] == ["6", "9", "18"]
    assert all(": ERROR: " in line for line in told)
    assert [line.split(": ")[2].split()[0] for line in told] == ["UW03", "UW02", "UW16"]


def test_advice_is_not_reported(tree, tmp_path):
    """A helper that a compiler may put out of line is for ``check --all``."""
    copy = shutil.copytree(tree, tmp_path / "tree")
    case = (FIXTURES / "UW07/uw07-statement.c").read_text()
    (copy / "drivers/window.c").write_text(case)
    assert moded(copy, "report") == ""


def test_patch_fixes_mechanical_violations(tree, tmp_path):
    copy = shutil.copytree(tree, tmp_path / "tree")
    take(copy, moded(copy, "patch"))
    assert (copy / "drivers/window.c").read_text() == MENDED
    assert moded(copy, "patch") == moded(copy, "report") == ""


def test_files_without_a_window_are_not_parsed():
    said = launch(["spatch", "--parse-cocci", SCRIPT]).stdout
    words = set(said.split("Grep query\n")[1].split("\n")[0].split(" || "))
    assert {"user_access_begin", "unsafe_put_user", "scoped_user_rw_access"} <= words


FILE = "sound/core/rawmidi_compat.c"
SAYS = "UA101 5 get_user() from src in snd_rawmidi_ioctl_params_compat()"
CHAIN = """\
	if (get_user(params.stream, &src->stream) ||
	    get_user(params.buffer_size, &src->buffer_size) ||
	    get_user(params.avail_min, &src->avail_min) ||
	    get_user(params.mode, &src->mode) ||
	    get_user(val, &src->no_active_sensing))
		return -EFAULT;
"""


def check(tree, mode):
    """The output of coccicheck for a file, which must succeed without complaints."""
    ran = launch(
        ["make", "-s", "-C", tree, "coccicheck", f"COCCI={ACCESS}"]
        + [f"M={FILE}", f"MODE={mode}", "SPFLAGS=-D churn=yes"],
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith("MAKE")},
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert not re.search("failed|EXN|exception|Error|Skipping", ran.stdout), ran.stdout
    return ran.stdout


def first_line(tree):
    text = (tree / FILE).read_text()
    return text[: text.index(CHAIN)].count("\n") + 1


def test_coccicheck_report(untouched):
    said = check(untouched, "report").splitlines()
    wanted = rf"{FILE}:{first_line(untouched)}:\d+-\d+: WARNING: {re.escape(SAYS)}; use one user access window"
    assert len([s for s in said if re.match(wanted, s)]) == 1
    assert len([s for s in said if "UA101" in s]) == 1


def test_coccicheck_org(untouched):
    said = check(untouched, "org").splitlines()
    (todo,) = (s for s in said if s.startswith("* TODO"))
    assert f"[[view:{FILE}::" in todo and SAYS in todo
    assert f"::linb={first_line(untouched)}::" in todo


def test_coccicheck_context(untouched):
    """Lines that patch mode would remove are marked, and none is added."""
    lines = check(untouched, "context").splitlines()
    marked = [s[1:] for s in lines if s[:1] == "-" and s[:3] != "---"]
    assert marked == CHAIN.splitlines()
    assert [s for s in lines if s[:1] == "+" and s[:3] != "+++"] == []
