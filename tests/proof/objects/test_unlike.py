# SPDX-License-Identifier: GPL-2.0
"""Of gcc's last form before machine code, the sizes of accesses to memory are read."""

from hotcocci.proof.objects.unlike import accesses

BODY = """\
int f (struct s * s)
{
  register unsigned int __val_gu __asm__ (*%rdx);
  unsigned int _1;
  int _2;

  [a.c:1:6] _1 = __val_gu;
  [a.c:2:6] _2 = (int) _1;
  [a.c:3:6] [a.c:3:9] s_3(D)->member = _2;
}
"""


def test_a_register_is_no_memory():
    assert accesses(BODY, lambda *at: at) == {("a.c", 3): {4: 1}}
