// SPDX-License-Identifier: GPL-2.0
#include <linux/net.h>
#include <linux/socket.h>
#include <linux/uaccess.h>
#include <net/sock.h>

struct toy_sock {
	int mode;
	int limit;
};

static int toy_getsockopt(struct socket *sock, int level, int optname,
			  char __user *optval, int __user *optlen)
{
	struct toy_sock *toy = sock->sk->sk_user_data;
	int len, val;

	if (get_user(len, optlen))
		return -EFAULT;
	if (len < 0)
		return -EINVAL;
	len = min_t(unsigned int, len, sizeof(int));
	val = optname == 1 ? toy->mode : toy->limit;
	if (put_user(len, optlen))
		return -EFAULT;
	if (copy_to_user(optval, &val, len))
		return -EFAULT;
	return 0;
}

static const struct proto_ops toy_sockopt_ops = {
	.getsockopt = toy_getsockopt,
};
