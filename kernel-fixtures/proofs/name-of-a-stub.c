// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the task that an operation of BPF programs gets is no longer one that may be NULL
 * Verdict: not proven
 * Says: BPF verifier reads the names
 */
#include <linux/sched.h>

struct operations {
	void (*dispatch)(int n, struct task_struct *task);
};

static void dispatch_stub(int n, struct task_struct *task__nullable)
{
}

struct operations stubs = {
	.dispatch = dispatch_stub,
};

struct operations *subject(int *p);

struct operations *subject(int *p)
{
	if (p == NULL)
		return NULL;
	return &stubs;
}
