# SPDX-License-Identifier: GPL-2.0
"""Reading perf output: real output, tables from mails, recordings, screens, folded stacks, other input, and names."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from hotcocci.engines.perf import read
from hotcocci.engines.perf_report import canonical, is_kernel, is_routine
from hotcocci.errors import UserError

TEXTS = Path(__file__).parent / "perf_texts"


@pytest.fixture
def shares(tmp_path):
    def read_shares(text):
        path = tmp_path / "profile.txt"
        path.write_text(text)
        return dict(read(path).shares)

    return read_shares


def test_the_table_of_a_mail_with_arrows():
    profile = read(TEXTS / "alsa_2025.txt")
    assert profile.shares == {
        "snd_pcm_ioctl": 12.86,
        "finish_task_switch": 11.91,
        "snd_pcm_group_unlock_irq": 4.15,
        "ioctl": 3.37,
        "system_call_exception": 2.58,
    }
    assert profile.share("finish_task_switch") == 11.91
    assert profile.share("snd_pcm_hw_avail_update") is None  # in a library
    assert profile.share(None) is None
    assert profile.above(4.15) == {
        "snd_pcm_ioctl",
        "finish_task_switch",
        "snd_pcm_group_unlock_irq",
    }


def test_several_tables_of_a_mail_are_not_added(shares):
    both = (TEXTS / "alsa_2025.txt").read_text() + "and with the patch\n"
    both += (TEXTS / "alsa_2025_copies.txt").read_text()
    with pytest.raises(UserError, match="2 perf tables: keep only one"):
        shares(both)


@pytest.mark.parametrize(
    ("file", "complaint"),
    [
        ("alsa_2025_annotate.txt", "names no function: keep the lines"),
        ("acl_2011_annotate.txt", "names no function: keep the lines"),
        # Times
        ("drm_2017.txt", "is not a profile: write it with 'perf report"),
    ],
)
def test_files_that_are_no_profile(file, complaint):
    with pytest.raises(UserError, match=f"{file}.* {complaint}"):
        read(TEXTS / file)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not a profile"),
        ("int main(void)\n{\n}\n", "is not a profile"),
        ('{\n"linux-perf-json-version": 1,\n"samples": []}', "is not a profile"),
        ("find;do_syscall_64_[k] 0\n", "have no samples"),
        ("# Overhead  Command\n    31.35%  find\n", "names no function"),
        (" Percent | Source code & Disassembly of vmlinux\n", "names no function"),
    ],
)
def test_other_input_is_an_error_with_advice(shares, text, complaint):
    with pytest.raises(UserError, match=complaint):
        shares(text)


@pytest.mark.parametrize("file", ["find_script.txt", "find_script_flat.txt"])
def test_a_script_that_is_cut_off(shares, file):
    text = (TEXTS / file).read_text().rstrip("\n")
    assert shares(text) == read(TEXTS / file).shares
    # In the name of the object, of the function, and in the first line of a sample.
    for end in (-2, text.rindex("+0x"), text.rindex(": ") - 4):
        with pytest.raises(UserError, match="cut off in its last line"):
            shares(text[:end])


def test_with_children_the_second_column_is_self():
    children = read(TEXTS / "find_children.txt").shares
    flat = read(TEXTS / "find_flat.txt").shares
    both = set(children) & set(flat)
    assert len(both) > 10
    assert {name: children[name] for name in both} == {
        name: flat[name] for name in both
    }
    assert children["iterate_dir"] == 0.12  # 69.84% with its callees


def counted(file):
    """Self shares of the functions, recomputed from the samples of a file."""
    text = (TEXTS / file).read_text()
    if "\n\n" in text:
        firsts = [block.split("\n")[1] for block in text.strip().split("\n\n")]
    else:
        firsts = text.splitlines()
    names = [
        re.search(r"[0-9a-f]+ (\w+)[.\w]*\+0x\w+ \((\[kernel|inlined)", f)
        for f in firsts
    ]
    number = Counter(found[1] for found in names if found)
    return {name: 100 * n / len(firsts) for name, n in number.items()}


@pytest.mark.parametrize("file", ["find_script.txt", "find_script_flat.txt"])
def test_samples_add_up(file):
    found = read(TEXTS / file).shares
    # Callers get no share of a sample.
    assert found == pytest.approx(counted(file), abs=0.001)
    assert found["iowrite16"] > 10


def test_inlined_functions_of_samples():
    found = read(TEXTS / "inlined_script.txt").shares
    assert set(found) == {"core_sys_select", "get_fd_set", "do_sys_poll"}
    innermost = counted("inlined_script.txt")
    assert found["get_fd_set"] == pytest.approx(innermost["get_fd_set"], abs=0.001)
    # The two functions it was inlined into share its samples; one also has its own.
    assert found["core_sys_select"] > innermost["core_sys_select"] > 0
    assert found["core_sys_select"] + found["do_sys_poll"] == pytest.approx(100)


def test_inlined_functions_of_an_annotation():
    found = read(TEXTS / "annotate.txt").shares
    core, poll = 693, 155
    assert found["core_sys_select"] == pytest.approx(
        100 * core / (core + poll), abs=0.01
    )
    inlined = 0.7373 * core + poll  # 73.73% of the one, all of the other
    assert found["get_fd_set"] == pytest.approx(100 * inlined / (core + poll), abs=0.05)


CHILDREN = "# Children      Self  Command  Shared Object      Symbol\n"
EVENTS = """\
# Samples: 900  of event 'context-switches'
# Event count (approx.): 900
#
# Overhead  Command  Shared Object      Symbol
   100.00%  a        [kernel.kallsyms]  [k] schedule

# Samples: 27  of event 'cpu-clock'
# Event count (approx.): 30
#
# Overhead  Command  Shared Object      Symbol
    40.00%  a        [kernel.kallsyms]  [k] vfs_read
"""


def graph(lines):
    """A report with this call graph below two of its rows."""
    row = "    70.00%    60.00%  a        [kernel.kallsyms]  [k] outer\n"
    inlined = "    50.00%     0.00%  a        [kernel.kallsyms]  [k] inner (inlined)\n"
    last = "     5.00%     5.00%  a        [kernel.kallsyms]  [k] _copy_from_user\n"
    return f"{CHILDREN}{row}{lines}\n{inlined}{lines}\n{last}"


def screen(share):
    return (
        "\x1b[H\x1b[2J\n   PerfTop:    1009 irqs/sec  kernel:95.5%  exact:  0.0% "
        "lost: 0/0 drop: 0/0 [4000Hz cycles],  (all, 2 CPUs)\n"
        f"{'-' * 79}\n\n    {share}%  [kernel]          [k] link_path_walk\n"
        "     4.62%  libc.so.6         [.] malloc\n"
    )


TEXT_SHARES = {
    "source lines below a frame": (
        "a 1 1.0: 5 cycles: \n\tffffffff81000010 inner+0x0 (inlined)\n  select.c:12\n"
        "\tffffffff81000010 outer+0x10 ([kernel.kallsyms])\n  select.c:40\n"
        "\tffffffff81000090 caller+0x10 ([kernel.kallsyms])\n  select.c:90\n\n",
        {"inner": 100.0, "outer": 100.0},
    ),
    "tabs converted to spaces": (
        "a 1 1.0: 5 cycles: \n        ffffffff81000010 inner+0x0 (inlined)\n"
        "        ffffffff81000010 outer+0x10 ([kernel.kallsyms])\n"
        "        ffffffff81000090 caller+0x10 ([kernel.kallsyms])\n\n",
        {"inner": 100.0, "outer": 100.0},
    ),
    "the call graph of a report is skipped": (
        graph(
            "            |\n            |--50.00%--inner (inlined)\n"
            "            |          outer\n             --10.00%--[unknown]\n"
        ),
        {"outer": 60.0, "_copy_from_user": 5.0},
    ),
    "a graph in folded lines": (
        graph("50.00% inner (inlined);outer;caller\n10.00% outer;[unknown]\n"),
        {"outer": 60.0, "_copy_from_user": 5.0},
    ),
    "a sample in a helper also counts for its caller": (
        "a 1/1 [000] 1.0: 300 cycles:P: \n"
        "\tffffffff81000030 __get_user_4+0x10 ([kernel.kallsyms])\n"
        "\tffffffffc0000020 snd_pcm_ioctl+0x20 ([snd_pcm])\n"
        "\tffffffff81000010 __x64_sys_ioctl+0x10 ([kernel.kallsyms])\n\n"
        "a 1/1 [000] 1.1: 100 cycles:P: \n"
        "\t    7f0000000010 ioctl+0x10 (/usr/lib/libc.so.6)\n\n",
        {"__get_user_4": 75.0, "snd_pcm_ioctl": 75.0},
    ),
    "the header of a recording is skipped": (
        "# ========\n# cmdline : /usr/bin/perf record -F 99 cycles: \n#\n"
        "# event : name = cycles:P, , id = { 5, 6 }\n# ========\n#\n"
        "a 1 1.0: 5 cycles:P:  ffffffff81000010 vfs_read+0x0 ([kernel.kallsyms])\n",
        {"vfs_read": 100.0},
    ),
    "a sample without event and period": (
        "find  7876 \n\tffffffff81b954cc filldir64\n\tffffffff81cef4b2 iterate_dir\n\n"
        "find  7876 \n\t    5649ab000000 main\n\n",
        {"filldir64": 50.0},
    ),
    "the time event of a report is used": (EVENTS, {"vfs_read": 40.0}),
    "the time event of a script is used": (
        "a 1 1.0: 9 page-faults:  ffffffff81000010 clear_page+0x0 ([kernel.kallsyms])\n"
        "a 1 1.1: 1 cycles:  ffffffff81000020 vfs_read+0x0 ([kernel.kallsyms])\n",
        {"vfs_read": 100.0},
    ),
    "percentages with a comma, as some locales print them": (
        f"{CHILDREN} 80,00%  10,50%  a  [kernel.kallsyms]  [k] may_open\n"
        "            |\n            ---may_open\n            |--7,25%--do_open\n",
        {"may_open": 10.5},
    ),
    "folded stacks with marks": (
        "find;main_[i];do_syscall_64_[k];link_path_walk_[k] 1\n"
        "find;entry_[k];do_syscall_64_[k];link_path_walk_[k];get_link_[i] 1\n"
        "find;do_syscall_64_[k] 1\n"
        "find;malloc 1\n",
        {"do_syscall_64": 25.0, "link_path_walk": 50.0, "get_link": 25.0},
    ),
    "plain folded stacks": (
        "find;do_syscall_64;link_path_walk 2\nfind;do_syscall_64 1\nfind;[unknown];x 1\n",
        {"do_syscall_64": 25.0, "link_path_walk": 50.0, "x": 25.0},
    ),
    "helpers of folded stacks count for their caller": (
        "find;do_syscall_64_[k];filldir64_[k];__put_user_8_[k] 4\n",
        {"__put_user_8": 100.0, "filldir64": 100.0},
    ),
    "a screen of perf top": (screen("48.00"), {"link_path_walk": 48.0}),
    "the last screen": (screen("48.00") + screen("50.00"), {"link_path_walk": 50.0}),
}


@pytest.mark.parametrize("name", TEXT_SHARES)
def test_texts(shares, name):
    text, wanted = TEXT_SHARES[name]
    assert shares(text) == wanted


@pytest.mark.parametrize(
    ("heading", "row"),
    [
        ("# Overhead       Samples  Command  Symbol", " 4.20%  3990  a  [k] f"),
        ("# Samples  Overhead  Symbol", " 3990  4.20%  [k] f"),
        ("# Overhead  sys  usr  Command  Symbol", " 4.20% 3.00% 1.20%  a  [k] f"),
        ("# Children  Self  Symbol", " 9.00%  4.20%  [k] f"),
        ("# Overhead;Command;Symbol", " 4.20%  ;a   ;[k] f"),
        ("# Overhead  Symbol  IPC  [IPC Coverage]", " 4.20%  [k] f  1.20  [ 33.0%]"),
        ("#   Overhead  Command / Shared Object / Symbol", "   4.20%   [k] f.cold"),
        ("# Overhead  Guest", " 4.20%  qemu  [guest.kernel.kallsyms]  [g] f"),
    ],
)
def test_columns(shares, heading, row):
    assert shares(f"{heading}\n#\n{row}\n") == {"f": 4.2}


def test_samples_of_one_line_with_chosen_fields(shares):
    lines = [
        *["find cpu-clock: ffffffff812e8919 link_path_walk+0x3d9 ([kernel.kallsyms])"]
        * 2,
        "find cpu-clock: ffffffff810e8919 do_syscall_64 ([kernel.kallsyms])",
        "find cpu-clock: 7fb1cc128919 operator new(unsigned long) (/usr/lib/libc.so.6)",
    ]
    for unwanted in ("", "cpu-clock: ", "find cpu-clock: "):
        text = "\n".join(line.replace(unwanted or "\0", "   ") for line in lines)
        assert shares(text + "\n") == {"do_syscall_64": 25.0, "link_path_walk": 50.0}


def test_a_recording_is_read_by_perf(tmp_path, monkeypatch, program):
    recording = tmp_path / "perf.data"
    recording.write_bytes(b"PERFILE2\0\0")
    programs = tmp_path / "bin"
    programs.mkdir()
    for needed in ("setpriv", "cat", "sh"):
        (programs / needed).symlink_to(shutil.which(needed) or needed)
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(UserError, match="perf, which reads this recording, is not"):
        read(recording)
    program("perf", f"cat '{TEXTS / 'find_script.txt'}'")
    assert read(recording) == read(TEXTS / "find_script.txt")
    program("perf", "echo 'incompatible file format' >&2\nexit 1")
    with pytest.raises(UserError, match="fails on this recording: incompatible file"):
        read(recording)


def test_names_are_those_of_the_source():
    for name, printed in {
        "finish_task_switch": "finish_task_switch.isra.0",
        "f": "f.constprop.0.isra.3 f.part.0.cold f+0x10 .f",
        "poll": "__x64_sys_poll __do_sys_poll",
        "ppoll_time64": "__ia32_compat_sys_ppoll_time64",
        "read": "__arm64_sys_read",
        "ioctl": "sys_ioctl",
        **{plain: plain for plain in ("ksys_read", "do_sys_poll", "sysfs_kf_read")},
    }.items():
        assert {canonical(each) for each in printed.split()} == {name}


KERNEL = """
[kernel.kallsyms] [kernel] [guest.kernel.kallsyms.0] [snd_pcm]
/lib/modules/6.12.0/kernel/sound/core/snd-pcm.ko.xz
/usr/lib/debug/boot/vmlinux-6.12.0 /proc/kcore
""".split()
OTHERS = "[vdso] [unknown] /usr/lib/libc.so.6 bpf_prog_6deef7357e7b4530".split()
ROUTINES = (
    "__get_user_4 __put_user_nocheck_8 _copy_from_user __copy_tofrom_user".split()
)
NO_ROUTINES = "get_user_pages copy_from_kernel_nofault strncpy_from_user".split()


def test_objects_of_the_kernel_and_routines_of_user_access():
    assert [*filter(is_kernel, (*KERNEL, *OTHERS))] == KERNEL
    assert [*filter(is_routine, (*ROUTINES, *NO_ROUTINES))] == ROUTINES
