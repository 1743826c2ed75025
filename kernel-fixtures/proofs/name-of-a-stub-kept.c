// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a parameter of an operation of BPF programs keeps its name, and another one gets a better one
 * Verdict: proven
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
