#include <linux/basic.h>
#include "near.h"

struct all {
	u32 narrow; /* ; not the end } */
	my_wider wide;
	unsigned long long also_wide, wide_array[2];
	__s64 __user *pointer_to_wide;
	unsigned a : 4, b : 4;
	enum color color;
	char name[16] __aligned(8);
	int matrix[2][3];
	int named_bound[MAX_NAME];
	struct named in;
	named_t also_in;
	pair_t pair;
	struct named many[4];
	struct {
		int x;
		union { int y; my_wide z; };
	};
	union { int i; struct { u32 lo, hi; } half; } u __attribute__((aligned(8)));
	struct near near;
	void (*call)(int, int);
	const volatile int last_one;
	struct unknown_type strange;
	strange_t stranger;
};
