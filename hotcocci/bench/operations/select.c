// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: core_sys_select
 * Machines: x86-64 powerpc-e500
 * Bytes: times
 */
#include "bench.h"
#include <sys/select.h>

/* SYS_select of 32-bit PowerPC guesses which select() is meant. */
#ifndef SYS__newselect
#define SYS__newselect SYS_select
#endif

/* The timeout is after three sets of 64 bits. */
OPERATION(syscall(SYS__newselect, 0, object, object + 8, object + 16, object + 24), .fixed = 40);
