// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the operations of table.h one after the other, each in a process of its own, and prints a line for each.
 *
 * As /init of a kernel under QEMU, whose plugin counts instructions. With "n" it is an ordinary program on
 * the running kernel, and counts the ticks of the processor's counter, pinned.
 */
#include "bench.h"
#include <sched.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include "table.h"

#define PAGE 4096
/* The largest object, in pages. */
#define PAGES 16

char *object;
const char *known = "/tmp";
static char *pages;

static inline unsigned long long ticks(void)
{
#ifdef __aarch64__
	unsigned long long now;

	asm volatile("isb; mrs %0, cntvct_el0; isb" : "=r"(now) :: "memory");
	return now;
#elif defined(__powerpc__)
	return __builtin_ppc_get_timebase();
#else
	unsigned int low, high;

	asm volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high) :: "memory");
	return (unsigned long long)high << 32 | low;
#endif
}

static unsigned long long hash(const char *bytes, size_t many)
{
	unsigned long long value = 0xcbf29ce484222325ull;

	while (many--)
		value = (value ^ (unsigned char)*bytes++) * 0x100000001b3ull;
	return value;
}

static long nothing(int size)
{
	return size;
}

static void before(const struct row *row)
{
	if (row->operation && row->operation->before)
		row->operation->before(row->size);
}

/* What the call returns, after it was made some times: the first may take longer. */
static long warm(const struct row *row, long (*once)(int))
{
	long result = 0;

	for (int n = 0; n < 3; n++) {
		before(row);
		result = once(row->size);
	}
	return result < 0 ? -(long)errno : result;
}

static void measure(const struct row *row)
{
	long (*once)(int) = row->operation ? row->operation->once : nothing;

	printf("count %s %d %ld", row->name, row->size, warm(row, once));
	for (int n = 0; n < 1001; n++) {
		unsigned long long start;

		before(row);
		start = ticks();
		once(row->size);
		printf(" %llu", ticks() - start);
	}
	printf("\n");
}

/* Between these the instructions of the kernel that run are counted (plugin.c). */
__attribute__((noinline)) void calls_begin(void)
{
	asm volatile("");
}

__attribute__((noinline)) void calls_end(void)
{
	asm volatile("");
}

static void calls(const struct row *row)
{
	long result = warm(row, row->operation->once);

	for (int n = 0; n < 4; n++) {
		before(row);
		printf("calls %s %d %ld\n", row->name, row->size, result);
		fflush(stdout);
		calls_begin();
		row->operation->once(row->size);
		calls_end();
	}
}

/* One call with the object at an address, and what is in its pages afterwards. */
static void faulty(const struct row *row, const char *kind, long where, char *at)
{
	long result;

	before(row);
	object = at;
	errno = 0;
	result = row->operation->once(row->size);
	printf("fault %s %d %s %ld %ld %d %llx\n", row->name, row->size, kind, where, result,
	       result < 0 ? errno : 0, hash(pages, PAGES * PAGE));
}

static void faults(const struct row *row)
{
	/* Those of 64 bits are cut off on machines of 32. */
	static const unsigned long long bad[] = {
		0, 1, 4095, 0x7fffffff, 0xc0000000, 0xfffff000, 0xffffffff, 0x100000000, 0x7ffffffff000, 0x7fffffffffff,
		0x800000000000, 0x8000000000000000, 0xffff888000000000, 0xffffffff81000000, 0xfffffffffffffff8,
		0xffffffffffffffff,
	};
	size_t bytes = row->operation->fixed + row->operation->each * row->size;
	char *end = pages + PAGES * PAGE, *saved = malloc(bytes);

	memcpy(saved, object, bytes);
	/* The object ends, byte by byte, in a page that is not there. */
	for (size_t in = 0; in <= bytes; in++) {
		memset(pages, 0x5a, PAGES * PAGE);
		memcpy(end - in, saved, in);
		faulty(row, "before", in, end - in);
	}
	for (size_t in = 1; in <= bytes && in <= 64; in++) {
		memset(pages, 0x5a, PAGES * PAGE);
		memcpy(pages, saved + in, bytes - in);
		faulty(row, "behind", in, pages - in);
	}
	for (size_t n = 0; n < sizeof(bad) / sizeof(*bad); n++)
		faulty(row, "bad", n, (char *)(uintptr_t)bad[n]);
	memset(pages, 0x5a, PAGES * PAGE);
	memcpy(pages, saved, bytes);
	mprotect(pages, PAGES * PAGE, PROT_READ);
	faulty(row, "readonly", 0, pages);
}

static void child(const struct row *row, int mode)
{
	struct rlimit limit = { 60, 60 };

	setrlimit(RLIMIT_CPU, &limit);
	alarm(60);
	/* A page that is not there on both sides. */
	pages = mmap(NULL, (PAGES + 2) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (pages == MAP_FAILED)
		_exit(2);
	pages += PAGE;
	mprotect(pages, PAGES * PAGE, PROT_READ | PROT_WRITE);
	memset(pages, 0, PAGES * PAGE);
	object = pages;
	if (row->operation && row->operation->setup && row->operation->setup(row->size) < 0)
		printf("absent %s %d %d\n", row->name, row->size, errno);
	else if (mode == 'c')
		calls(row);
	else if (mode == 'n')
		measure(row);
	else if (row->operation->fixed + row->operation->each)
		faults(row);
	/* Removes what would outlive the process. */
	exit(0);
}

static void boot(void)
{
	static const struct timespec times[2] = { { 1000000000, 0 }, { 1000000000, 0 } };

	known = "/known";
	/* The time of its change is that of the last tick, or this. */
	clock_settime(CLOCK_REALTIME, times);
	close(open(known, O_WRONLY | O_CREAT, 0644));
	utimensat(AT_FDCWD, known, times, 0);
	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/dev", 0755);
	mkdir("/tmp", 01777);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
	mount("tmpfs", "/tmp", "tmpfs", 0, NULL);
	chdir("/tmp");
}

/* Argument: c for calls and f for faults under QEMU, n for this machine. */
int main(int argc, char **argv)
{
	/* The kernel hands on parameters that it does not know, before ours. */
	int mode = argc > 1 ? argv[argc - 1][0] : 'n';
	static const struct row empty = { "nothing", 0, NULL };

	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	if (getpid() == 1)
		boot();
	if (mode == 'n') {
		struct timespec from, to;
		cpu_set_t one;
		unsigned long long start;

		CPU_ZERO(&one);
		CPU_SET(sched_getcpu(), &one);
		sched_setaffinity(0, sizeof(one), &one);
		clock_gettime(CLOCK_MONOTONIC_RAW, &from);
		start = ticks();
		do
			clock_gettime(CLOCK_MONOTONIC_RAW, &to);
		while (to.tv_sec < from.tv_sec + 2);
		printf("rate %llu\n", (ticks() - start) * 1000000000ull /
		       ((to.tv_sec - from.tv_sec) * 1000000000ull + to.tv_nsec - from.tv_nsec));
	}
	for (const struct row *row = &empty; row; row = row == &empty ? table : row[1].name ? row + 1 : NULL) {
		int status = 0;
		pid_t pid;

		if (mode != 'n' && row == &empty)
			continue;
		fflush(stdout);
		pid = fork();
		if (pid == 0)
			child(row, mode);
		waitpid(pid, &status, 0);
		if (status)
			printf("ended %s %d %d\n", row->name, row->size, status);
	}
	printf("done\n");
	fflush(stdout);
	if (getpid() == 1)
		reboot(RB_AUTOBOOT);
	return 0;
}
