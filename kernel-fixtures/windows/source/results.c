// SPDX-License-Identifier: GPL-2.0
/* Clean: results of begins that are kept, and conditions that open and end */
#include <linux/errno.h>
#include <linux/uaccess.h>
#include <linux/mutex.h>
#include <linux/cleanup.h>
#include <linux/slab.h>
struct results { int a; int b; long c; };

/* if (open) end */
int results_f1(int *k, struct results __user *u, bool user)
{
	bool open = false;
	int ret = -EFAULT;

	if (user) {
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
		open = true;
	}
	if (open)
		unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	if (open)
		user_write_access_end();
	return ret;
}
/* same condition at begin and end */
int results_f2(int *k, struct results __user *u)
{
	int ret = -EFAULT;

	if (u && !user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	if (u)
		unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	if (u)
		user_write_access_end();
	return ret;
}
/* open = begin */
int results_f3(int *k, struct results __user *u)
{
	bool open = user_write_access_begin(u, sizeof(*u));
	int ret = -EFAULT;

	if (open)
		unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	if (open)
		user_write_access_end();
	return ret;
}
/* open = cond && begin */
int results_f4(int *k, struct results __user *u, int n)
{
	bool open;
	int ret = -EFAULT;

	open = n > 0 && user_write_access_begin(u, sizeof(*u));
	if (open)
		unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	if (open)
		user_write_access_end();
	return ret;
}
/* condition spelled differently: != NULL */
int results_f5(int *k, struct results __user *u)
{
	int ret = -EFAULT;

	if (u != NULL && !user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	if (u)
		unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	if (u)
		user_write_access_end();
	return ret;
}
/* flags & */
#define C2_USER 1
int results_f6(int *k, struct results __user *u, unsigned int flags)
{
	int ret = -EFAULT;

	if (flags & C2_USER) {
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
	}
	if (flags & C2_USER)
		unsafe_put_user(k[0], &u->a, efault);
	else
		k[1] = k[0];
	ret = 0;
efault:
	if (flags & C2_USER)
		user_write_access_end();
	return ret;
}
/* user = flags & X later changed flags */
int results_f7(int *k, struct results __user *u, unsigned int flags)
{
	const bool user = flags & C2_USER;
	int ret = -EFAULT;

	if (user && !user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	flags &= ~C2_USER;
	if (!user)
		k[1] = k[0];
	else
		unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	if (user)
		user_write_access_end();
	return ret;
}
/* n == 0 negated comparisons */
int results_f8(int *k, int __user *u, unsigned int n)
{
	unsigned int i;
	if (n > 0 && !user_write_access_begin(u, n * sizeof(*u)))
		return -EFAULT;
	for (i = 0; i < n; i++)	/* not followed */
		unsafe_put_user(k[i], u + i, efault);
	if (n > 0)
		user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* n > 0 vs n == 0 */
int results_f9(int *k, struct results __user *u, unsigned int mode)
{
	int ret = 0;
	if (mode != 0) {
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
	}
	if (mode == 0)
		goto none;
	unsafe_put_user(k[0], &u->a, efault);
	goto done;
efault:
	ret = -EFAULT;
done:
	if (mode)
		user_write_access_end();
none:
	return ret;
}
/* enum comparisions */
int results_f10(int *k, struct results __user *u, int mode)
{
	int ret = 0;
	if (mode == 2 && !user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	if (mode != 2)
		return 0;
	unsafe_put_user(k[0], &u->a, efault);
	if (0) {
efault:
		ret = -EFAULT;
	}
	user_write_access_end();
	return ret;
}
/* switch twice */
int results_f11(int *k, struct results __user *u, int mode)
{
	int ret = 0;
	switch (mode) {
	case 1:
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
		unsafe_put_user(k[0], &u->a, efault);
		break;
	case 2:
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
		unsafe_put_user(k[0], &u->b, efault);
		break;
	default:
		return -EINVAL;
	}
	goto done;
efault:
	ret = -EFAULT;
done:
	user_write_access_end();
	return ret;
}
/* correlated through a switch */
int results_f12(int *k, struct results __user *u, int mode)
{
	int ret = 0;
	switch (mode) {
	case 1:
	case 2:
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
		break;
	}
	switch (mode) {
	case 1:
		unsafe_put_user(k[0], &u->a, efault);
		break;
	case 2:
		unsafe_put_user(k[0], &u->b, efault);
		break;
	}
	goto done;
efault:
	ret = -EFAULT;
done:
	switch (mode) {
	case 1:
	case 2:
		user_write_access_end();
		break;
	}
	return ret;
}
/* loop with window per iteration, continue/break after end */
int results_f13(int *k, struct results __user *u, int n)
{
	int i;
	for (i = 0; i < n; i++, u++) {
		if (!k[i])
			continue;
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
		unsafe_put_user(k[i], &u->a, efault);
		user_write_access_end();
		if (k[i] < 0)
			break;
	}
	return i;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* chunks: drop and reopen */
int results_f14(int *k, int __user *u, int n)
{
	int i;
	if (!user_write_access_begin(u, n * sizeof(*u)))
		return -EFAULT;
	for (i = 0; i < n; i++) {
		unsafe_put_user(k[i], u + i, efault);
		if (!(i % 64)) {
			user_write_access_end();
			cond_resched();
			if (!user_write_access_begin(u, n * sizeof(*u)))
				return -EFAULT;
		}
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* cleanup guard around */
static DEFINE_MUTEX(results_lock);
int results_f15(int *k, struct results __user *u)
{
	guard(mutex)(&results_lock);
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* scoped_guard around, label outside */
int results_f16(int *k, struct results __user *u)
{
	int ret = -EFAULT;
	scoped_guard(mutex, &results_lock) {
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
		unsafe_put_user(k[0], &u->a, efault);
		ret = 0;
efault:
		user_write_access_end();
	}
	return ret;
}
/* __free */
int results_f17(int n, int __user *u)
{
	int *k __free(kfree) = kmalloc_array(n, sizeof(int), GFP_KERNEL);
	if (!k)
		return -ENOMEM;
	if (!user_read_access_begin(u, n * sizeof(*u)))
		return -EFAULT;
	for (int i = 0; i < n; i++)
		unsafe_get_user(k[i], u + i, efault);
	user_read_access_end();
	return k[0];
efault:
	user_read_access_end();
	return -EFAULT;
}
/* comma */
int results_f18(int *k, struct results __user *u)
{
	int ret;
	if (ret = -EFAULT, !user_write_access_begin(u, sizeof(*u)))
		return ret;
	unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	return user_write_access_end(), ret;
}
/* negation chain */
int results_f19(int *k, struct results __user *u, bool a)
{
	if (!(a && user_write_access_begin(u, sizeof(*u))))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int results_f20(int *k, struct results __user *u, bool a)
{
	if (!a || !user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* double negation */
int results_f21(int *k, struct results __user *u)
{
	bool ok = !!user_write_access_begin(u, sizeof(*u));
	if (ok == false)
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int results_f22(int *k, struct results __user *u)
{
	int fail = !user_write_access_begin(u, sizeof(*u));
	if (fail)
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* assigned in condition */
int results_f23(int *k, struct results __user *u)
{
	bool ok;
	if ((ok = user_write_access_begin(u, sizeof(*u)))) {
		unsafe_put_user(k[0], &u->a, efault);
		user_write_access_end();
	}
	return ok ? 0 : -EFAULT;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* == true, != 0 */
int results_f24(int *k, struct results __user *u)
{
	if (user_write_access_begin(u, sizeof(*u)) == true) {
		unsafe_put_user(k[0], &u->a, efault);
		user_write_access_end();
		return 0;
	}
	return -EFAULT;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* while(begin) */
int results_f25(int *k, struct results __user *u)
{
	int tries = 3;
	while (tries-- && user_write_access_begin(u, sizeof(*u))) {
		unsafe_put_user(k[0], &u->a, efault);
		user_write_access_end();
		if (k[1])
			return 0;
	}
	return -EFAULT;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* ternary begin by size */
int results_f26(int *k, struct results __user *u, bool big)
{
	if (!(big ? user_write_access_begin(u, 2 * sizeof(*u)) : user_write_access_begin(u, sizeof(*u))))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* ok assigned by ternary */
int results_f27(int *k, struct results __user *u, bool big)
{
	bool ok = big ? user_write_access_begin(u, 2 * sizeof(*u)) : false;	/* not followed */
	if (!ok)
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* ok = false; if (cond) ok = begin */
int results_f28(int *k, struct results __user *u, bool big)
{
	bool ok = false;
	if (big)
		ok = user_write_access_begin(u, sizeof(*u));
	if (!ok)
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* ok &= , ok copied */
int results_f29(int *k, struct results __user *u, bool big)
{
	bool ok = user_write_access_begin(u, sizeof(*u));
	bool open = ok;
	if (!open)
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* err set and tested later */
int results_f30(int *k, struct results __user *u)
{
	int err = 0;
	if (!user_write_access_begin(u, sizeof(*u)))
		err = -EFAULT;
	if (!err) {
		unsafe_put_user(k[0], &u->a, efault);
		user_write_access_end();
	}
	return err;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* err via ?: on begin */
int results_f31(int *k, struct results __user *u)
{
	int err = user_write_access_begin(u, sizeof(*u)) ? 0 : -EFAULT;
	if (err)
		return err;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* struct member keeps it */
struct results_state { bool open; };
int results_f32(int *k, struct results __user *u, struct results_state *s)
{
	s->open = user_write_access_begin(u, sizeof(*u));	/* not followed */
	if (!s->open)
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* begin in arithmetic */
int results_f33(int *k, struct results __user *u)
{
	if (user_write_access_begin(u, sizeof(*u)) != 1)
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* a state with a name tells */
int results_f34(int *k, struct results __user *u, bool c)
{
	int state = RESULTS_CLOSED, ret = 0;

	if (c) {
		if (!user_write_access_begin(u, sizeof(*u)))
			return -EFAULT;
		state = RESULTS_OPEN;
		unsafe_put_user(k[0], &u->a, efault);
	}
out:
	if (state == RESULTS_OPEN)
		user_write_access_end();
	return ret;
efault:
	ret = -EFAULT;
	goto out;
}

static __always_inline u32 results_how_many_open(u32 __user *to, u32 count)
{
	while (count && !user_write_access_begin(to, count * sizeof(*to)))
		count /= 2;
	return count;
}

int results_how_many_clean(u32 __user *to, u32 count)
{
	u32 i, opened = results_how_many_open(to, count);

	if (!opened)
		return -EFAULT;
	for (i = 0; i < opened; i++)
		unsafe_put_user(i, to + i, efault);
	user_write_access_end();
	return opened;
efault:
	user_write_access_end();
	return -EFAULT;
}

int results_how_many(u32 __user *to, u32 count)
{
	if (!results_how_many_open(to, count))
		return -EFAULT;
	unsafe_put_user(0, to, efault);
	return 0; /* want: UW02 */
efault:
	user_write_access_end();
	return -EFAULT;
}
