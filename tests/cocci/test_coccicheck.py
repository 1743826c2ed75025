# SPDX-License-Identifier: GPL-2.0
"""``make coccicheck`` of an unmodified kernel tree runs the scripts, in all four modes."""

import os
import re
import shutil
from pathlib import Path

from smpl_runs import ACCESS
from test_plain_spatch import take

from tests.shared import launch

FILE = "sound/core/rawmidi_compat.c"
SAYS = "UA101 5 get_user() from src in snd_rawmidi_ioctl_params_compat()"
READS = """\
	if (get_user(params.stream, &src->stream) ||
	    get_user(params.buffer_size, &src->buffer_size) ||
	    get_user(params.avail_min, &src->avail_min) ||
	    get_user(params.mode, &src->mode) ||
	    get_user(val, &src->no_active_sensing))
		return -EFAULT;
"""
WINDOW = """\
	if (!user_read_access_begin(src, sizeof(*src)))
		return -EFAULT;
	unsafe_get_user(params.stream, &src->stream, efault);
	unsafe_get_user(params.buffer_size, &src->buffer_size, efault);
	unsafe_get_user(params.avail_min, &src->avail_min, efault);
	unsafe_get_user(params.mode, &src->mode, efault);
	unsafe_get_user(val, &src->no_active_sensing, efault);
	user_read_access_end();
"""
END = "	return -EINVAL;\n}\n"
LABEL = """
efault:
	user_read_access_end();
	return -EFAULT;
}
"""


def check(tree: Path, mode: str) -> str:
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


def first_line(tree: Path) -> int:
    text = (tree / FILE).read_text()
    return text[: text.index(READS)].count("\n") + 1


def test_report(untouched):
    said = check(untouched, "report").splitlines()
    wanted = rf"{FILE}:{first_line(untouched)}:\d+-\d+: WARNING: {re.escape(SAYS)}; use one user access window"
    assert len([s for s in said if re.match(wanted, s)]) == 1
    assert len([s for s in said if "UA101" in s]) == 1


def test_org(untouched):
    said = check(untouched, "org").splitlines()
    (todo,) = (s for s in said if s.startswith("* TODO"))
    assert f"[[view:{FILE}::" in todo and SAYS in todo
    assert f"::linb={first_line(untouched)}::" in todo


def test_patch(untouched, tmp_path):
    diff = check(untouched, "patch")
    assert f"--- a/{FILE}\n+++ b/{FILE}\n" in diff
    (tmp_path / FILE).parent.mkdir(parents=True)
    shutil.copy(untouched / FILE, tmp_path / FILE)
    take(tmp_path, diff)
    before, after = (untouched / FILE).read_text().split(READS)
    made = before + WINDOW + after.replace(END, END[:-2] + LABEL, 1)
    assert (tmp_path / FILE).read_text() == made


def test_context(untouched):
    """Lines that patch mode would remove are marked, and none is added."""
    lines = check(untouched, "context").splitlines()
    marked = [s[1:] for s in lines if s[:1] == "-" and s[:3] != "---"]
    assert marked == READS.splitlines()
    assert [s for s in lines if s[:1] == "+" and s[:3] != "+++"] == []
