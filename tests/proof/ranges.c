/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Windows and the accesses in them, appended to kernel/compat.c. The comment before a function
 * says where the compiler sees its accesses; test_ranges.py reads it.
 */
#define BEGIN(mode, p, n)			\
do {						\
	if (!user_##mode##_begin(p, n))		\
		return -EFAULT;			\
} while (0)
#define R(p, n)		BEGIN(read_access, p, n)
#define W(p, n)		BEGIN(write_access, p, n)
#define RW(p, n)	BEGIN(access, p, n)

struct hc_inner {
	u32 x;
	u64 y;
};

struct hc_outer {
	u32 a;
	u64 b;
	void __user *p;
	u8 c[4];
	struct {
		struct hc_inner v[3];
	} n;
	u32 len;
};

#define FUNCTION(name, ...)	\
int name(__VA_ARGS__);		\
int name(__VA_ARGS__)
#define END			\
	user_access_end();	\
	return 0;		\
Efault:				\
	user_access_end();	\
	return -EFAULT

/* inside: fields of all kinds */
FUNCTION(hc_test0, struct hc_outer __user *s, u32 *o, u64 *o2)
{
	void __user *q;
	u64 y;
	u8 c;

	R(s, sizeof(*s));
	unsafe_get_user(y, &s->b, Efault);
	unsafe_get_user(q, &s->p, Efault);
	unsafe_get_user(c, &s->c[3], Efault);
	*o = c;
	*o2 = y + (unsigned long)q;
	unsafe_get_user(*o, &s->n.v[2].x, Efault);
	END;
}

/* inside: an array and a loop that is unrolled */
FUNCTION(hc_test1, u32 __user *p, u32 *v)
{
	int i;

	W(p, 8 * sizeof(*p));
	for (i = 0; i < 8; i++)
		unsafe_put_user(v[i], &p[i], Efault);
	END;
}

/* inside: a loop that is not unrolled */
FUNCTION(hc_test2, u32 __user *p, u32 *v)
{
	int i;

	W(p, 800 * sizeof(*p));
	for (i = 0; i < 800; i++)
		unsafe_put_user(v[i], p + i, Efault);
	END;
}

/* inside: read, then write, then a part of it */
FUNCTION(hc_test3, unsigned long arg, u32 *v)
{
	struct hc_outer __user *u = compat_ptr(arg);
	u32 a;

	RW(u, sizeof(*u));
	unsafe_get_user(a, &u->a, Efault);
	unsafe_put_user(a + 1, &u->len, Efault);
	unsafe_put_user(NULL, &u->p, Efault);
	user_access_end();
	R(&u->n, sizeof(u->n));
	unsafe_get_user(v[0], &u->n.v[0].x, Efault);
	unsafe_get_user(v[1], &u->n.v[1].x, Efault);
	END;
}

/* inside: scalars through a cast */
FUNCTION(hc_test4, char __user *buf, int *v)
{
	int __user *p = (int __user *)buf;

	R(p, 2 * sizeof(*p));
	unsafe_get_user(v[0], p, Efault);
	unsafe_get_user(v[1], p + 1, Efault);
	END;
}

/* inside: copies */
FUNCTION(hc_test5, struct hc_outer __user *u, void *from)
{
	W(u, sizeof(*u));
	unsafe_copy_to_user(&u->n, from, sizeof(u->n), Efault);
	END;
}

/* inside: the masked idiom */
FUNCTION(hc_test6, struct hc_inner __user *s, u32 x)
{
	if (can_do_masked_user_access())
		s = masked_user_access_begin(s);
	else
		W(s, sizeof(*s));
	unsafe_put_user(x, &s->x, Efault);
	unsafe_put_user(x, &s->y, Efault);
	END;
}

/* outside: one past the last element */
FUNCTION(hc_test7, u32 __user *p, u32 v)
{
	W(p, 8 * sizeof(*p));
	unsafe_put_user(v, &p[8], Efault);
	END;
}

/* outside: one byte too few */
FUNCTION(hc_test8, struct hc_inner __user *s, u64 y)
{
	W(s, sizeof(*s) - 1);
	unsafe_put_user(y, &s->y, Efault);
	END;
}

/* outside: before the base */
FUNCTION(hc_test9, struct hc_inner __user *s, u32 x)
{
	W(&s->y, sizeof(*s));
	unsafe_put_user(x, &s->x, Efault);
	END;
}

/* outside: a put in a read window */
FUNCTION(hc_test10, struct hc_inner __user *s, u32 x)
{
	R(s, sizeof(*s));
	unsafe_put_user(x, &s->x, Efault);
	END;
}

/* outside: a copy beyond the end */
FUNCTION(hc_test11, struct hc_outer __user *u, void *from)
{
	W(u, sizeof(*u));
	unsafe_copy_to_user(&u->n, from, sizeof(*u), Efault);
	END;
}

/* outside: after the end */
FUNCTION(hc_test12, struct hc_inner __user *s, u32 x)
{
	W(s, sizeof(*s));
	user_write_access_end();
	unsafe_put_user(x, &s->x, Efault);
	END;
}

/* not proved: another pointer than begun */
FUNCTION(hc_test13, struct hc_inner __user *s, struct hc_inner __user *other)
{
	W(s, sizeof(*s));
	unsafe_put_user(1, &other->x, Efault);
	END;
}

/* not proved: a base that is read again */
FUNCTION(hc_test14, struct hc_outer *s, struct hc_inner __user **at)
{
	R(*at, sizeof(**at));
	unsafe_get_user(s->a, &(*at)->x, Efault);
	unsafe_get_user(s->b, &(*at)->y, Efault);
	END;
}

/* not known: an index that the compiler does not bound */
FUNCTION(hc_test15, u32 __user *p, u32 *v)
{
	int i;

	W(p, 8 * sizeof(*p));
	for (i = 0; i <= 8; i++)
		unsafe_put_user(v[i], &p[i], Efault);
	END;
}

/* not known: a length known at run time */
FUNCTION(hc_test16, u32 __user *p, u32 *v, int n)
{
	int i;

	W(p, n * sizeof(*p));
	for (i = 0; i < n; i++)
		unsafe_put_user(v[i], &p[i], Efault);
	END;
}

/* not known: a window that the caller began */
FUNCTION(hc_test17, struct hc_inner __user *s)
{
	unsafe_put_user(1, &s->x, Efault);
	END;
}
