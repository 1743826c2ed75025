#define lamp_begin(to) user_write_access_begin(to, sizeof(*(to)))
#define lamp_put(value, to, label) unsafe_put_user(value, to, label)

static inline void lamp_end(void)
{
	user_write_access_end();
}

static inline int lamp_store(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}
