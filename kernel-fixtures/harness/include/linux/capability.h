/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_CAPABILITY_H
#define _LINUX_CAPABILITY_H

#include <linux/types.h>
#include <linux/uidgid.h>

#define CAP_FOWNER	3
#define CAP_SYS_ADMIN	21

bool capable(int cap);
bool ns_capable(struct user_namespace *ns, int cap);

#endif
