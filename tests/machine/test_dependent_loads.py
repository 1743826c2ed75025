# SPDX-License-Identifier: GPL-2.0
"""Which loads wait for others, in functions compiled for x86-64."""

import subprocess

import pytest

from hotcocci.machine.dwarf import Lines
from hotcocci.machine.elf import ObjectFile
from hotcocci.machine.loads import Reader, loads_of
from tests.shared import NEEDS_X86_64

pytestmark = NEEDS_X86_64
FLAGS = "-O2 -g -gdwarf-4 -gno-variable-location-views -fno-pic -mno-sse -fcf-protection=none"

HEAD = """
struct disk { long reads; long writes; };
struct volume { char label[120]; struct disk *disk; long more[4]; };
struct mount { long flags; struct { int tag; struct volume *volume; } slot; };
struct node;
struct handle { struct mount *mount; struct handle *next; int count; struct node *node; };
struct node { long colour; struct node *left; };
struct task { long weight; struct node node; struct mount *home; };
int other(struct mount *m);
struct mount *mount_of(int number);
extern struct handle *last;
struct board { struct mount **table; struct node *first; struct mount *slots[4]; };
extern struct board *board;
extern struct mount *mounts[];
"""

CHAIN = ["h->mount", "h->mount->slot.volume", "h->mount->slot.volume->disk"]
# A body of subject(struct handle *h), and the names of each chain of two or more loads
CASES = {
    "a chain": (
        "return h->mount->slot.volume->disk->reads;",
        [[*CHAIN, f"{CHAIN[-1]}->reads"]],
    ),
    "loads that do not wait": ("return h->count + (h->next != 0);", []),
    "a chain and two ends": (
        "struct disk *d = h->mount->slot.volume->disk; return d->reads * d->writes;",
        [[*CHAIN, f"{CHAIN[-1]}->reads"]],
    ),
    "a pointer kept over a call": (
        "struct mount *m = h->mount; other(m); return m->slot.volume->label[0];",
        [["h->mount", "h->mount->slot.volume", "h->mount->slot.volume->label[0]"]],
    ),
    "a pointer reloaded after a call": (
        "other(h->mount); return h->mount->flags;",
        [["h->mount", "h->mount->flags"]],
    ),
    "a pointer that a call returns": (
        "return mount_of(h->count)->slot.volume->label[0];",
        [["mount_of()->slot.volume", "mount_of()->slot.volume->label[0]"]],
    ),
    "a global": (
        "return last->mount->flags;",
        [["last", "last->mount", "last->mount->flags"]],
    ),
    "an object around a member": (
        "struct task *t = (void *)((char *)h->node - __builtin_offsetof(struct task, node));"
        " return t->home->flags;",
        # No variable says what it is.
        [["h->node", "*(h->node + 16)", "**(h->node + 16)"]],
    ),
    "a list": (
        "int sum = 0; for (; h; h = h->next) sum += h->mount->flags; return sum;",
        [["h->next", "h->mount", "h->mount->flags"]],
    ),
    "an index that begins at another member": (
        "return h->mount->slot.volume->more[(long)h->node - 1];",
        [["h->mount", "h->mount->slot.volume", ""]],
    ),
    "a table of pointers": (
        "return board->table[h->count]->flags;",
        [["board", "board->table", "board->table[]", "board->table[]->flags"]],
    ),
    "a global table": (
        "return mounts[h->count]->flags;",
        [["h->count", "mounts[]", "mounts[]->flags"]],
    ),
    "an index that begins at a pointer to another type": (
        "return board->slots[(long)h->node - 1]->flags;",
        [["h->node", "", ""]],
    ),
    "no pointer, but an index": (
        "return h->mount->slot.volume->label[h->next->count & 63];",
        [["h->mount", "h->mount->slot.volume", "h->mount->slot.volume->label[]"]],
    ),
}


def compiled(text, folder):
    source, output = folder / "a.c", folder / "a.o"
    source.write_text(HEAD + text)
    subprocess.run(
        ["gcc", *FLAGS.split(), "-c", "-o", str(output), str(source)], check=True
    )
    obj = ObjectFile(output)
    return Reader(obj), Lines(obj)


def names(found):
    return [[load.name for load in chain.loads] for chain in found.chains]


@pytest.mark.parametrize("case", CASES)
def test_chains(case, tmp_path):
    body, wanted = CASES[case]
    reader, lines = compiled(f"long subject(struct handle *h) {{ {body} }}\n", tmp_path)
    (found,) = loads_of(reader, lines, "subject", 2)
    assert names(found) == wanted


def test_offsets_and_cache_lines(tmp_path):
    body, _ = CASES["a chain"]
    reader, lines = compiled(f"long subject(struct handle *h) {{ {body} }}\n", tmp_path)
    (found,) = loads_of(reader, lines, "subject", 2)
    (chain,) = found.chains
    assert [(load.member.record, load.member.offset) for load in chain.loads] == [
        ("handle", 0),
        ("mount", 16),
        ("volume", 120),
        ("disk", 0),
    ]
    assert {each.record: dict(each.lines) for each in found.touched} == {
        "handle": {0: ("mount",)},
        "mount": {0: ("slot.volume",)},
        "volume": {1: ("disk",)},
        "disk": {0: ("reads",)},
    }


def test_an_inlined_function_is_found_in_its_callers(tmp_path):
    text = """
static inline long inner(struct mount *m) { return m->slot.volume->disk->reads; }
long one(struct handle *h) { return inner(h->mount); }
long two(struct mount *m) { return inner(m); }
"""
    reader, lines = compiled(text, tmp_path)
    found = {each.holder: each for each in loads_of(reader, lines, "inner", 2)}
    assert set(found) == {"one", "two"}
    # The chain begins before the inlined code; only that code's loads count.
    assert names(found["one"]) == [[*CHAIN, f"{CHAIN[-1]}->reads"]]
    assert found["one"].count == 3
    assert names(found["two"])[0][0] == "m->slot.volume"


def read(text, folder):
    """The loads and calls of subject()."""
    reader, _ = compiled(text, folder)
    return reader.read(next(s for s in reader.object.functions if s.name == "subject"))


def test_a_pointer_may_be_either_of_two(tmp_path):
    text = """
long subject(struct handle *h)
{
	struct mount *one = h->mount, *other = h->next->mount;
	struct mount *m = one->flags > other->flags ? one : other;
	return m->slot.tag;
}
"""
    loads, _ = read(text, tmp_path)
    known = {load.address: load.name for load in loads}
    (last,) = (load for load in loads if load.member.path == "slot.tag")
    # A conditional move waits for what is compared, too.
    assert {known[address] for address in last.after} >= {"h->mount", "h->next->mount"}
    assert last.name == "m->slot.tag"


def test_an_address_may_wait_for_a_comparison(tmp_path):
    # As array_index_nospec() computes a mask from a bound.
    text = """
long subject(struct handle *h, unsigned int index)
{
	unsigned long mask;
	asm volatile("cmp %1,%2; sbb %0,%0" : "=r" (mask) : "g" (index), "r" (h->count));
	return h->mount->slot.volume->label[index & mask];
}
"""
    loads, _ = read(text, tmp_path)
    known = {load.address: load.member.path for load in loads}
    (last,) = (load for load in loads if load.member.path == "label[]")
    assert {known[address] for address in last.after} == {"slot.volume", "count"}


def test_a_value_in_a_stack_slot_is_followed(tmp_path):
    text = """
long subject(struct handle *h)
{
	struct mount *m = h->mount;
	asm volatile("" : "+m" (m));
	return m->slot.volume->label[0];
}
"""
    reader, lines = compiled(text, tmp_path)
    (found,) = loads_of(reader, lines, "subject", 3)
    (chain,) = found.chains
    assert [load.member.record for load in chain.loads] == ["handle", "mount", "volume"]


def test_calls_have_their_arguments(tmp_path):
    """A structure of two words takes two registers: what follows it is not known."""
    text = """
struct pair { long a, b; };
int first(struct mount *m, long n, struct pair p, long late);
int pointed(struct volume *v, struct disk *d);
int subject(struct handle *h)
{
	struct pair p = { 1, 2 };
	if (pointed(h->mount->slot.volume, h->mount->slot.volume->disk))
		return 0;
	return first(h->mount, h->count, p, h->node->colour);
}
"""
    _, calls = read(text, tmp_path)
    said = {c.callee: [(v.name, bool(v.loads)) for v in c.arguments] for c in calls}
    assert said["pointed"] == [(CHAIN[1], True), (CHAIN[2], True)]
    assert [name for name, _ in said["first"]] == ["h->mount", ""]
