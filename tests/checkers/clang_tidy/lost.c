struct lost {
	struct nowhere first;
	u64 id;
};

int lost(struct lost __user *to)
{
	if (!user_write_access_begin(&to->id, sizeof(to->id)))
		return -EFAULT;
	put(&to->id, 1);
	user_write_access_end();
	return 0;
}
