# SPDX-License-Identifier: GPL-2.0
"""Which loads perf annotate shows to be hot, in a program linked from the object, and in others."""

import re
import subprocess

from hotcocci.engines.perf_annotate import annotated
from hotcocci.machine.dwarf import Lines
from hotcocci.machine.elf import ObjectFile
from hotcocci.machine.loads import Reader, loads_of
from tests.shared import NEEDS_X86_64

pytestmark = NEEDS_X86_64
FLAGS = "-O2 -g -gdwarf-4 -gno-variable-location-views -fno-pic -mno-sse -fcf-protection=none"
LINKED = "-nostdlib -static -no-pie -Wl,-Ttext=0x401000,--unresolved-symbols=ignore-all,-e,subject"

SOURCE = """\
struct user { long pad[{pad}]; long id; };
struct super { char name[24]; struct user *owner; long magic; };
struct inode { long mode; struct super *sb; };
extern struct inode *tables[]; extern long limit;
long other(long);

long before(long a)
{
	return other(a) * 3;
}

static inline long owner_of(struct inode *inode)
{
	return inode->sb->owner->id;
}

long subject(struct inode *inode, int n)
{
	if (inode->mode > limit)
		return other(tables[n]->mode);
	return owner_of(inode);
}
"""
PRINTED = re.compile(r"\s*(?P<address>[0-9a-f]+):\t(?P<text>.*)")
HEADING = " Percent |\tSource code & Disassembly of vmlinux for cycles (100 samples, percent: local period)\n"


def built(folder, pad=3):
    """The object of the source."""
    source, output = folder / "fs" / "a.c", folder / f"a{pad}.o"
    source.parent.mkdir(exist_ok=True)
    source.write_text(SOURCE.replace("{pad}", str(pad)))
    argv = ["gcc", *FLAGS.split(), "-c", "-o", str(output), str(source)]
    subprocess.run(argv, check=True)
    return output


def printed(obj, share, lines=False, syntax="att"):
    """What perf annotate prints of subject() in a program: objdump's lines with a column."""
    program = obj.with_suffix("")
    subprocess.run(
        ["gcc", *LINKED.split(), "-o", str(program), str(obj)],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    argv = ["objdump", "-d", "-M", syntax, "--no-show-raw-insn"]
    out = subprocess.run(
        [*argv, "--disassemble=subject", str(program)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    made = [HEADING]
    for line in out.splitlines():
        found = PRINTED.fullmatch(line)
        if found is None:
            made.append(f"         : 5    {line}\n" if "<subject>:" in line else "")
            continue
        row = (
            f"{share(found['text']):8.2f} :   {found['address']}:       {found['text']}"
        )
        if lines and share(found["text"]):
            row += f" // {place(program, found['address'])}"
        made.append(f"{row}\n")
    return "".join(made)


def place(program, address):
    argv = ["addr2line", "-e", str(program), address]
    out = subprocess.run(argv, check=True, capture_output=True, text=True).stdout
    return out.split("/")[-1].split()[0]


def read(obj, text, function="subject"):
    file = obj.with_suffix(".txt")
    file.write_text(text)
    elf = ObjectFile(obj)
    (found,) = loads_of(Reader(elf), Lines(elf), function, 2, annotated(file))
    return found


def shares(found):
    known = found.sampled.shares
    return [
        {load.name: known[load.address] for load in chain.loads}
        for chain in found.chains
    ]


def of_member(name, wanted):
    """All samples at the load with this distance, the rest at none."""
    return lambda text: wanted if f"{name}(" in text.split("#")[0] else 0.0


def test_an_inlined_function_has_the_shares_of_its_holder(tmp_path):
    obj = built(tmp_path)
    found = read(obj, printed(obj, of_member("0x18", 50.0)), "owner_of")
    assert (found.holder, max(shares(found)[0].values())) == ("subject", 50.0)


def test_the_hottest_chain_is_first(tmp_path):
    obj = built(tmp_path)
    names = [list(each) for each in shares(read(obj, printed(obj, lambda _: 0.0)))]
    assert len(names) == 2 and len(names[0]) > len(names[1])
    text = printed(obj, lambda text: 9.0 if "(,%r" in text else 0.0)
    assert [list(each) for each in shares(read(obj, text))] == names[::-1]


def test_of_functions_with_one_name_the_lines_decide(tmp_path):
    obj, other = built(tmp_path), built(tmp_path, 9)
    text = printed(other, of_member("0x48", 100.0), lines=True)
    found = read(obj, text.replace("// a.c:", "// b.c:") + text)
    assert set(shares(found)[0].values()) == {100.0}
