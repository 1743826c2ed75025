// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer of one structure or element was checked, and a loop uses those of others
 * Rule: UW22, UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_of_another_round {
	u32 __user *place;
	u32 value;
	struct uw22_of_another_round *next;
};

int uw22_of_another_round(struct uw22_of_another_round *one, int count)
{
	if (!user_write_access_begin(one->place, sizeof(u32)))
		return -EFAULT;
	for (; count; count--, one++)
		unsafe_put_user(one->value, one->place, efault);	/* want: UW22, UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_of_another_round_clean(struct uw22_of_another_round *one, int count)
{
	for (; count; count--, one++) {
		if (!user_write_access_begin(one->place, sizeof(u32)))
			return -EFAULT;
		unsafe_put_user(one->value, one->place, efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_of_another_round_index(u32 __user **places, int count)
{
	int i;

	if (!user_write_access_begin(places[0], sizeof(u32)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(i, places[i], efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_of_another_round_index_clean(u32 __user **places, int count)
{
	int i;

	if (!user_write_access_begin(places[0], sizeof(u32)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		if (i == 0)
			unsafe_put_user(i, places[i], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_of_another_round_pointer(u32 __user **places, int count)
{
	if (!user_write_access_begin(*places, sizeof(u32)))
		return -EFAULT;
	while (count--) {
		unsafe_put_user(count, *places, efault);	/* want: UW22 */
		places++;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_of_another_round_pointer_clean(u32 __user **places, int count)
{
	while (count--) {
		if (!user_write_access_begin(*places, sizeof(u32)))
			return -EFAULT;
		unsafe_put_user(count, *places, efault);
		user_write_access_end();
		places++;
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_of_another_round_next(struct uw22_of_another_round *one)
{
	if (!user_write_access_begin(one->place, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(one->value, one->place, efault);
	unsafe_put_user(one->value, one->next->place, efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_of_another_round_copy_clean(u32 __user *place)
{
	struct uw22_of_another_round one = { .place = place };

	if (!user_write_access_begin(place, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(one.value, one.place, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
