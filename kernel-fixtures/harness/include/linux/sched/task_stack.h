/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_SCHED_TASK_STACK_H
#define _LINUX_SCHED_TASK_STACK_H

/* Whether an object lies in the frame of a caller: there is one stack, which grows downwards */
static inline int object_is_on_stack(const void *object)
{
	return object > (const void *)&object;
}

#endif
