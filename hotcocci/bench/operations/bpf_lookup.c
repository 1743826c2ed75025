// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: element
 * Sizes: 1
 * Reaches: bpf_map_copy_value
 * Options: BPF_SYSCALL
 */
#include "bench.h"

static uint64_t found, key;
static int map;

/* The beginning of union bpf_attr for BPF_MAP_CREATE, and for BPF_MAP_LOOKUP_ELEM */
struct created {
	uint32_t type, key_size, value_size, entries;
};

struct asked {
	uint32_t map, padding;
	uint64_t key, value, flags;
};

static int setup(int size)
{
	struct created array = { 2, 4, 8, 1 };

	map = syscall(SYS_bpf, 0, &array, sizeof(array));
	*(struct asked *)object = (struct asked){ map, 0, (uintptr_t)&key, (uintptr_t)&found, 0 };
	return map;
}

OPERATION(syscall(SYS_bpf, 1, object, sizeof(struct asked)),
	  .setup = setup, .fixed = sizeof(struct asked));
