// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: cp_stat64
 * Machines: x86-64
 * Options: IA32_EMULATION
 */
#include "bench.h"

static char *name;

static int setup(int size)
{
	(void)size;
	name = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	strcpy(name, known);
	return 0;
}

static long once(int size)
{
	(void)size;
	return call32(195, (long)name, OBJECT32, 0, 0, 0);
}

OPERATION(.setup = setup, .once = once, .fixed = 96);
