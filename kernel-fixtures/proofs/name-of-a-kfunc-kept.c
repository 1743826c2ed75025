// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another parameter of a kfunc gets another name
 * Verdict: proven
 */
#include <linux/compiler.h>
#include <linux/btf.h>

struct buffer {
	u32 a;
};

__bpf_kfunc_start_defs();

__bpf_kfunc int checked(struct buffer *k, void *buffer, u32 buffer__sz)
{
	return buffer__sz < 8 ? -EINVAL : k->a;
}

__bpf_kfunc_end_defs();
