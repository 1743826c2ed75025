#include <linux/helpers.h>
#define unsafe_put_pair(a, b, to, label)	\
do {						\
	unsafe_put_user(a, to, label);		\
	unsafe_put_user(b, (to) + 1, label);	\
} while (0)
#define unsafe_add(to, label)			\
do {						\
	u32 __old;				\
	unsafe_get_user(__old, to, label);	\
	unsafe_put_pair(__old, 1, to, label);	\
} while (0)
#define load(to, from) get(to, from)
#define give_up(x) if (x) goto out
#define leave(x) if (x) return
#define opens_one(to, from)			\
({ user_read_access_begin(from, 4); unsafe_get_user(to, from, l); l: user_read_access_end(); })
static void jumps(void)
{
out:
	nobody_knows();
}
