// SPDX-License-Identifier: GPL-2.0
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <net/sock.h>

struct toy_msghdr {
	__u32 len;
	__u16 type;
	__u16 flags;
	__u32 seq;
	__u32 pid;
};

struct toy_queue {
	u32 seq;
	u32 port;
};

static int toy_put_message(struct toy_msghdr __user *to, struct toy_queue *q,
			   u16 type, const void *payload, u32 len)
{
	if (put_user(sizeof(*to) + len, &to->len) ||	/* says: use one copy_to_user() of a zeroed struct toy_msghdr */
	    put_user(type, &to->type) ||
	    put_user(0, &to->flags) ||
	    put_user(q->seq++, &to->seq) ||
	    put_user(q->port, &to->pid))
		return -EFAULT;
	if (copy_to_user(to + 1, payload, len))
		return -EFAULT;
	return 0;
}

static int toy_recvmsg(struct socket *sock, struct msghdr *msg, size_t size, int flags)
{
	struct toy_queue *q = sock->sk->sk_user_data;

	return toy_put_message(msg->msg_control_user, q, 1, &size, sizeof(size));
}

static const struct proto_ops toy_ops = {
	.recvmsg = toy_recvmsg,
};
