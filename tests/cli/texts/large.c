struct big {
	long words[40];
};

int f(struct big *to, struct big __user *p)
{
	return copy_from_user(to, p, sizeof(*to)) ? -EFAULT : 0;
}
