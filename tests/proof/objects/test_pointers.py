# SPDX-License-Identifier: GPL-2.0
"""Indirect calls in gcc's final intermediate code."""

from hotcocci.proof.objects.signatures import Value, calls_through_pointers

# From gcc 12, shortened.
DUMP = """
;; Function f (f, funcdef_no=1, decl_uid=1993, cgraph_uid=2, symbol_order=1)

int f (struct k * k, void (*<T351>) (u32 *) tell)
{
  u32 x;
  int (*<T34f>) (void *, int, long int) _2;
  long int _4;

  <bb 2> [local count: 1073741824]:
  [sound/a.c:5:10] x_10 = _2 (k_8(D), 5, _4);
  [sound/a.c:6:10 discrim 1] x_11 = other (k_8(D), "a, b");
  [sound/a.c:7:2] tell_9(D) (&x);
"""
POINTER = Value(8, 0)


def test_indirect_calls_have_argument_types(tmp_path):
    dump = tmp_path / "a.optimized"
    dump.write_text(DUMP)
    found = calls_through_pointers(dump, 8, lambda _file, line: line)
    assert {place: s.parameters for place, s in found.items()} == {
        ("a.c", 5): (POINTER, Value(8), Value(8)),
        ("a.c", 7): (POINTER,),
    }
