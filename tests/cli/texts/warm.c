int f(int __user *p, int value)
{
	if (copy_to_user(p, &value, sizeof(value)))
		return -EFAULT;
	return 0;
}

const struct proto_ops ops = { .recvmsg = f };
