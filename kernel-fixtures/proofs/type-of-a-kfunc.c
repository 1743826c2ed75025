// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a kfunc takes any pointer, where the verifier knew the type
 * Verdict: not proven
 * Says: the BPF verifier reads the names of parameters and members, and their types
 */
#include <linux/compiler.h>
#include <linux/btf.h>

struct typed_buffer {
	u32 a;
};

__bpf_kfunc_start_defs();

__bpf_kfunc struct typed_buffer *typed_acquire(struct typed_buffer *k)
{
	return k && k->a ? k : NULL;
}

__bpf_kfunc_end_defs();
