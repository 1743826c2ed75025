# SPDX-License-Identifier: GPL-2.0
"""The trip count of a loop, from its header; None for unusual ones."""

from hotcocci.rewrite.runs import count, find_loops

# Loop headers with variable, bound as written, its value, and whether the compiler knows it
HEADS = {
    "for (i = 0; i < 4; i++)": ("i", "4", 4, True),
    "for (int z = 0; z < 3; z++)": ("z", "3", 3, True),
    "for (i = 0; i < 0x10; ++i)": ("i", "0x10", 16, True),
    "for (i = 0; i != n; i++)": ("i", "n", None, False),
    "for (i = 0; i < N_WORDS; i++)": ("i", "N_WORDS", None, True),
    "for (i = 0; i < ARRAY_SIZE(a); i++)": ("i", "ARRAY_SIZE(a)", None, True),
    "for (i = 0; i < N_WORDS - 1; i++)": ("i", "N_WORDS - 1", None, True),
    "for (i = 0; i < N_WORDS - n; i++)": ("i", "N_WORDS - n", None, False),
    "for (i = 0; i < sizeof(a); i++)": ("i", "sizeof(a)", None, True),
    "for (i = 0; i < s->n; i++)": ("i", "s->n", None, False),
    **dict.fromkeys(
        (
            *("for (i = 0; i <= 4; i++)", "for (i = 1; i < 4; i++)"),
            *("for (i = 0; i < 4; i += 2)", "for (i = 3; i >= 0; i--)"),
            *("for (i = 0; i < 4; j++)", "for (i = 0; j < 4; i++)"),
            *("for (i = j = 0; i < 4; i++)", "for (i = 0, j = 0; i < 4; i++)"),
            *("for (i = 0; i < 4 && n; i++)", "for (i = 0; i < 4; i++, j++)"),
            *("for (; i < 4; i++)", "for (;;)", "while (i++ < 4)"),
        )
    ),
}


TEXT = "".join(
    f"int f{number}(struct s *s, int __user *u, int n)\n{{\n"
    f"\tint i, j, a[4];\n\n\t{head}\n\t\tif (put_user(1, &u[i]))\n"
    "\t\t\treturn -EFAULT;\n\treturn 0;\n}\n"
    for number, head in enumerate(HEADS)
)


def test_count(contexts):
    found = {}
    for head, context in zip(HEADS, contexts(TEXT).values(), strict=True):
        (loop,) = find_loops(context)
        made = count(loop, context)
        found[head] = made and (made.variable, made.text, made.value, made.constant)
    assert found == HEADS
