// SPDX-License-Identifier: GPL-2.0
/* Whose credentials a case runs with: see linux/cred.h */
#include <fixture/arguments.h>
#include <fixture/memory.h>
#include <linux/capability.h>
#include <linux/cred.h>

/* the task's own, another's to be taken on, the kernel's */
enum { OWN, OTHER, KERNEL, SETS };

static struct user_namespace namespaces[SETS];
static struct user_struct users[SETS];
static struct cred sets[SETS];
static struct task_struct task;
struct task_struct *const fixture_task = &task;

void credentials_reset(unsigned int seed)
{
	for (u32 i = 0; i < SETS; i++) {
		u32 id = 1000 * (i + 1) + 10 * seed;

		namespaces[i].first = 7 * (i + 1);
		users[i].count = 1;
		sets[i].usage = 1;
		sets[i].uid.val = id;
		sets[i].euid.val = id + 1;
		/* half of the seeds belong to who asks */
		sets[i].fsuid.val = seed & 1 ? id : id + 2;
		sets[i].gid.val = id + 3;
		sets[i].egid.val = id + 4;
		sets[i].fsgid.val = id + 5;
		sets[i].user = &users[i];
		sets[i].user_ns = &namespaces[i];
	}
	task.cred = task.real_cred = &sets[OWN];
}

uid_t from_kuid(struct user_namespace *ns, kuid_t uid)
{
	fixture_pure_call("from_kuid");
	return uid.val - ns->first;
}

gid_t from_kgid(struct user_namespace *ns, kgid_t gid)
{
	fixture_pure_call("from_kgid");
	return gid.val - ns->first;
}

kuid_t make_kuid(struct user_namespace *ns, uid_t uid)
{
	fixture_pure_call("make_kuid");
	return (kuid_t){ uid + ns->first };
}

bool capable(int cap)
{
	fixture_call("capable");
	return cap == CAP_FOWNER;
}

bool ns_capable(struct user_namespace *ns, int cap)
{
	(void)ns;
	return capable(cap);
}

const struct cred *get_cred(const struct cred *cred)
{
	fixture_call("get_cred");
	((struct cred *)cred)->usage++;
	return cred;
}

void put_cred(const struct cred *cred)
{
	fixture_call("put_cred");
	((struct cred *)cred)->usage--;
}

struct user_struct *get_uid(struct user_struct *user)
{
	fixture_call("get_uid");
	user->count++;
	return user;
}

struct cred *prepare_creds(void)
{
	fixture_call("prepare_creds");
	return &sets[OTHER];
}

int commit_creds(struct cred *new)
{
	fixture_call("commit_creds");
	task.cred = task.real_cred = new;
	return 0;
}

const struct cred *override_creds(const struct cred *other)
{
	const struct cred *old = task.cred;

	fixture_call("override_creds");
	task.cred = other;
	return old;
}

const struct cred *revert_creds(const struct cred *old)
{
	const struct cred *other = task.cred;

	fixture_call("revert_creds");
	task.cred = old;
	return other;
}

const struct cred *kernel_cred(void)
{
	return &sets[KERNEL];
}

int begin_new_exec(void *bprm)
{
	(void)bprm;
	fixture_call("begin_new_exec");
	return commit_creds(prepare_creds());
}
