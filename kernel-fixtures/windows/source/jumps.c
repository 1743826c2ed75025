// SPDX-License-Identifier: GPL-2.0
/* Clean: jumps in macros, and ways through a function */
#include <linux/errno.h>
#include <linux/uaccess.h>
struct jumps { int a; int b; long c; };

#define bail return
int jumps_f1(int *k, struct jumps __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		bail -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	bail 0;
efault:
	user_write_access_end();
	bail -EFAULT;
}
#define FAIL return -EFAULT
int jumps_f2(int *k, struct jumps __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		FAIL;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	FAIL;
}
#define RETURN_IF(c, v) do { if (c) return v; } while (0)
int jumps_f3(int *k, struct jumps __user *u)
{
	RETURN_IF(!user_write_access_begin(u, sizeof(*u)), -EFAULT);	/* not followed */
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
#define OUT(l) goto l
int jumps_f4(int *k, struct jumps __user *u)
{
	int ret = -EFAULT;
	if (!user_write_access_begin(u, sizeof(*u)))
		OUT(out);	/* not followed */
	unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	user_write_access_end();
out:
	return ret;
}
#define GOTO_OUT goto out
int jumps_f5(int *k, struct jumps __user *u)
{
	int ret = -EFAULT;
	if (!user_write_access_begin(u, sizeof(*u)))
		GOTO_OUT;	/* not followed */
	unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	user_write_access_end();
out:
	return ret;
}
#define FAIL_IF(c) if (c) goto out
int jumps_f6(int *k, struct jumps __user *u)
{
	int ret = -EFAULT;
	FAIL_IF(!user_write_access_begin(u, sizeof(*u)));	/* not followed */
	unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	user_write_access_end();
out:
	return ret;
}
#define SKIP continue
#define STOP break
int jumps_f7(int *k, struct jumps __user *u, int n)
{
	int i;
	for (i = 0; i < n; i++) {
		if (!user_write_access_begin(u, sizeof(*u)))
			SKIP;
		unsafe_put_user(k[0], &u->a, efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
int jumps_f8(int *k, struct jumps __user *u, int n)
{
	int i;
	for (i = 0; i < n; i++) {
		if (!user_write_access_begin(u, sizeof(*u)))
			STOP;
		unsafe_put_user(k[0], &u->a, efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* die(): noreturn in the failure branch */
int jumps_f9(int *k, struct jumps __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		BUG();
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* put and return on fault in macro, own label */
#define PUT(v, p) do { unsafe_put_user(v, p, efault); } while (0)
int jumps_f10(int *k, struct jumps __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	PUT(k[0], &u->a);
	PUT(k[1], &u->b);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* whole copy in a statement expression in the function */
int jumps_f11(int *k, struct jumps __user *u)
{
	int err = ({
		int __e = -EFAULT;
		if (user_write_access_begin(u, sizeof(*u))) {	/* not followed */
			unsafe_put_user(k[0], &u->a, efault);
			__e = 0;
efault:
			user_write_access_end();
		}
		__e;
	});
	return err;
}
/* end inside statement expression */
#define END_RET(x) ({ user_write_access_end(); x; })
int jumps_f12(int *k, struct jumps __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	return END_RET(0);	/* not followed */
efault:
	return END_RET(-EFAULT);
}
/* begin stmt-expr macro */
#define BEGIN_SE(p) ({ bool __ok = user_write_access_begin(p, sizeof(*(p))); __ok; })
int jumps_f13(int *k, struct jumps __user *u)
{
	if (!BEGIN_SE(u))	/* not followed */
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* do { } while (0) with break */
int jumps_f14(int *k, struct jumps __user *u)
{
	int ret = -EFAULT;
	do {
		if (!user_write_access_begin(u, sizeof(*u)))
			break;
		unsafe_put_user(k[0], &u->a, efault);
		ret = 0;
efault:
		user_write_access_end();
	} while (0);
	return ret;
}
/* labels shared between two windows, chain */
int jumps_f15(int *k, struct jumps __user *u, struct jumps __user *v)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	if (!user_write_access_begin(v, sizeof(*v)))
		return -EFAULT;
	unsafe_put_user(k[0], &v->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
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
	if (!user_write_access_begin(u, sizeof(*u)))
		goto out;
	unsafe_put_user(k[0], &u->a, end);
	if (k[1]) {
		ret = -EAGAIN;
		goto end;
	}
	unsafe_put_user(k[1], &u->b, end);
	ret = 0;
end:
	user_write_access_end();
out:
	return ret;
}
/* save and restore */
int jumps_f17(int *k, struct jumps __user *u)
{
	unsigned long flags;
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	flags = user_access_save();
	k[1] = k[0] + 1;
	user_access_restore(flags);
	unsafe_put_user(k[1], &u->b, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
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
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	PUT_ALL(k, u, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* inline helper: faults returned */
static __always_inline int put_pair(int *k, struct jumps __user *u)
{
	unsafe_put_user(k[0], &u->a, efault);
	unsafe_put_user(k[1], &u->b, efault);
	return 0;
efault:
	return -EFAULT;
}
int jumps_f19(int *k, struct jumps __user *u)
{
	int ret;
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	ret = put_pair(k, u);
	user_write_access_end();
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
int jumps_f20(int *k, struct jumps __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	if (put_or_end(k, u))	/* not followed */
		return -EFAULT;
	if (put_or_end(k + 1, u))
		return -EFAULT;
	user_write_access_end();
	return 0;
}
/* computed: return begin's negation in ret */
int jumps_f21(int *k, struct jumps __user *u)
{
	int ret = -EFAULT;
	if (likely(user_write_access_begin(u, sizeof(*u)))) {	/* want: UW18 */
		unsafe_put_user(k[0], &u->a, efault);
		ret = 0;
efault:
		user_write_access_end();
	}
	return ret;
}
/* switch inside window */
int jumps_f22(int *k, struct jumps __user *u, int n)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	switch (n) {
	case 4:
		unsafe_put_user(k[0], &u->a, efault);
		break;
	case 8:
		unsafe_put_user((long)k[0], &u->c, efault);
		fallthrough;
	case 9:
		unsafe_put_user(k[1], &u->b, efault);
		break;
	default:
		user_write_access_end();
		return -EINVAL;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* retry */
int jumps_f23(int *k, struct jumps __user *u)
{
	int tries = 0;
retry:
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	if (tries++ < 3) {
		cond_resched();
		goto retry;
	}
	return -EFAULT;
}
/* kernel pointer or user */
int jumps_f24(int *k, struct jumps __user *u, struct jumps *p)
{
	if (!p && !user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	if (p) {
		p->a = k[0];
		return 0;
	}
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
