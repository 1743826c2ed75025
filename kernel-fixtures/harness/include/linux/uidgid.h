/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_UIDGID_H
#define _LINUX_UIDGID_H

#include <linux/types.h>

typedef u32 uid_t;
typedef u32 gid_t;

typedef struct {
	uid_t val;
} kuid_t;

typedef struct {
	gid_t val;
} kgid_t;

struct user_namespace {
	u32 first;
};

static inline bool uid_eq(kuid_t left, kuid_t right)
{
	return left.val == right.val;
}

static inline bool gid_eq(kgid_t left, kgid_t right)
{
	return left.val == right.val;
}

/* Out of line, but pure */
uid_t from_kuid(struct user_namespace *ns, kuid_t uid);
gid_t from_kgid(struct user_namespace *ns, kgid_t gid);
kuid_t make_kuid(struct user_namespace *ns, uid_t uid);

#endif
