#include <linux/fs.h>

static const struct file_operations ops;

/* get_one() in a comment, { and } too */
static inline __printf(1, 2)
int get_one(const char *format, ...)
{
	return 1;
}

static int get_two(int a,
		   int b)
{
	if (a) {
		return get_one("%d", b);
	}
	return recursive(a) + printed("get_two(");
}

static int recursive(int a)
{
	return a ? recursive(a - 1) : get_one("");
}

int seen_by_all(int a)
{
	return get_two(a, a);
}

static long taken(struct file *file)
{
	return 0;
}

static const struct file_operations ops = {
	.unlocked_ioctl = taken,
};

SYSCALL_DEFINE2(try, int, a, int, b)
{
	return taken(NULL) + seen_by_all(a) + get_two(a, b);
}
