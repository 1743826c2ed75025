# SPDX-License-Identifier: GPL-2.0
"""A kernel is built again only as far as a change goes."""

from dataclasses import replace

import pytest

from hotcocci.bench.catalogue import X86_64
from hotcocci.bench.kernel import Image, Kernel, built
from hotcocci.bench.run import boot
from hotcocci.errors import TryAgain, UserError
from hotcocci.tree.build import Build, BuildError

# Both objects include the header. What make compiles it writes to a list.
TREE = {
    "Makefile": """\
image: $(O)/vmlinux
	cp $< $(O)/image
	touch $(O)/System.map
$(O)/vmlinux: $(O)/a.o $(O)/b.o
	cat $^ > $@.new
	mv $@.new $@
$(O)/%.o: %.c all.h
	printf $* >> $(O)/../compiled
	cat $^ > $@.new
	mv $@.new $@
	! grep wrong $@ || { echo "$(CURDIR)/$<:1: error: wrong" >&2; exit 1; }
""",
    "all.h": "all ",
    "a.c": "a ",
    "b.c": "b ",
}
OWN = "a all b all "


@pytest.fixture
def kernel(tmp_path):
    """A tree of four files, and where its kernel is built."""
    tree, folder, prepared = (tmp_path / n for n in ("tree", "kernel", "prepared"))
    for place in (tree, prepared):
        place.mkdir()
    for file, text in TREE.items():
        (tree / file).write_text(text)
    (prepared / ".config").touch()
    build = Build(tree, prepared, X86_64.target, (), ())
    own = replace(build, tree=folder / "tree", out=folder / "out")
    return Kernel(build, folder, own, replace(X86_64, goal="image", image="image"))


def made(kernel, **texts):
    """What is compiled for a kernel with other texts, by name, and what is in it."""
    compiled = kernel.folder / "compiled"
    compiled.unlink(missing_ok=True)
    files = {f"{name}.{'h' if name == 'all' else 'c'}": texts[name] for name in texts}
    image = built(kernel, files, "some", 1).boot.read_text()
    return compiled.read_text() if compiled.is_file() else "", image


def test_only_what_depends_on_a_change_is_built(kernel):
    assert made(kernel) == ("ab", OWN)
    assert made(kernel) == ("", OWN)
    assert made(kernel, a="A ") == ("a", "A all b all ")
    assert made(kernel, b="B ") == ("ab", "a all B all ")
    assert made(kernel) == ("", OWN)
    assert made(kernel, all="ALL ", a="A ") == ("ab", "A ALL b ALL ")
    # The next change has the same header.
    assert made(kernel, all="ALL ", b="B ") == ("ab", "a ALL B ALL ")
    assert made(kernel, all="ALL ") == ("b", "a ALL b ALL ")
    assert made(kernel, b="B ") == ("b", "a all B all ")
    assert made(kernel) == ("", OWN)


def test_the_tree_may_change(kernel):
    assert made(kernel, a="A ") == ("aba", "A all b all ")
    (kernel.tree / "b.c").write_text("new ")
    assert made(kernel, a="A ") == ("b", "A all new all ")
    assert made(kernel) == ("b", "a all new all ")
    assert made(kernel, a="A ") == ("a", "A all new all ")
    assert made(kernel) == ("", "a all new all ")


def test_what_a_make_leaves_that_fails_is_not_used(kernel):
    made(kernel)
    for _ in range(2):
        said = r"the some kernel does not build: a\.c:1: error: wrong$"
        with pytest.raises(BuildError, match=said):
            made(kernel, a="wrong ")
    assert made(kernel, b="B ") == ("b", "a all B all ")
    assert made(kernel) == ("", OWN)


def test_a_file_that_is_missing_is_named(kernel):
    texts = {"Makefile": TREE["Makefile"].replace("$(O)/b.o", "$(O)/c.o")}
    with pytest.raises(BuildError, match="No rule to make target .*/c.o'"):
        built(kernel, texts, "some", 1)


PANIC = "Kernel panic - not syncing: no"


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        (f"{PANIC}\\nCall Trace:\\n </TASK>\\n", PANIC),
        ("BUG: at 0\\nOops: 0\\nKernel panic\\n", "BUG: at 0"),
        ("DEBUG: calls getppid 1 1\\n\\n", "DEBUG: calls getppid 1 1"),
        ("", "no output"),
    ],
)
def test_a_crash_is_told_by_what_the_kernel_says_first(tmp_path, printed, said):
    with pytest.raises(UserError, match=f"^the second kernel .* the end: {said}$"):
        _booted(tmp_path, f"printf '{printed}'", 60)


def test_a_kernel_that_hangs_is_named(tmp_path):
    said = r"^the second kernel did not get to the end: sh took over 1 s .*: try again$"
    with pytest.raises(TryAgain, match=said):
        _booted(tmp_path, "while :; do :; done", 1)


def _booted(place, script, timeout):
    machine = replace(X86_64, qemu=("sh", "-c", script))
    image = Image(*[place / "second.image"] * 3)
    boot(machine, image, place / "init.cpio", "c", timeout)
