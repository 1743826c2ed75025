# SPDX-License-Identifier: GPL-2.0
"""The whole tool on cases: older trees, other line ends, sizes known at run time, and trees without windows."""

import json
import re
from pathlib import Path

import pytest
from case_files import FIXTURES, read_cases, without_header
from case_tool import call, make_tree

pytestmark = pytest.mark.whole


def why(case, line, root):
    """The output of ``why`` on a line of a case, on one line."""
    make_tree("scoped", [case], root)
    place = f"{root / case.path}:{line}"
    said = call(["why", place, "--cache-dir", str(root.parent / "cache")])
    return " ".join(said.split())


def case_of(name):
    return next(case for case in read_cases() if case.name == name)


HELPER = r"use copy_\w+_user_small\(\), which copies 8, 16 bytes"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("switch-commands", [HELPER, r"bytes \(how many of 2 commands .*\): 8 \(1\), 16 \(1\)"]),
        ("switch-callers", [HELPER, r"bytes \(how many of 2 callers .*\): 8 \(1\), 16 \(1\)"]),
        # A copy that is kept
        ("switch-odd", [r"1 \(1\), 2 \(1\), 6 \(1\)", "sizes-large"]),
    ],
)  # fmt: skip
def test_why_shows_the_histogram(name, words, tmp_path):
    case = case_of(name)
    said = why(case, case.wants[0].line, tmp_path / "tree")
    assert "UA203" in said
    assert [word for word in words if not re.search(word, said)] == [], said


def test_counts_and_lengths(tmp_path):
    root = tmp_path / "tree"
    make_tree("scoped", [case_of("switch-length")], root)
    words = ["--profile", str(FIXTURES / "hot.txt"), "--rule", "UA203", "--all"]
    words += ["--format", "json", "--cache-dir", str(tmp_path / "cache")]
    found = json.loads(call(["lint", str(root), *words]))["findings"]
    said = {f["base"]: f["message"] for f in found}
    assert "; a length that the caller gives;" in said["from"]
    assert "; a multiple of 12 bytes;" in said["u->pts"]
    assert "; a length that user space gives;" in said["u->words"]


# Labels, directives
STEMS = ("exit-", "ifdef-")


def patched(root, *options):
    words = ["--churn", "--api=classic", "--apply", "--allow-uncompiled"]
    words += ["--tier=manual", f"--cache-dir={root.parent / 'cache'}"]
    call(["patch", str(root), *words, *options])


def test_cases_keep_their_line_ends(tmp_path):
    cases = [c for c in read_cases() if c.rules == ("UA101",)]
    cases = [case for case in cases if case.name.startswith(STEMS)]
    root = tmp_path / "tree"
    make_tree("classic", cases, root)
    for case in cases:
        (root / case.path).write_text(case.source, encoding="utf-8", newline="\r\n")
    patched(root, "--rule=UA101")
    for case in cases:
        text = (root / case.path).read_bytes().decode()
        assert text.count("\r\n") == text.count("\n"), case.name
        expected = case.afters.get("classic", without_header(case.source))
        assert without_header(text.replace("\r\n", "\n")) == expected, case.name
    assert sum("classic" in case.afters for case in cases) > 15


def test_the_header_keeps_its_line_ends_and_indentation(tmp_path):
    [case] = [c for c in read_cases() if c.name == "switch-commands"]
    tabs = (FIXTURES / "classic/include/linux/uaccess.h").read_text(encoding="utf-8")
    blanks = re.sub(r"^\t+", lambda t: "    " * len(t[0]), tabs, flags=re.M)
    after = {}
    for text in (tabs, blanks):
        make_tree("classic", [case], root := tmp_path / f"tree{len(after)}")
        header = root / "include/linux/uaccess.h"
        header.write_text(text, encoding="utf-8", newline="\r\n")
        patched(root, "--rule=UA203", f"--profile={FIXTURES / 'hot.txt'}")
        made = header.read_bytes().decode()
        assert made.count("\r\n") == made.count("\n")
        after[text] = made.replace("\r\n", "\n")
    assert after[tabs] == case.headers["classic"]
    assert not re.search(r"^ *\t", after[blanks], re.M)
    assert after[blanks].split() == after[tabs].split()
    aligned = "\n           (IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) ||\n            IS_ALIGNED("
    begin = "\n    if (!user_read_access_begin(src, n))\n        goto general;\n"
    assert aligned in after[blanks] and begin in after[blanks]


HEADER = "include/linux/uaccess.h"
OWN = "arch/x86/include/asm/uaccess.h"
ACCESSORS = """
#define unsafe_get_user(x, ptr, err) do { if (__get_user(x, ptr)) goto err; } while (0)
#define unsafe_put_user(x, ptr, err) do { if (__put_user(x, ptr)) goto err; } while (0)
"""
STATEMENT = "#define user_access_begin() do { } while (0)\n"
TYPED = "#define user_access_begin(type, ptr, len) access_ok(type, ptr, len)\n"
RANGED = "#define user_access_begin(ptr, len) access_ok(ptr, len)\n"
DIRECTED = (
    "#define user_read_access_begin user_access_begin\n"
    "#define user_write_access_begin user_access_begin\n"
)
TREES = {
    "4.19": STATEMENT + ACCESSORS,
    "4.19 stable": TYPED + ACCESSORS,
    "5.4": f"/* Later:\n{DIRECTED}*/\n{RANGED}{ACCESSORS}",
    "5.7": RANGED + DIRECTED + ACCESSORS,
}
TEXTS = Path(__file__).with_name("older_trees")
RUN = (TEXTS / "run.c").read_text(encoding="utf-8")
WINDOW = (TEXTS / "window.c").read_text(encoding="utf-8")
BEGINS = {
    "4.19": "if (!access_ok(VERIFY_WRITE, u, sizeof(*u)))\n\t\treturn -EFAULT;\n\tuser_access_begin();",
    "4.19 stable": "if (!user_access_begin(VERIFY_WRITE, u, sizeof(*u)))\n\t\treturn -EFAULT;",
    "5.4": "if (!user_access_begin(u, sizeof(*u)))\n\t\treturn -EFAULT;",
    "5.7": "if (!user_access_begin(u, sizeof(*u)))\n\t\treturn -EFAULT;",
}


def _tree(make, version, text):
    own = f"{TREES[version]}#define user_access_end() stac()\n"
    return make({HEADER: TREES[version], OWN: own, "drivers/misc/old.c": text})


def _checked(root, tmp_path):
    words = ["--engine=spatch", "--format=json", f"--cache-dir={tmp_path / 'cache'}"]
    output = call(["check", str(root), *words])
    return {each["rule"] for each in json.loads(output)["findings"]}


@pytest.mark.parametrize(
    "version, begin",
    [
        ("4.19", None),
        ("4.19 stable", None),
        ("5.4", "user_access_begin(u, sizeof(*u))"),
        ("5.7", "user_write_access_begin(u, sizeof(*u))"),
    ],
)
def test_a_run_gets_the_begin_that_the_tree_has(version, begin, small_tree, tmp_path):
    root = _tree(small_tree, version, RUN)
    common = [str(root), "--churn", "--cache-dir", str(tmp_path / "cache")]
    output = call(["lint", *common, "--all", "--rule", "UA101", "--format", "json"])
    found = [(f["verdict"], f["reason"]) for f in json.loads(output)["findings"]]
    refused = [("report", "no-window-api")]
    assert found == (refused if begin is None else [("rewrite", None)])
    patch = call(["patch", *common, "--allow-uncompiled"])
    assert (f"+\tif (!{begin})" in patch) if begin else not patch


@pytest.mark.parametrize("version", TREES)
def test_a_window_in_its_tree(version, small_tree, tmp_path):
    begin = BEGINS[version]
    root = _tree(small_tree, version, RUN + WINDOW.format(begin))
    # One direction can be opened since 5.7.
    assert _checked(root, tmp_path) == ({"UW25"} if version == "5.7" else set())
    if "VERIFY_WRITE" in begin:
        # Another pointer is checked.
        other = begin.replace("u, sizeof(*u)", "k, sizeof(*k)")
        root = _tree(small_tree, version, RUN + WINDOW.format(other))
        assert _checked(root, tmp_path) == {"UW22"}


WINDOWS = "#define user_access_begin user_access_begin\n"
CASES = [
    ("UA202", "struct-label", "no-gain-arch"),
    ("UA203", "switch-commands", "no-gain-arch"),
    # snd_pcm_xferi_frames_ioctl(): a put_user() and a copy would open user access three times.
    ("UA101", "copy-whole", "call-between"),
]
HOT = ("--profile", str(FIXTURES / "hot.txt"))


@pytest.mark.parametrize("code, name, reason", CASES)
@pytest.mark.parametrize("windows", [False, True])
def test_copies_are_taken_apart_with_windows_only(
    code, name, reason, windows, tmp_path
):
    assert reasons(code, name, windows, tmp_path, *HOT) == {None if windows else reason}


def test_what_no_heat_would_change_is_said_first(tmp_path):
    assert reasons("UA202", "struct-label", False, tmp_path) == {"no-gain-arch"}


def reasons(code, name, windows, tmp_path, *options):
    """The reasons of a case's findings in a tree whose arm64 has windows, or has not."""
    case = next(c for c in read_cases() if (c.code, c.name) == (code, name))
    root = tmp_path / "tree"
    make_tree("classic", [case], root)
    header = root / "arch/arm64/include/asm/uaccess.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(WINDOWS if windows else "/* none */\n", encoding="utf-8")
    words = ["--all", "--rule", code, "--format", "json", *options]
    words += ["--cache-dir", str(tmp_path / "cache")]
    found = json.loads(call(["lint", str(root), *words]))["findings"]
    return {each["reason"] for each in found if each["file"] == case.path}
