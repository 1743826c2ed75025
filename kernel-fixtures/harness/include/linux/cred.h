/* SPDX-License-Identifier: GPL-2.0 */
/* The credentials of the task that runs a case; which ones they are can be seen in every id */
#ifndef _LINUX_CRED_H
#define _LINUX_CRED_H

#include <linux/cleanup.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

struct user_struct {
	u32 count;
};

struct cred {
	u32 usage;
	kuid_t uid, euid, fsuid;
	kgid_t gid, egid, fsgid;
	struct user_struct *user;
	struct user_namespace *user_ns;
};

#define rcu_dereference_protected(p, c)	(p)
#define rcu_assign_pointer(p, v)	((p) = (v))

#define current_cred()		rcu_dereference_protected(current->cred, 1)
#define current_real_cred()	rcu_dereference_protected(current->real_cred, 1)
#define current_cred_xxx(field)	(current_cred()->field)

#define current_uid()		(current_cred_xxx(uid))
#define current_gid()		(current_cred_xxx(gid))
#define current_euid()		(current_cred_xxx(euid))
#define current_fsuid()		(current_cred_xxx(fsuid))
#define current_fsgid()		(current_cred_xxx(fsgid))
#define current_user()		(current_cred_xxx(user))
#define current_user_ns()	(current_cred_xxx(user_ns))

#define current_uid_gid(u, g)				\
do {							\
	const struct cred *__own = current_cred();	\
	*(u) = __own->uid;				\
	*(g) = __own->gid;				\
} while (0)

#define get_current_cred()	(get_cred(current_cred()))
#define get_current_user()	(get_uid(current_cred()->user))

const struct cred *get_cred(const struct cred *cred);
void put_cred(const struct cred *cred);
struct user_struct *get_uid(struct user_struct *user);

/* Others than those of the task; both kinds are there from the beginning */
struct cred *prepare_creds(void);
int commit_creds(struct cred *new);
const struct cred *override_creds(const struct cred *other);
const struct cred *revert_creds(const struct cred *old);
const struct cred *kernel_cred(void);

static inline void __reverted(const struct cred **old)
{
	revert_creds(*old);
}

#define scoped_with_kernel_creds()						\
	for (bool __once = true; __once; __once = false)			\
		for (const struct cred *__old __cleanup(__reverted) =		\
			override_creds(kernel_cred()); __once; __once = false)

/* Something that takes on other credentials for good, as an exec does */
int begin_new_exec(void *bprm);

#endif
