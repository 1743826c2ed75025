int far_away(int x);
int far_off(int x);
DEFINE_LOCK_GUARD_1(far, int,
		    far_away(_T->lock),
		    far_off(_T->lock))

#define coldly(x) __builtin_expect(!!(x), 0)
