// SPDX-License-Identifier: GPL-2.0
#include <linux/net.h>
#include <linux/uaccess.h>

struct stamp {
	__u64 when;
	__u32 port;
	__u32 flags;
};

static int stamp_put(struct stamp __user *to, u64 when, u32 port, u32 flags)
{
	if (put_user(when, &to->when) ||	/* says: to to in stamp_put(); use one user access window */
	    put_user(port, &to->port) ||
	    put_user(flags, &to->flags))
		return -EFAULT;
	return 0;
}

static int stamp_recvmsg(struct socket *sock, struct msghdr *msg, size_t size, int flags)
{
	return stamp_put((struct stamp __user *)msg->msg_control_user, 1, 2, flags);
}

static const struct proto_ops stamp_ops = {
	.recvmsg = stamp_recvmsg,
};
