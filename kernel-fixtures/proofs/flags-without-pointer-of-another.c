// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same of a function that may return flags without a file
 * Verdict: not proven
 * Says: may differ: it returns, now call of fput
 */
#include <fixture/arguments.h>
#include <linux/cleanup.h>
#include <linux/errno.h>

struct file;
struct fd {
	unsigned long word;
};

extern struct fd find(unsigned int fd);
extern void fput(struct file *file);
extern int ask(struct file *file, u32 what);

static inline struct file *file_of(struct fd f)
{
	return (struct file *)(f.word & ~3UL);
}

static inline void fdput(struct fd *f)
{
	if (f->word & 1)
		fput(file_of(*f));
}

int subject(struct karg *k, struct uarg __user *u)
{
	struct fd f = find(k->a);
	int err;

	if (!file_of(f))
		return -EBADF;
	err = ask(file_of(f), k->b);
	fdput(&f);
	return err;
}
