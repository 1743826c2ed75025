# SPDX-License-Identifier: GPL-2.0
"""What a rewrite saves, estimated from the accesses that it removes and adds."""

from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.findings import Edit, Finding, Rewrite, Saves
from hotcocci.machine.costs import costs_of
from hotcocci.proof import estimate as estimate_module
from hotcocci.proof.estimate import estimate, offers, with_saves
from hotcocci.rewrite.options import Options
from hotcocci.tree.kernel import Features
from hotcocci.tree.targets import KERNELS
from tests.shared import finding

ROOT = Path(__file__).resolve().parents[2] / "kernel-fixtures/classic"
ARCHES = frozenset({"arm64", "powerpc", "x86"})
FEATURES = Features(False, False, False, True, False, ARCHES)
OPTIONS = Options(ROOT, "classic", 2, FEATURES, ARCHES)
GET = "\tif (get_user(a, &p->a) || get_user(b, &p->b) || get_user(c, &p->c))\n"
CLASSIC = """\
	if (!user_read_access_begin(p, sizeof(*p)))
		return -EFAULT;
	unsafe_get_user(a, &p->a, efault);
	unsafe_get_user(b, &p->b, efault);
	unsafe_get_user(c, &p->c, efault);
	user_read_access_end();
"""
MASKED = CLASSIC.replace(
    "\tif (!user",
    "\tif (can_do_masked_user_access())\n\t\tp = masked_user_access_begin(p);\n\telse if (!user",
)


def rewrite(
    before: str, after: str, rule: str = "UA101", file: str = "drivers/a.c"
) -> Rewrite:
    finding = Finding(
        rule, file, 1, 1, "f", "run", 3, "p", "read", "rewrite", "safe", None
    )
    return Rewrite(finding, (Edit(0, len(before), after),), "A", "classic")


def saved(
    before: str, after: str, rule: str = "UA101", file: str = "drivers/a.c"
) -> Saves:
    found = estimate(before, rewrite(before, after, rule, file), OPTIONS)
    assert found is not None
    return found


def test_lines_with_code_on_them_count():
    before = f"{GET}\t\treturn -EFAULT;\n"
    counted = with_saves(before, rewrite(before, CLASSIC), OPTIONS).finding
    assert counted.lines == 4
    counted = with_saves(before, rewrite(before, f"\n{CLASSIC}\n"), OPTIONS).finding
    assert counted.lines == 4


@pytest.mark.parametrize("target", [kernel.name for kernel in KERNELS])
@pytest.mark.parametrize("scopes", [False, True])
def test_each_target_has_the_forms(target, scopes):
    costs = costs_of(target, scopes)
    assert {"get_user", "copy_to_user 16", "user_read_access_begin"} <= set(costs)
    assert ("scoped_user_read_access" in costs) == scopes
    assert all(count.instructions > 0 for count in costs.values())


def test_a_masked_window_has_no_fence():
    own = {"file": "arch/x86/kernel/a.c"}
    assert saved(GET, MASKED, **own).most > saved(GET, CLASSIC, **own).most + 5


def test_one_access_does_not_repay_the_fence():
    one = saved(
        "\tif (get_user(a, &p->a))\n",
        "\tif (!user_read_access_begin(p, 4))\n\t\treturn -EFAULT;\n"
        "\tunsafe_get_user(a, &p->a, efault);\n\tuser_read_access_end();\n",
    )
    assert one.least < 0 < one.most


def test_a_name_alone_may_be_edited():
    text = "if (!user_access_begin(p, 4))\n"
    start = text.index("user_access_begin")
    edit = Edit(start, start + len("user_access_begin"), "user_read_access_begin")
    one = replace(rewrite(text, "", "UA103"), edits=(edit,))
    found = estimate(text, one, OPTIONS)
    # 32-bit Book3S opens user access for writing only.
    assert found and found.most > 10 and found.dearer == ()


def test_the_code_of_other_configurations_is_not_counted():
    copy = "\tif (copy_from_user(&a, p, sizeof(a)))\n\t\treturn -EFAULT;\n"
    beside = f"if (IS_ENABLED(CONFIG_64BIT)) {{\n{CLASSIC}\t}} else {{\n{copy}\t}}\n"
    assert saved(copy, beside, "UA202") == saved(copy, CLASSIC, "UA202")


def test_an_inlined_copy_is_cheaper_than_a_call_on_x86():
    copy = "__copy_from_user(&a, p, sizeof(a))"
    assert saved(copy, "__get_user(a, p)", "UA201").least < -20
    # Where the copy is a call, the access is not.
    arm = saved(copy, "__get_user(a, p)", "UA201", "arch/arm64/kernel/a.c")
    assert arm.dearer == () and arm.least > 0


def test_a_target_may_lose_on_all_its_processors():
    copies = 3 * "__copy_from_user(&a, p, sizeof(a)), "
    assert saved(copies, 3 * "__get_user(a, p), ", "UA201").dearer == ("x86-64",)


def test_the_rounds_of_a_loop():
    before = (
        "for (i = 0; i < n; i++)\n\tif (get_user(a[i], p + i))\n\t\treturn -EFAULT;\n"
    )
    after = (
        "if (!user_read_access_begin(p, n * sizeof(*p)))\n\treturn -EFAULT;\n"
        "for (i = 0; i < n; i++)\n\tunsafe_get_user(a[i], p + i, efault);\n"
        "user_read_access_end();\n"
    )
    loop = rewrite(before, after, "UA102")
    saves = [
        estimate(before, replace(loop, rounds=rounds), OPTIONS)
        for rounds in (1, 8, None)
    ]
    once, often, unknown = saves
    assert once and often and unknown
    assert once.least < often.least and once.most < often.most
    assert (unknown.least, unknown.most) == (once.least, often.most)


def test_windows_that_share_their_edits_share_what_they_save():
    both = saved(GET + GET, CLASSIC + CLASSIC)
    assert both.most == pytest.approx(saved(GET, CLASSIC).most, abs=0.1)


def test_a_helper_opens_a_window_for_a_few_words():
    found = saved(
        "copy_from_user(to, from, size)", "copy_from_user_small(to, from, size)"
    )
    window = (
        "user_read_access_begin(p, 16); unsafe_get_user(a, p, efault);"
        " unsafe_get_user(b, p + 1, efault); user_read_access_end();"
    )
    assert found == saved("copy_from_user(to, from, size)", window)


def test_arm64_without_windows_checks_the_range_once_more():
    """As in 6.1, whose arm64 has the user_access_begin() of include/linux/uaccess.h."""
    less = replace(FEATURES, gain_arches=ARCHES - {"arm64"})
    without = replace(OPTIONS, features=less)
    for file, least, most in (
        ("arch/arm64/kernel/a.c", -5, 0),
        # x86 gains all the same.
        ("drivers/a.c", -5, 200),
    ):
        one = rewrite(GET, CLASSIC, file=file)
        with_, found = (estimate(GET, one, o) for o in (OPTIONS, without))
        assert with_ and found and with_.least > 0
        assert least < found.least < 0 and found.most <= most


def test_an_architecture_without_a_model():
    one = rewrite(GET, CLASSIC, file="arch/s390/kernel/a.c")
    assert estimate(GET, one, OPTIONS) is None


@pytest.mark.parametrize(("lines", "sure"), [(0, True), (2, False)])
def test_scripts_offer_no_gain_that_only_compiling_can_tell(monkeypatch, lines, sure):
    known = finding(heat=0.03, per="per ioctl", saves=Saves(5, 120, 80), lines=lines)
    one = Rewrite(known, (), "A", "classic")
    monkeypatch.setattr(estimate_module, "with_saves", lambda _, each, __: each)
    assert offers(churn=False)("", [one], OPTIONS) == [one] * sure
    assert offers(churn=True)("", [one], OPTIONS) == [one]
