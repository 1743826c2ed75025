// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: counter
 * Sizes: 1
 * Reaches: perf_read
 * Options: PERF_EVENTS
 * Bytes: times
 */
#include "bench.h"
#include <linux/perf_event.h>

static int counter;

static int setup(int size)
{
	static struct perf_event_attr asked = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .size = sizeof(asked),
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_ID,
	};

	counter = syscall(SYS_perf_event_open, &asked, 0, -1, -1, 0);
	return counter;
}

OPERATION(syscall(SYS_read, counter, object, 24), .setup = setup, .fixed = 24);
