// SPDX-License-Identifier: GPL-2.0
/* Broken: jumps in macros, and ways through a function */
#include <linux/errno.h>
#include <linux/uaccess.h>
struct jumps { int a; int b; long c; };

#define bail return
int jumps_f1(int *k, struct jumps __user *u)
{
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		bail -EFAULT;	/* want: UW02 */
	unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
	user_write_access_end();	/* want: UW02 */
	bail 0;
efault:
	user_write_access_end();	/* want: UW02 */
	bail -EFAULT;
}
#define FAIL return -EFAULT
int jumps_f2(int *k, struct jumps __user *u)
{
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		FAIL;	/* want: UW02 */
	unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
	user_write_access_end();	/* want: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	FAIL;
}
#define RETURN_IF(c, v) do { if (c) return v; } while (0)
#define OUT(l) goto l
#define GOTO_OUT goto out
#define FAIL_IF(c) if (c) goto out
#define SKIP continue
#define STOP break
int jumps_f7(int *k, struct jumps __user *u, int n)
{
	int i;
	for (i = 0; i < n; i++) {
		if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01, UW10 */
			SKIP;
		unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
		user_write_access_end();	/* want: UW02 */
	}
	return 0;	/* want: UW02 */
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}
int jumps_f8(int *k, struct jumps __user *u, int n)
{
	int i;
	for (i = 0; i < n; i++) {
		if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
			STOP;
		unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
		user_write_access_end();	/* want: UW02 */
	}
	return 0;	/* want: UW02 */
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}
/* die(): noreturn in the failure branch */
int jumps_f9(int *k, struct jumps __user *u)
{
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		BUG();
	unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
	user_write_access_end();	/* want: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}
/* put and return on fault in macro, own label */
#define PUT(v, p) do { unsafe_put_user(v, p, efault); } while (0)
int jumps_f10(int *k, struct jumps __user *u)
{
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		return -EFAULT;	/* want: UW02 */
	PUT(k[0], &u->a);	/* want: UW21 */
	PUT(k[1], &u->b);	/* want: UW21 */
	user_write_access_end();	/* want: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}
/* end inside statement expression */
#define END_RET(x) ({ user_write_access_end(); x; })
/* begin stmt-expr macro */
#define BEGIN_SE(p) ({ bool __ok = user_write_access_begin(p, sizeof(*(p))); __ok; })
/* do { } while (0) with break */
int jumps_f14(int *k, struct jumps __user *u)
{
	int ret = -EFAULT;
	do {
		if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
			break;
		unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
		ret = 0;
efault:
		user_write_access_end();	/* want: UW02 */
	} while (0);
	return ret;	/* want: UW02 */
}
/* labels shared between two windows, chain */
int jumps_f15(int *k, struct jumps __user *u, struct jumps __user *v)
{
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		return -EFAULT;	/* want: UW02 */
	unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
	user_write_access_end();	/* want: UW02 */
	if (!user_write_access_begin(v, sizeof(*v)))
		return -EFAULT;
	unsafe_put_user(k[0], &v->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}
/* goto chain */
int jumps_f16(int *k, struct jumps __user *u)
{
	int ret;
	if (!k) {
		ret = -EINVAL;
		goto out;
	}
	ret = -EFAULT;
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		goto out;
	unsafe_put_user(k[0], &u->a, end);	/* want: UW21 */
	if (k[1]) {
		ret = -EAGAIN;
		goto end;
	}
	unsafe_put_user(k[1], &u->b, end);	/* want: UW21 */
	ret = 0;
end:
	user_write_access_end();	/* want: UW02 */
out:
	return ret;	/* want: UW02 */
}
/* save and restore */
int jumps_f17(int *k, struct jumps __user *u)
{
	unsigned long flags;
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		return -EFAULT;	/* want: UW02 */
	unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
	flags = user_access_save();
	k[1] = k[0] + 1;
	user_access_restore(flags);
	unsafe_put_user(k[1], &u->b, efault);	/* want: UW21 */
	user_write_access_end();	/* want: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}
/* nested helper with label argument macro */
#define PUT_PAIR(k, u, l) do {				\
	unsafe_put_user((k)[0], &(u)->a, l);		\
	unsafe_put_user((k)[1], &(u)->b, l);		\
} while (0)
#define PUT_ALL(k, u, l) do {				\
	PUT_PAIR(k, u, l);				\
	unsafe_put_user((k)[2], &(u)->c, l);		\
} while (0)
int jumps_f18(int *k, struct jumps __user *u)
{
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		return -EFAULT;	/* want: UW02 */
	PUT_ALL(k, u, efault);	/* want: UW21 */
	user_write_access_end();	/* want: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}
/* inline helper: faults returned */
static __always_inline int put_pair(int *k, struct jumps __user *u)
{
	unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
	unsafe_put_user(k[1], &u->b, efault);	/* want: UW21 */
	return 0;
efault:
	return -EFAULT;
}
int jumps_f19(int *k, struct jumps __user *u)
{
	int ret;
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		return -EFAULT;	/* want: UW02 */
	ret = put_pair(k, u);
	user_write_access_end();	/* want: UW02 */
	return ret;
}
/* helper that ends on fault only, returns result*/
static __always_inline int put_or_end(int *k, struct jumps __user *u)
{
	unsafe_put_user(k[0], &u->a, efault);
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* switch inside window */
int jumps_f22(int *k, struct jumps __user *u, int n)
{
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		return -EFAULT;	/* want: UW02 */
	switch (n) {
	case 4:
		unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
		break;
	case 8:
		unsafe_put_user((long)k[0], &u->c, efault);	/* want: UW21 */
		fallthrough;
	case 9:
		unsafe_put_user(k[1], &u->b, efault);	/* want: UW21 */
		break;
	default:
		user_write_access_end();	/* want: UW02 */
		return -EINVAL;
	}
	user_write_access_end();	/* want: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}
/* retry */
int jumps_f23(int *k, struct jumps __user *u)
{
	int tries = 0;
retry:
	if (user_write_access_begin(u, sizeof(*u)))	/* want: UW01 */
		return -EFAULT;	/* want: UW02 */
	unsafe_put_user(k[0], &u->a, efault);	/* want: UW21 */
	user_write_access_end();	/* want: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	if (tries++ < 3) {
		cond_resched();
		goto retry;
	}
	return -EFAULT;
}
