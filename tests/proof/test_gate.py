# SPDX-License-Identifier: GPL-2.0
"""Good and broken windows in a file of a real tree, and the checks that catch them."""

import re
from pathlib import Path

import pytest

from hotcocci.findings import Change, Other, Proof
from hotcocci.proof import gate, ranges
from hotcocci.tree.build import Build
from hotcocci.tree.command import commands
from hotcocci.tree.kernel import probe
from hotcocci.tree.source import decode, lay

TEXTS = Path(__file__).with_name("gate")
# Small, with few headers, and built into every kernel.
FILE = "lib/usercopy.c"
HEAD = (TEXTS / "head.c").read_text(encoding="utf-8")
OLD = (TEXTS / "old.c").read_text(encoding="utf-8")
NEW = (TEXTS / "new.c").read_text(encoding="utf-8")
PUT = "	unsafe_put_user(second, &to->second, Efault);\n"
END = "	user_write_access_end();\n	return 0;\n"
# Broken windows: texts of NEW with their replacements, and the checks that fail with part of their messages.
BROKEN = {
    "the end is missing": (
        {END: "	return 0;\n"},
        {"objtool": "return with UACCESS enabled"},
    ),
    "a pointer that outlives its variable": (
        {
            END: """	user_write_access_end();
	u32 *last = &first;
	{
		u32 more = second;

		last = &more;
	}
	barrier_data(last);
	return 0;
"""
        },
        {"compile x86-64": "dangling pointer 'last' to 'more'"},
    ),
    "a label at the end of a block, which gcc takes since 11": (
        {
            END: """	user_write_access_end();
	while (first > 0b11) {
		if (second)
			goto last;
		first--;
last:
	}
	return 0;
"""
        },
        {"compile x86-64": "label at end of compound statement"},
    ),
    "a field that is not there": (
        {"&to->second": "&to->third"},
        {"compile x86-64": "no member named 'third'"},
    ),
    "an unused variable, a kernel pointer, a range too short, spaces for a tab": (
        {
            "begin(to, sizeof(*to))": "begin(to, sizeof(to->first))",
            PUT: f"{' ' * 8}{PUT.strip()}\n	int unused;\n",
            "first, &to->first,": "first, (u32 *)&to->first,",
        },
        {
            "compile x86-64": "unused variable 'unused'",
            "sparse": "removes address space",
            "ranges": f"outside its window: {PUT.strip()}",
            "checkpatch": "CODE_INDENT",
        },
    ),
}
# A warning that is there before the change, and moves with it
NOISE = "\nstatic int hc_noise(void)\n{\n	return 0;\n}\n"


def prove(build: Build, new: str) -> Proof:
    text = decode((build.tree / FILE).read_bytes()) + HEAD
    change = Change(FILE, text + NOISE + OLD, f"{text}\n\n{NOISE}{new}")
    return next(gate.check_all(build.tree, [change], build, 1))


def outcomes(proof: Proof) -> dict[str, str]:
    return {check.name: check.outcome for check in proof.checks}


def test_a_good_window_passes(prepared_build):
    def folders() -> dict[Path, int]:
        # Creating or removing a file changes the mtime of its folder.
        where = [prepared_build.tree / name for name in ("kernel", "lib", "scripts")]
        found = [f for top in where for f in (top, *top.rglob("*")) if f.is_dir()]
        return {f: f.stat().st_mtime_ns for f in found}

    before = folders()
    proof = prove(prepared_build, NEW)
    assert folders() == before, "it wrote into the tree"
    # checkflags show whether the tree is newer than the installed sparse.
    sparse = "passed" if prepared_build.checkflags else "skipped"
    names = ("compile x86-64", "objtool", "sparse", "ranges", "checkpatch")
    assert outcomes(proof) == dict.fromkeys(names, "passed") | {"sparse": sparse}, proof
    assert proof.compiled
    assert [gain.function for gain in proof.gains] == ["hc_read", "hc_write"]
    for gain in proof.gains:
        assert gain.before.success and gain.after.success
        assert (gain.before.success.calls, gain.after.success.calls) == (2, 0)
        assert not gain.worse


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_window_fails(prepared_build, broken):
    edits, complaints = BROKEN[broken]
    new = NEW
    for old, text in edits.items():
        assert new.count(old) == 1
        new = new.replace(old, text)
    proof = prove(prepared_build, new)
    details = {check.name: check.detail for check in proof.failed}
    for name, complaint in complaints.items():
        # The installed sparse may be too old for the tree.
        if name != "sparse" or prepared_build.checkflags:
            assert complaint in details.get(name, ""), proof


LOCKED = (TEXTS / "counter.c").read_text(encoding="utf-8")
COUNT = "\tif (c->count < 0)\n\t\treturn -EINVAL;\n\tc->count++;\n"


@pytest.mark.parametrize(
    ("lock", "outcome"),
    [
        # sparse does not follow the cleanup, and says "context imbalance".
        ("\tguard(spinlock)(&c->lock);\n", "passed"),
        ("\tspin_lock(&c->lock);\n", "failed"),
    ],
)
def test_an_unlock_by_guard_is_no_imbalance(prepared_build, lock, outcome):
    if not prepared_build.checkflags:
        pytest.skip("the installed sparse is too old for the tree")
    text = decode((prepared_build.tree / FILE).read_bytes())
    bodies = (COUNT + "\treturn 0;", lock + COUNT + "\treturn 0;")
    locked = Change(FILE, *(text + LOCKED % body for body in bodies))
    (proof,) = gate.check_all(prepared_build.tree, [locked], prepared_build, 1)
    assert outcomes(proof)["sparse"] == outcome, proof


# A header with an inline function that nothing uses
UNUSED = "static inline int hc_unused(int a)\n{\n%s\treturn a;\n}\n"
WORSE = UNUSED % "\tint b;\n\n"


@pytest.mark.parametrize(
    ("first", "header", "outcome"),
    [
        # Which function of a header has the warning is the same before and after.
        ('#include "hc.h"\n', WORSE, "passed"),
        ('#include "hc.h"\n', UNUSED % "", "failed"),
        ("", WORSE, "failed"),
    ],
)
def test_a_function_of_a_header_that_nothing_uses_is_compiled_if_it_changes(
    prepared_build, first, header, outcome
):
    text = decode((prepared_build.tree / FILE).read_bytes())
    change = Change(
        *(FILE, f"{first}{text}", f'#include "hc.h"\n{text}{HEAD}'),
        (Other("lib/hc.h", header, WORSE),),
    )
    (proof,) = gate.check_all(prepared_build.tree, [change], prepared_build, 1)
    assert outcomes(proof)["compile x86-64"] == outcome, proof


def test_a_length_known_at_run_time_is_inconclusive(prepared_build):
    new = NEW.replace("begin(to, sizeof(*to))", "begin(to, first)")
    (ranges,) = (c for c in prove(prepared_build, new).checks if c.name == "ranges")
    assert ranges.outcome == "skipped"
    assert "unknown length" in ranges.detail


def test_a_function_that_changes_ends_the_window_of_another_one(prepared_build):
    text = decode((prepared_build.tree / FILE).read_bytes()) + HEAD
    same = NEW.replace(PUT, f"\thc_done();\n{PUT}")
    old, new = (
        f"{text}static void hc_done(void)\n{{\n\t{what}();\n}}\n{same}"
        for what in ("barrier", "user_write_access_end")
    )
    change = Change(FILE, old, new)
    (proof,) = gate.check_all(prepared_build.tree, [change], prepared_build, 1)
    (ranges,) = (c for c in proof.checks if c.name == "ranges")
    assert f"outside its window: {PUT.strip()}" in ranges.detail, proof


def test_a_file_is_compiled_in_the_file_that_includes_it(prepared_build):
    file, user = "sound/core/pcm_compat.c", "sound/core/pcm_native.c"
    old = decode((prepared_build.tree / file).read_bytes())
    bad = Change(file, old, f"{old}{HEAD}{NEW.replace(END, '	return 0;' + chr(10))}")
    (proof,) = gate.check_all(prepared_build.tree, [bad], prepared_build, 2)
    assert outcomes(proof)[f"compile x86-64 ({user})"] == "passed", proof
    # Alone it lacks the headers that pcm_native.c includes first: nothing was skipped.
    assert "compile x86-64" not in outcomes(proof), proof
    assert outcomes(proof)[f"objtool ({user})"] == "failed"


def test_uncompilable_files_are_skipped_with_the_reason(prepared_build):
    tree = prepared_build.tree
    foreign = "arch/mips/kernel/signal.c"
    text = decode((tree / foreign).read_bytes())
    (proof,) = gate.check_all(
        tree, [Change(foreign, text, f"{text}\n")], prepared_build, 1
    )
    assert not proof.compiled
    assert "another architecture" in proof.checks[0].detail

    (proof,) = gate.check_all(tree, [Change(FILE, "", "\n")], None, 1)
    assert outcomes(proof)["compile"] == "skipped"
    assert not proof.compiled


COMPAT = "kernel/compat.c"
CASES = Path(__file__).with_name("ranges.c")
SPLIT = re.compile(
    r"^(?=/\* (inside|outside|not proved|not known): (.*) \*/$)", re.MULTILINE
)
Seen = dict[tuple[str, str], ranges.Ranges]


@pytest.fixture(scope="module")
def seen(prepared_build, tmp_path_factory) -> Seen:
    """What the compiler says of each function, by the words before it."""
    folder = tmp_path_factory.mktemp("ranges")
    head, *parts = SPLIT.split(CASES.read_text(encoding="ascii"))
    text = decode((prepared_build.tree / COMPAT).read_bytes()) + head
    lines = {}
    for kind, name, part in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if "masked" in name and not probe(prepared_build.tree).masked:
            continue
        first = text.count("\n") + 1
        text += part
        lines[kind, name] = range(first, text.count("\n") + 1)
    lay(prepared_build.tree, {COMPAT: text}, folder / "tree")
    command = commands(prepared_build, [COMPAT])[COMPAT]
    every = ranges.check(prepared_build, command, folder / "tree", folder)
    return {
        case: ranges.Ranges(
            tuple(m for m in every.outside if m.line in own),
            tuple(m for m in every.unproved if m.line in own),
            tuple(m for m in every.unknown if m.line in own),
            every.error,
        )
        for case, own in lines.items()
    }


def test_where_accesses_are(seen):
    assert len({kind for kind, _ in seen}) == 4
    for (kind, name), found in seen.items():
        only = {
            "inside": ranges.Ranges(),
            "outside": ranges.Ranges(outside=found.outside[:1]),
            "not proved": ranges.Ranges(unproved=found.unproved),
            "not known": ranges.Ranges(unknown=found.unknown),
        }[kind]
        assert found == only, name
        assert (found != ranges.Ranges()) == (kind != "inside"), name
        for each in found.outside:
            assert "outside its window: unsafe_" in each.text, name
