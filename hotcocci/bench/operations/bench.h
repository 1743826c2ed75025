/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One operation of the benchmark: a file of its own, whose head says what it measures.
 *
 * The structure of its system call is at ``object``, which setup() may fill, so that a
 * run with faults can move it to the end of a page.
 */
#ifndef BENCH_H
#define BENCH_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct operation {
	/* Prepares once(); negative, with errno, if this kernel cannot. Fills what it reads from object. */
	int (*setup)(int size);
	/* What has to be done before each call, if anything; not counted. */
	void (*before)(int size);
	/* The system call; what it returns. */
	long (*once)(int size);
	/* Bytes of the structure, and of one more unit of it. */
	size_t fixed, each;
};

/* The system call, for a size, and the other members. */
#define OPERATION(call, ...) \
	static long called(int size) \
	{ \
		return call; \
	} \
	const struct operation NAME = { .once = called, __VA_ARGS__ }

/* Below 4 GiB, for the 32-bit entry, as is all that is static. */
extern char *object;
/* A file; under QEMU its times are the same in all kernels. */
extern const char *known;

/* ARM64 has only the newer of some system calls, and so has 32-bit PowerPC. */
#ifndef SYS_access
#define SYS_access SYS_faccessat, AT_FDCWD
#define SYS_readlink SYS_readlinkat, AT_FDCWD
#endif
#ifndef SYS_semtimedop
#define SYS_semtimedop SYS_semtimedop_time64
#endif
#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif
#ifdef __powerpc__
/* Not in gcc 12. */
#define __builtin_thread_pointer() ({ void *thread; asm("mr %0, 2" : "=r"(thread)); thread; })
#endif

#ifdef __x86_64__
/* A system call by the 32-bit entry, which 64-bit programs reach by int 0x80; -1 and errno on an error. */
static inline long call32(long nr, long a, long b, long c, long d, long e)
{
	long result;

	asm volatile("int $0x80"
		     : "=a"(result)
		     : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
		     : "memory", "r8", "r9", "r10", "r11");
	result = (int)result;
	if (result < 0 && result > -4096) {
		errno = -result;
		return -1;
	}
	return result;
}

/* The object as the 32-bit entry takes it. */
#define OBJECT32 ((long)(uintptr_t)object)

#endif

#endif
