/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_SCHED_H
#define _LINUX_SCHED_H

struct cred;

struct task_struct {
	const struct cred *real_cred;
	const struct cred *cred;
};

extern struct task_struct *const fixture_task;
#define current		fixture_task

void cond_resched(void);

#endif
