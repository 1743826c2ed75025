/* SPDX-License-Identifier: GPL-2.0 */
/* For probes only, nothing includes this: eight bytes cannot be loaded. */
#define __get_user_err(x, ptr, err)					\
do {									\
	switch (sizeof(*(ptr))) {					\
	case 1:								\
	case 2:								\
	case 4:								\
		(err) = __fixture_load(&(x), (ptr), sizeof(*(ptr)));	\
		break;							\
	default:							\
		__fixture_width_unknown();				\
	}								\
} while (0)
