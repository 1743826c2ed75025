# SPDX-License-Identifier: GPL-2.0
"""Facts of many files: complete, cached, and with every failure reported."""

import shutil
import time
from pathlib import Path

import pytest

from hotcocci.c.excerpt import Wanted
from hotcocci.cache import Cache
from hotcocci.engines import spatch, spatch_process
from hotcocci.engines.spatch_process import GRACE
from hotcocci.errors import AGAIN, UserError
from hotcocci.findings import BUSY
from hotcocci.tree.kernel import find_tree

TEXTS = Path(__file__).with_name("spatch")


SCRIPT = (TEXTS / "script.cocci").read_text(encoding="utf-8")

USER = "int f(int *p)\n{\n\tint v;\n\n\treturn get_user(v, p);\n}\n"


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "cocci" / "access.cocci"
    file.parent.mkdir()
    file.write_text(SCRIPT)
    return file


def run(root, script, files, **options):
    options = {"jobs": 2, "timeout": 20, "check": bool, **options}
    with Cache(root.parent / "cache") as cache:
        tree = find_tree(root)
        return spatch.facts(tree, script, files, cache, progress=None, **options)


def handled(folder):
    file = folder / "handled"
    return file.read_text().split() if file.exists() else []


# The real spatch


def test_facts_of_each_file(small_tree, script):
    # Some names need quoting.
    names = ["a.c", "with space.c", "umlaut-ä.c", "quote'.c"]
    files = {**dict.fromkeys(names, USER), "fs/b.c": "\n" + USER, "c.c": "int x;\n"}
    facts, skipped = run(small_tree(files), script, [*files])
    assert all(facts[name] == {"lines": [5]} for name in names)
    assert facts["fs/b.c"] == {"lines": [6]}
    # spatch skips a file without any of the required words; that is not a failure.
    assert facts["c.c"] in ({}, {"lines": []})
    assert skipped == []


def test_the_first_python_of_the_path_is_of_no_use(
    small_tree, script, tmp_path, program
):
    program("python3", f"echo > {tmp_path}/started\nexit 1")
    assert run(small_tree({"a.c": USER}), script, ["a.c"])[0] == {"a.c": {"lines": [5]}}
    assert not (tmp_path / "started").exists()


def test_macro_file_beside_the_script(small_tree, script):
    text = USER.replace("return", "ODD_MACRO(p) return")
    root = small_tree({"a.c": text})
    (script.parent / "macros.h").write_text("#define ODD_MACRO(x) if (x)\n")
    facts, _ = run(root, script, ["a.c"])
    assert facts["a.c"] == {"lines": [5]}


def test_broken_script_is_one_error(small_tree, script):
    files = [f"{n}.c" for n in range(5)]
    root = small_tree(dict.fromkeys(files, USER))
    # The facts came before the error: nothing is lost.
    script.write_text(SCRIPT + "\n@script:python@\n@@\n1/0\n")
    assert len(run(root, script, files)[0]) == 5
    script.write_text("@@ nonsense")
    with pytest.raises(UserError, match="access.cocci") as error:
        run(root, script, files)
    assert "\n" not in str(error.value)


# Failures of spatch, from a stand-in


def test_the_key_of_cached_facts(small_tree, script, fake_spatch, tmp_path):
    root = small_tree({"a.c": "x"})
    module, program = tmp_path / "module.py", fake_spatch / "spatch"
    module.write_text("one")
    runs = 0

    def is_new():
        nonlocal runs
        run(root, script, ["a.c"], extra_inputs=(module,))
        before, runs = runs, len(handled(fake_spatch))
        return runs > before

    assert is_new() and not is_new()
    for file, text in (
        (root / "a.c", "y"),
        (script, SCRIPT + "\n"),
        (module, "two"),
        (script.parent / "macros.h", "#define X"),
        (program, program.read_text().replace("version 0", "version 1")),
    ):
        file.write_text(text)
        assert is_new() and not is_new(), file
    (root / "b.c").write_text("y")
    run(root, script, ["b.c"], extra_inputs=(module,))
    assert len(handled(fake_spatch)) > runs, "a script may look at the file's name"


def test_the_version_counts_where_it_is_named(small_tree, script, fake_spatch):
    root = small_tree({"a.c": "x", "b.c": "#if LINUX_VERSION_CODE > 1\n#endif\n"})
    for version in (1, 1, 2):
        run(root, script, ["a.c", "b.c"], version=version)
    names = [Path(each).name for each in handled(fake_spatch)]
    assert sorted(names) == ["a.c", "b.c", "b.c"]


@pytest.mark.parametrize("word", ["CRASH", "KILLED", "CUT", "SLOW"])
def test_a_bad_file_does_not_affect_others(small_tree, script, fake_spatch, word):
    names = [f"{n:02}.c" for n in range(30)]
    root = small_tree({name: word if name == "11.c" else name for name in names})
    facts, skipped = run(root, script, names)
    assert sorted(facts) == [name for name in names if name != "11.c"]
    assert [skip.file for skip in skipped] == ["11.c"]
    assert len((fake_spatch / "starts").read_text().split()) <= 5


def test_reasons_for_skipping(small_tree, script, fake_spatch):
    words = {"a.c": "CRASH", "b.c": "SLOW", "c.c": "KILLED", "d.c": "CUT"}
    words |= {"e.c": "FLOOD", "f.c": ""}
    _, skipped = run(small_tree(words), script, list(words), timeout=7)
    reasons = {skip.file: skip.reason for skip in skipped}
    assert "Stack_overflow" in reasons["a.c"]
    assert "7 s" in reasons["b.c"] and "--timeout" in reasons["b.c"]
    assert "SIGSEGV" in reasons["c.c"]
    assert reasons["e.c"].endswith("it printed over 32 MB")
    assert list(reasons) == ["a.c", "b.c", "c.c", "d.c", "e.c"]


def test_a_busy_machine_is_not_the_files_fault(
    small_tree, script, fake_spatch, monkeypatch
):
    monkeypatch.setattr(spatch_process, "PATIENCE", 1)
    monkeypatch.setattr(spatch_process, "processor_time", lambda _: 0)
    root = small_tree({"a.c": "SPIN", "b.c": ""})
    for runs in (1, 2):
        facts, (skip,) = run(root, script, ["a.c", "b.c"], timeout=1, jobs=1)
        assert list(facts) == ["b.c"]
        assert skip.file == "a.c" and skip.reason.startswith(BUSY)
        assert handled(fake_spatch).count("a.c") == runs, "nothing is cached"


def test_facts_of_another_shape_are_unknown(small_tree, script, fake_spatch):
    def refuse(facts):
        raise TypeError

    root = small_tree({"a.c": "text"})
    for _ in range(2):
        assert run(root, script, ["a.c"])[0]
    assert handled(fake_spatch) == ["a.c"]
    with pytest.raises(UserError, match="install Coccinelle again"):
        run(root, script, ["a.c"], check=refuse)


def test_a_file_on_which_it_hangs(small_tree, script, fake_spatch):
    root = small_tree({"a.c": "HANG", "b.c": "HANG", "c.c": ""})
    start = time.monotonic()
    facts, skipped = run(root, script, ["a.c", "b.c", "c.c"], timeout=1, jobs=1)
    assert list(facts) == ["c.c"]
    assert [skip.file for skip in skipped] == ["a.c", "b.c"]
    assert all("longer than 1 s" in skip.reason for skip in skipped)
    assert time.monotonic() - start < spatch_process.PATIENCE


def test_a_file_that_takes_long_to_shorten(small_tree, script, fake_spatch):
    # Each brace may begin a function.
    root = small_tree({"a.c": "{\n" * 150_000})
    wanted = Wanted(lambda *_: True, lambda _: True)
    facts, (skip,) = run(root, script, ["a.c"], timeout=1, wanted=wanted)
    assert facts == {} and skip.file == "a.c"
    assert skip.reason.startswith("it took over 1 s") and skip.reason.endswith(AGAIN)


def test_a_slow_file_is_given_up_for_all_scripts(small_tree, script, fake_spatch):
    root = small_tree({"a.c": "SLOW", "b.c": ""})
    _, skipped = run(root, script, ["a.c", "b.c"])
    other = script.with_name("other.cocci")
    other.write_text(SCRIPT + "\n// another\n")
    facts, again = run(root, other, ["a.c", "b.c"])
    assert again == skipped and list(facts) == ["b.c"]
    assert handled(fake_spatch).count("a.c") == 1


@pytest.mark.slow
def test_time_limit_of_the_real_spatch(small_tree, script, noting_spatch):
    deep = "{" * 20_000 + "v++;" + "}" * 20_000
    text = USER.replace("return", f"{deep}\n\treturn")
    root = small_tree({"deep.c": text, "b.c": USER})
    started = time.monotonic()
    facts, skipped = run(root, script, ["deep.c", "b.c"], jobs=1, timeout=2)
    other = script.with_name("other.cocci")
    other.write_text(SCRIPT + "\n// another\n")
    run(root, other, ["deep.c", "b.c"], jobs=1, timeout=2)
    took = time.monotonic() - started
    given = [file.name.partition("-")[2] for file in noting_spatch.iterdir()]
    assert facts == {"b.c": {"lines": [5]}}
    assert [skip.file for skip in skipped] == ["deep.c"]
    if skipped[0].reason.startswith(BUSY):
        pytest.skip("spatch got no 2 s of processor time, so it is asked again")
    assert given.count("deep.c") == 1, "once for both scripts"
    assert "longer than 2 s" in skipped[0].reason
    # On a busy machine it takes a while to start spatch up to three times.
    assert took < 2 + GRACE + 27


def test_missing_spatch_names_the_package(small_tree, script, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="apt-get install coccinelle"):
        run(small_tree({"a.c": USER}), script, ["a.c"])


def test_full_disk_for_temporary_files(small_tree, script, fake_spatch, monkeypatch):
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=0))
    with pytest.raises(UserError, match="TMPDIR"):
        run(small_tree({"a.c": "CUT"}), script, ["a.c"])
