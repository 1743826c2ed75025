# SPDX-License-Identifier: GPL-2.0
"""``make coccicheck`` of an unmodified kernel tree runs the scripts, in all four modes."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from smpl_runs import ACCESS


@dataclass(frozen=True)
class Place:
    """A function of the kernel, and the changes that a script makes.

    ``edits`` are pieces of the file, in order, each with its replacement.
    """

    script: Path
    file: str
    first: str  # the access that the finding points at
    says: str
    edits: tuple[tuple[str, str], ...] = ()
    flags: str = ""


LABEL = """
efault:
	user_read_access_end();
	return -EFAULT;
}
"""

PLACES = {
    "run": Place(
        ACCESS,
        "sound/core/rawmidi_compat.c",
        "get_user(params.stream, &src->stream)",
        "UA101 5 get_user() from src in snd_rawmidi_ioctl_params_compat()",
        (
            (
                """\
	if (get_user(params.stream, &src->stream) ||
	    get_user(params.buffer_size, &src->buffer_size) ||
	    get_user(params.avail_min, &src->avail_min) ||
	    get_user(params.mode, &src->mode) ||
	    get_user(val, &src->no_active_sensing))
		return -EFAULT;
""",
                """\
	if (!user_read_access_begin(src, sizeof(*src)))
		return -EFAULT;
	unsafe_get_user(params.stream, &src->stream, efault);
	unsafe_get_user(params.buffer_size, &src->buffer_size, efault);
	unsafe_get_user(params.avail_min, &src->avail_min, efault);
	unsafe_get_user(params.mode, &src->mode, efault);
	unsafe_get_user(val, &src->no_active_sensing, efault);
	user_read_access_end();
""",
            ),
            ("	return -EINVAL;\n}\n", "	return -EINVAL;\n" + LABEL),
        ),
    ),
}


def check(tree: Path, place: Place, mode: str, where: str, flags: str = "") -> str:
    """The output of coccicheck, which must succeed without complaints."""
    ran = subprocess.run(
        ["make", "-s", "-C", tree, "coccicheck", f"COCCI={place.script}"]
        + [f"M={where}", f"MODE={mode}", f"SPFLAGS={place.flags} -D churn=yes {flags}"],
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith("MAKE")},
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert not re.search("failed|EXN|exception|Error|Skipping", ran.stdout), ran.stdout
    return ran.stdout


def edited(text: str, edits: tuple[tuple[str, str], ...]) -> str:
    """A text with the first occurrence of each piece replaced, in order."""
    done = ""
    for old, new in edits:
        before, found, text = text.partition(old)
        assert found, old
        done += before + new
    return done + text


def patched(tree: Path, file: str, diff: str, where: Path) -> str:
    """The result of patch(1) on a file."""
    copy = where / file
    copy.parent.mkdir(parents=True)
    copy.write_bytes((tree / file).read_bytes())
    subprocess.run(
        ["patch", "-p1", "--fuzz=0"],
        cwd=where,
        input=diff,
        text=True,
        check=True,
        capture_output=True,
    )
    return copy.read_text()


def line_of(tree: Path, place: Place) -> int:
    lines = (tree / place.file).read_text().splitlines()
    return 1 + next(n for n, line in enumerate(lines) if place.first in line)


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest) -> Place:
    """One function for each script."""
    return PLACES[str(request.param)]


def test_report(untouched: Path, place: Place) -> None:
    said = check(untouched, place, "report", place.file).splitlines()
    line = line_of(untouched, place)
    wanted = re.compile(
        rf"{place.file}:{line}:\d+-\d+: WARNING: {re.escape(place.says)}; use one user access window"
    )
    assert len([s for s in said if wanted.match(s)]) == 1
    assert len([s for s in said if place.says.split()[0] in s]) == 1


def test_org(untouched: Path, place: Place) -> None:
    said = check(untouched, place, "org", place.file).splitlines()
    todo = [s for s in said if s.startswith("* TODO")]
    assert len(todo) == 1
    assert f"[[view:{place.file}::" in todo[0] and place.says in todo[0]
    assert f"::linb={line_of(untouched, place)}::" in todo[0]


def test_patch(untouched: Path, place: Place, tmp_path: Path) -> None:
    diff = check(untouched, place, "patch", place.file)
    assert f"--- a/{place.file}\n+++ b/{place.file}\n" in diff
    text = (untouched / place.file).read_text()
    made = patched(untouched, place.file, diff, tmp_path)
    assert made == edited(text, place.edits)


def test_context(untouched: Path, place: Place) -> None:
    """Lines that patch mode would remove are marked, and none is added."""
    lines = check(untouched, place, "context", place.file).splitlines()
    marked = [s[1:] for s in lines if s[:1] == "-" and s[:3] != "---"]
    assert marked == place.edits[0][0].splitlines()
    assert [s for s in lines if s[:1] == "+" and s[:3] != "+++"] == []
