// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#define PALETTE_SIZE 16

static u32 palette[PALETTE_SIZE];
static const u8 order[PALETTE_SIZE];

static int palette_load(const u32 __user *colours)
{
	u32 new[PALETTE_SIZE];
	int i;

	for (i = 0; i < PALETTE_SIZE; i++) {
		if (get_user(new[i], &colours[i]))	/* says: use one copy_from_user() into new */
			return -EFAULT;
	}
	memcpy(palette, new, sizeof(palette));
	return 0;
}

static int palette_store(u16 __user *red, u16 __user *green, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (put_user(palette[i] >> 16, red + i) || put_user(palette[i] >> 8, green + i))
			return -EFAULT;
	return 0;
}

static int palette_sorted(u32 __user *to, const u8 *order)
{
	u32 all[PALETTE_SIZE];
	int i;

	memcpy(all, palette, sizeof(all));
	for (i = 0; i < PALETTE_SIZE; i++)
		if (put_user(all[order[i]], to + i))	/* says: per iteration to to in palette_sorted(); use one user access window */
			return -EFAULT;
	return 0;
}

static int palette_copy(u32 __user *to)
{
	int i;

	for (i = 0; i < PALETTE_SIZE; i++)
		if (copy_to_user(to + i, &palette[i], sizeof(u32)))	/* says: use one copy_to_user() of palette */
			return -EFAULT;
	return 0;
}

static int palette_apart(u64 __user *to)
{
	int i;

	for (i = 0; i < PALETTE_SIZE; i++)
		if (copy_to_user(to + i, &palette[i], sizeof(u32)))
			return -EFAULT;
	return 0;
}

static int palette_until(u32 __user *from)
{
	int i;

	for (i = 0; i < PALETTE_SIZE; i++) {
		if (copy_from_user(&palette[i], from + i, sizeof(u32)))	/* says: use get_user() */
			return -EFAULT;
		if (!palette[i])
			break;
	}
	return 0;
}

static long palette_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd == 1)
		return palette_load((u32 __user *)arg);
	if (cmd == 2)
		return palette_sorted((u32 __user *)arg, order);
	if (cmd == 3)
		return palette_copy((u32 __user *)arg);
	if (cmd == 4)
		return palette_until((u32 __user *)arg);
	if (cmd == 5)
		return palette_apart((u64 __user *)arg);
	return palette_store((u16 __user *)arg, (u16 __user *)arg + 16, 16);
}

static const struct file_operations palette_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = palette_ioctl,
};
