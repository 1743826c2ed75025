// SPDX-License-Identifier: GPL-2.0
/* Clean: begins and ends in helpers and macros */
#include <linux/errno.h>
#include <linux/uaccess.h>
struct wrappers { int a; int b; long c; };

/* wrapper returns the begin */
static __always_inline bool wrappers_open(struct wrappers __user *u)
{
	return user_write_access_begin(u, sizeof(*u));
}
int wrappers_f1(int *k, struct wrappers __user *u)
{
	if (!wrappers_open(u))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	unsafe_put_user(k[1], &u->b, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* static inline, int, with check before */
static inline int wrappers_try(struct wrappers __user *u, size_t n)
{
	if (n > sizeof(*u))
		return 0;
	return user_write_access_begin(u, sizeof(*u));
}
int wrappers_f2(int *k, struct wrappers __user *u, size_t n)
{
	int ret = -EFAULT;

	if (wrappers_try(u, n)) {
		unsafe_put_user(k[0], &u->a, efault);
		ret = 0;
efault:
		user_write_access_end();
	}
	return ret;
}

/* returns 0/-EFAULT */
static __always_inline int wrappers_begin(struct wrappers __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	return 0;
}
static __always_inline void wrappers_end(void)
{
	user_write_access_end();
}
int wrappers_f3(int *k, struct wrappers __user *u)
{
	int err = wrappers_begin(u);

	if (err)
		return err;
	unsafe_put_user(k[0], &u->a, efault);
	wrappers_end();
	return 0;
efault:
	wrappers_end();
	return -EFAULT;
}

/* ternary return */
static __always_inline int wrappers_tern(struct wrappers __user *u)
{
	return user_write_access_begin(u, sizeof(*u)) ? 0 : -EFAULT;
}
int wrappers_f4(int *k, struct wrappers __user *u)
{
	int err;

	err = wrappers_tern(u);
	if (err < 0)
		return err;
	unsafe_put_user(k[0], &u->a, efault);
	wrappers_end();
	return 0;
efault:
	wrappers_end();
	return -EFAULT;
}

/* plain static wrapper */
static bool wrappers_plain(struct wrappers __user *u)
{
	return user_write_access_begin(u, sizeof(*u));
}
static void wrappers_plain_end(void)
{
	user_write_access_end();
}
int wrappers_f5(int *k, struct wrappers __user *u)
{
	if (!wrappers_plain(u))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	wrappers_plain_end();
	return 0;
efault:
	wrappers_plain_end();
	return -EFAULT;
}

/* wrapper keeps result in variable */
static __always_inline bool wrappers_keep(struct wrappers __user *u)
{
	bool ok = user_write_access_begin(u, sizeof(*u));

	return ok;
}
int wrappers_f6(int *k, struct wrappers __user *u)
{
	bool ok = wrappers_keep(u);

	if (!ok)
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* access_ok && begin */
static __always_inline bool wrappers_both(struct wrappers __user *u, bool on)
{
	return on && user_write_access_begin(u, sizeof(*u));
}
int wrappers_f7(int *k, struct wrappers __user *u, bool on)
{
	if (!wrappers_both(u, on))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* nested wrapper */
static __always_inline bool wrappers_deep(struct wrappers __user *u)
{
	return wrappers_open(u);
}
int wrappers_f8(int *k, struct wrappers __user *u)
{
	if (unlikely(!wrappers_deep(u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* macro wrapper that is only the begin */
#define wrappers_BEGIN(p) user_write_access_begin(p, sizeof(*(p)))
#define wrappers_END() user_write_access_end()
int wrappers_f9(int *k, struct wrappers __user *u)
{
	if (!wrappers_BEGIN(u))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	wrappers_END();
	return 0;
efault:
	wrappers_END();
	return -EFAULT;
}

/* object-like alias macros */
#define wrappers_begin_alias user_write_access_begin
#define wrappers_end_alias user_write_access_end
int wrappers_f10(int *k, struct wrappers __user *u)
{
	if (!wrappers_begin_alias(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	wrappers_end_alias();
	return 0;
efault:
	wrappers_end_alias();
	return -EFAULT;
}

/* macro that returns */
#define wrappers_BEGIN_OR_RETURN(p) do {				\
	if (!user_write_access_begin(p, sizeof(*(p))))		\
		return -EFAULT;					\
} while (0)
int wrappers_f11(int *k, struct wrappers __user *u)
{
	wrappers_BEGIN_OR_RETURN(u);
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* bare if macro */
#define wrappers_BEGIN_BARE(p) if (!user_write_access_begin(p, sizeof(*(p)))) return -EFAULT
int wrappers_f12(int *k, struct wrappers __user *u)
{
	wrappers_BEGIN_BARE(u);
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* macro with goto */
#define wrappers_BEGIN_GOTO(p, label) do {				\
	if (!user_write_access_begin(p, sizeof(*(p))))		\
		goto label;					\
} while (0)
int wrappers_f13(int *k, struct wrappers __user *u)
{
	int ret = -EFAULT;

	wrappers_BEGIN_GOTO(u, out);
	unsafe_put_user(k[0], &u->a, efault);
	ret = 0;
efault:
	user_write_access_end();
out:
	return ret;
}
/* end and return macro */
#define wrappers_END_RETURN(v) do { user_write_access_end(); return v; } while (0)
int wrappers_f14(int *k, struct wrappers __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	wrappers_END_RETURN(0);	/* not followed */
efault:
	wrappers_END_RETURN(-EFAULT);
}
/* void wrapper macro with put */
#define wrappers_PUT(v, p, l) unsafe_put_user(v, p, l)
int wrappers_f15(int *k, struct wrappers __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	wrappers_PUT(k[0], &u->a, efault);
	wrappers_PUT(k[1], &u->b, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* inverted wrapper: returns true on failure */
static __always_inline bool wrappers_failed(struct wrappers __user *u)
{
	return !user_write_access_begin(u, sizeof(*u));
}
int wrappers_f16(int *k, struct wrappers __user *u)
{
	if (wrappers_failed(u))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
/* an end helper that returns a value */
static __always_inline int wrappers_finish(int ret)
{
	user_write_access_end();
	return ret;
}
int wrappers_f17(int *k, struct wrappers __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	return wrappers_finish(0);
efault:
	return wrappers_finish(-EFAULT);
}
/* end helper with condition */
static __always_inline int wrappers_finish2(int ret)
{
	user_write_access_end();
	if (ret)
		return -EFAULT;
	return 0;
}
int wrappers_f18(int *k, struct wrappers __user *u)
{
	int bad = 1;
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(k[0], &u->a, efault);
	bad = 0;
efault:
	return wrappers_finish2(bad);
}

#define wrappers_open_or_return(to)				\
do {								\
	if (!user_write_access_begin(to, sizeof(*(to))))	\
		return -EFAULT;					\
} while (0)
#define wrappers_close() user_write_access_end()

static __always_inline int wrappers_put_inside(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

int wrappers_window_of_macros(u32 __user *to, u32 value)
{
	int ret;

	wrappers_open_or_return(to);
	ret = wrappers_put_inside(to, value);
	wrappers_close();
	return ret;
}

/* accesses in a helper, in a tree without windows of its own */
static __always_inline int wrappers_store(int *k, struct wrappers __user *u)
{
	unsafe_put_user(k[0], &u->a, efault);
	unsafe_put_user(k[1], &u->b, efault);
	return 0;
efault:
	return -EFAULT;
}
int wrappers_stored(int *k, struct wrappers __user *u)
{
	int err;

	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	err = wrappers_store(k, u);
	user_write_access_end();
	return err;
}

/* ## makes the names of the begin and the end */
#define wrappers_begin_in(mode, p)	user_##mode##_access_begin(p, sizeof(*(p)))
#define wrappers_end_in(mode)		user_##mode##_access_end()
int wrappers_pasted(u32 __user *to, u32 value)
{
	if (!wrappers_begin_in(write, to))	/* not followed */
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	wrappers_end_in(write);
	return 0;
efault:
	wrappers_end_in(write);
	return -EFAULT;
}

/* the result is stored through a pointer as well */
static __always_inline bool wrappers_noted(u32 __user *to, bool *open)
{
	*open = user_write_access_begin(to, sizeof(*to));	/* not followed */
	return *open;
}
int wrappers_flag(u32 __user *to, u32 value)
{
	bool open;

	if (!wrappers_noted(to, &open))	/* not followed */
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	if (open)
		user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* the result is the pointer, or an error in its place */
static __always_inline u32 __user *wrappers_pointer(u32 __user *to)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return (u32 __user *)-EFAULT;
	return to;
}
int wrappers_error_pointer(u32 __user *to, u32 value)
{
	to = wrappers_pointer(to);	/* not followed */
	if (IS_ERR((__force void *)to))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* the macro is that of a file which includes this one */
int wrappers_template(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	WRAPPERS_OF_TEMPLATE();	/* not followed */
	return 0;
efault:
	WRAPPERS_OF_TEMPLATE();
	return -EFAULT;
}
