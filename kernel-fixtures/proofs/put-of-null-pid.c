// SPDX-License-Identifier: GPL-2.0
/*
 * Title: put_pid() and free_percpu() do nothing for NULL
 * Verdict: proven
 */
#include <linux/percpu.h>
#include <linux/pid.h>

int leave(struct pid *pid, int __percpu *counts);

int leave(struct pid *pid, int __percpu *counts)
{
	if (pid)
		put_pid(pid);
	if (!counts)
		return 0;
	free_percpu(counts);
	return 0;
}
