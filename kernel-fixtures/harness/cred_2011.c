// SPDX-License-Identifier: GPL-2.0
/* The credentials of fixture/cred_2011.h */
#include <fixture/cred_2011.h>
#include <fixture/memory.h>

struct user_namespace init_user_ns;

static struct user_struct user = { .user_ns = &init_user_ns };
static const struct cred cred = { .fsuid = 1, .fsgid = 2, .user = &user };
static struct task_struct task = { .cred = &cred, .real_cred = &cred };
struct task_struct *const task_2011 = &task;

struct user_namespace *current_user_ns(void)
{
	return _current_user_ns();
}

static int groups_search(u32 gid)
{
	fixture_pure_call("groups_search");
	return gid == 4;
}

int in_group_p(u32 gid)
{
	const struct cred *own = current_cred();
	int found = 1;

	if (gid != own->fsgid)
		found = groups_search(gid);
	return found;
}
