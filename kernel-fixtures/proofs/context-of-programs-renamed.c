// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member of what BPF programs get has another name
 * Verdict: not proven
 * Says: BPF verifier reads the names
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
