int do_syscall_64(struct point __user *from, struct point *p)
{
	return one(from, p) + two(from, p);
}
