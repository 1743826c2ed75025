// SPDX-License-Identifier: GPL-2.0
/* String functions of constant size, which compilers expand if they are small. */
#include <linux/errno.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#ifdef CONFIG_COPIES_FEW
#define COPIES_ROWS 9
#else
#define COPIES_ROWS 10
#endif

struct copies_state {
	u32 mode;
	u64 rows[40];
	u8 name[16];
};

struct copies_halves {
	u32 mode;
	struct_group(saved,
		u64	low[20];
		u64	high[20];
	);
};

int copies_large_member(u32 __user *from, struct copies_state *state)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(state->mode, from, efault);
	memset(state->rows, 0, sizeof(state->rows)); /* want: UW06 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int copies_large_structure(u32 __user *from, struct copies_state *to, const struct copies_state *state)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	memcpy(to, state, sizeof(*to)); /* want: UW06 */
	unsafe_get_user(to->mode, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int copies_large_group(u32 __user *from, struct copies_halves *state)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(state->mode, from, efault);
	if (state->mode)
		memset(&state->saved, 0, sizeof(state->saved)); /* want: UW06 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int copies_large_product(u32 __user *from, struct copies_state *state)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(state->mode, from, efault);
	memset(state->rows, 0, 4 * COPIES_ROWS * sizeof(u64)); /* want: UW06 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int copies_small(u32 __user *from, struct copies_state *state)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(state->mode, from, efault);
	memset(state->name, 0, sizeof(state->name));
	memset(state->rows, 0, COPIES_ROWS * sizeof(u64));
	memcpy(&state->rows[1], &state->rows[2], sizeof(state->rows[0]));
	memset(state->rows, 0, COPIES_NOT_DEFINED * sizeof(u64));
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
