// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what BPF programs get keeps its members, and a pointer to it gets another name
 * Verdict: proven
 */
#include <linux/bpf.h>

struct context {
	__bpf_md_ptr(struct bpf_map *, map);
	__bpf_md_ptr(void *, value);
};

int run(struct context *context);
int subject(struct bpf_map *map, void *value);
int subject(struct bpf_map *map, void *value)
{
	struct context context = { .map = map };

	context.value = value;
	return run(&context);
}
