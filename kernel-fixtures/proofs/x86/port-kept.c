// SPDX-License-Identifier: GPL-2.0
/*
 * Title: ports are accessed by other statements
 * Verdict: proven
 */
#include <linux/io.h>
#include <linux/types.h>

struct chip {
	int base;
	u8 mask;
	u32 found;
};
int other(u32 word);
int subject(struct chip *chip, u8 bit);

int subject(struct chip *chip, u8 bit)
{
	u8 value;
	u16 half;
	u32 word;

	outb(0x2e, 0x70);
	value = inb(0x71);
	if (value & bit) {
		value &= ~bit;
		outb(value, chip->base + 3);
	} else {
		return -5;
	}
	half = inw(chip->base);
	outw(half | 1, chip->base);
	word = inl(chip->base + 4);
	chip->found = word;
	outl(word, chip->base + 8);
	return other(word);
}
