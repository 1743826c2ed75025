// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __ia32_sys_llseek
 * Machines: x86-64
 * Options: SHMEM TMPFS IA32_EMULATION
 */
#include "bench.h"

static int file;

static int setup(int size)
{
	file = open("file", O_CREAT | O_RDWR, 0600);
	return file;
}

OPERATION(call32(140, file, 0, 8, OBJECT32, SEEK_SET), .setup = setup, .fixed = 8);
