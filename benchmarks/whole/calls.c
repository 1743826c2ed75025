// SPDX-License-Identifier: GPL-2.0
/*
 * Makes system calls with seeded arguments near the end of a page, or every ioctl on whatever can be opened.
 *
 * Arguments: calls SEED TIMES; ioctls SEED. For each call it prints the entry, what was called, what it
 * returned, errno, and a hash of the pages that the pointers are in.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
/* ioctls: all numbers of the tree, by the bits of a pointer. */
#include "ioctls.h"

#define PAGE 4096
#define FIRST_FD 3
#define LAST_FD 40
#define LAST_CALL 470
#define KINDS 3

struct outcome {
	int made, result, error;
	unsigned int hash;
};

static struct outcome *outcomes;
static int *reached;
static char *page;
static uint64_t state;

/* An argument of a call by the 32-bit entry is below 4 GiB. */
static uint32_t any(uint32_t below)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (state >> 33) % below;
}

static void seed(unsigned int a, unsigned int b, unsigned int c)
{
	state = a * 0x9e3779b97f4a7c15ull ^ b * 0xc2b2ae3d27d4eb4full ^ c * 0x165667b19e3779f9ull;
	any(2);
}

static unsigned int hash(void)
{
	unsigned int value = 0x811c9dc5;

	for (int n = 0; n < PAGE; n++)
		value = (value ^ (unsigned char)page[n]) * 0x01000193;
	return value;
}

/* What structures may hold: nothing, small numbers, descriptors, and pointers near the end of the page. */
static void fill(void)
{
	int kind = any(4);

	memset(page, 0, PAGE);
	for (int n = 0; kind && n < PAGE; n += 4) {
		uint32_t value = any(8) ? any(4) : any(2) ? any(LAST_FD) : (uint32_t)(uintptr_t)page + PAGE - any(300);

		memcpy(page + n, &value, 4);
		if (kind == 1)
			n += 4;
	}
	if (kind == 3)
		strcpy(page + PAGE - 8, "/tmp/f");
}

static long argument(void)
{
	static const long bad[] = { 0, 1, 4095, 0x7fffffff, 0xfffff000, 0xffffffff, 0x7ffffffff000, 0x800000000000,
				    -1, -4096, 0xffffffff81000000, 8 };
	switch (any(8)) {
	case 0:
		return any(4);
	case 1:
		return FIRST_FD + any(LAST_FD - FIRST_FD);
	case 2:
		return any(512);
	case 3:
		return bad[any(sizeof(bad) / sizeof(*bad))];
	case 4:
		return 1l << any(20);
	default:
		return (long)page + PAGE - 4 * any(any(2) ? 20 : 80) - (any(4) ? 0 : any(4));
	}
}

static long call(int bits, long nr, const long *a)
{
	long result;

	if (bits == 64) {
		register long r10 asm("r10") = a[3], r8 asm("r8") = a[4], r9 asm("r9") = a[5];

		asm volatile("syscall" : "=a"(result) : "a"(nr), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8),
			     "r"(r9) : "memory", "rcx", "r11");
		return result;
	}
	asm volatile("push %%rbp; mov %6, %%ebp; int $0x80; pop %%rbp" : "=a"(result)
		     : "a"(nr), "b"(a[0]), "c"(a[1]), "d"(a[2]), "S"(a[3]), "r"((int)a[5]), "D"(a[4])
		     : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

static void put(int n, int bits, long nr, const long *a)
{
	struct itimerval soon = { { 0, 20000 }, { 0, 20000 } };
	long result;

	*reached = n + 1;
	setitimer(ITIMER_REAL, &soon, NULL);
	result = call(bits, nr, a);
	outcomes[n] = (struct outcome){ 1, result, result < 0 && result > -4096 ? -result : 0, hash() };
}

static void nothing(int signal)
{
	(void)signal;
}

/* Run a part from where it got to, in processes that may die, until all its calls were made. */
static void parts(void (*part)(int from, const long *), const long *what, int many)
{
	memset(outcomes, 0, many * sizeof(*outcomes));
	for (*reached = 0; *reached < many;) {
		struct timespec tick = { 0, 1000000 };
		int status, from = *reached, ticks = 0;
		pid_t pid = fork();

		if (pid == 0) {
			struct rlimit limit = { 2, 3 };
			int null = open("/dev/null", O_RDWR);

			/* It must not write to our output. */
			for (int fd = 0; fd < FIRST_FD; fd++)
				dup2(null, fd);
			close(null);
			setrlimit(RLIMIT_CPU, &limit);
			part(from, what);
			_exit(0);
		}
		while (waitpid(pid, &status, WNOHANG) != pid || WIFSTOPPED(status) || WIFCONTINUED(status)) {
			if (ticks++ > 3000)
				kill(pid, SIGKILL);
			nanosleep(&tick, NULL);
		}
		if (*reached == from)
			++*reached;
	}
}

static int left_out(int bits, int nr)
{
	/* These end, copy or hang the process or the machine. */
	static const int by64[] = { SYS_exit, SYS_exit_group, SYS_fork, SYS_vfork, SYS_clone, SYS_clone3, SYS_reboot,
				    SYS_kill, SYS_vhangup, SYS_restart_syscall, SYS_rt_sigreturn, SYS_syslog, -1 };
	static const int by32[] = { 1, 252, 2, 190, 120, 435, 88, 37, 111, 0, 119, 173, 103, -1 };

	for (const int *each = bits == 64 ? by64 : by32; *each >= 0; each++)
		if (*each == nr)
			return 1;
	return 0;
}

static void of_call(int from, const long *what)
{
	for (int n = from; n < what[2]; n++) {
		long a[6];

		seed(what[3], what[0] << 16 | what[1], n);
		fill();
		for (int each = 0; each < 6; each++)
			a[each] = argument();
		put(n, what[0], what[1], a);
	}
}

static void of_ioctls(int from, const long *what)
{
	const unsigned int *numbers = what[0] == 64 ? ioctls64 : ioctls32;

	for (int n = from; n < what[2]; n++) {
		unsigned int number = numbers[n / KINDS], size = number >> 16 & 0x3fff;
		/* All of its structure, all but some of it, and the page before it. */
		long in[KINDS] = { size, size ? any(size) : any(64), size + PAGE / 2 };
		long a[6] = { what[1], number };

		seed(what[3], number, n);
		fill();
		a[2] = (long)page + PAGE - in[n % KINDS] % PAGE;
		put(n, what[0], what[0] == 64 ? SYS_ioctl : 54, a);
	}
}

static void calls(unsigned int seed, int times)
{
	for (int bits = 64; bits >= 32; bits -= 32)
		for (int nr = 0; nr < LAST_CALL; nr++) {
			const long what[] = { bits, nr, times, seed };

			if (left_out(bits, nr))
				continue;
			parts(of_call, what, times);
			for (int n = 0; n < times; n++)
				printf("%d call%d.%d %d %d %x\n", bits, nr, n, outcomes[n].result, outcomes[n].error,
				       outcomes[n].made ? outcomes[n].hash : 0);
		}
}

static void on(const char *name, int fd, unsigned int seed)
{
	for (int bits = 64; fd >= 0 && bits >= 32; bits -= 32) {
		int many = KINDS * (bits == 64 ? IOCTLS64 : IOCTLS32);
		const long what[] = { bits, fd, many, seed };

		parts(of_ioctls, what, many);
		for (int n = 0; n < many; n++)
			if (outcomes[n].error != ENOTTY && outcomes[n].error != EBADF)
				printf("%d %s.%x.%d %d %d %x\n", bits, name,
				       (bits == 64 ? ioctls64 : ioctls32)[n / KINDS], n % KINDS, outcomes[n].result,
				       outcomes[n].error, outcomes[n].made ? outcomes[n].hash : 0);
	}
	close(fd);
}

/* A device that is opened stops the machine, or is this program's own output. */
static int is_left_out(const char *name)
{
	return strstr(name, "watchdog") || strstr(name, "/dev/mem") || strstr(name, "/dev/port") ||
	       strstr(name, "console") || strstr(name, "ttyS") || strcmp(name, "/dev/tty") == 0 ||
	       strstr(name, "kmsg");
}

static int opened(const char *name)
{
	struct itimerval soon = { { 1, 0 }, { 1, 0 } };
	int fd;

	setitimer(ITIMER_REAL, &soon, NULL);
	fd = open(name, O_RDWR | O_NONBLOCK);
	return fd >= 0 ? fd : open(name, O_RDONLY | O_NONBLOCK);
}

static void below(const char *folder, unsigned int seed)
{
	struct dirent **names;
	int many = scandir(folder, &names, NULL, alphasort);

	for (int n = 0; n < many; n++) {
		char name[300];
		struct stat known;

		snprintf(name, sizeof(name), "%s/%s", folder, names[n]->d_name);
		if (names[n]->d_name[0] == '.' || lstat(name, &known) < 0 || is_left_out(name))
			continue;
		if (S_ISDIR(known.st_mode))
			below(name, seed);
		else if (S_ISCHR(known.st_mode) || S_ISBLK(known.st_mode))
			on(name, opened(name), seed);
	}
}

static void sockets(unsigned int seed)
{
	for (int family = 0; family < 46; family++)
		for (int type = 1; type < 6; type++) {
			char name[32];

			snprintf(name, sizeof(name), "socket.%d.%d", family, type);
			on(name, socket(family, type, 0), seed);
		}
}

/* Descriptors of many kinds, for arguments to find. */
static void descriptors(void)
{
	int two[2];
	pid_t other = fork();

	/* A call may kill it. */
	while (other == 0)
		pause();
	open("/tmp/f", O_RDWR | O_CREAT, 0644);
	open("/tmp", O_RDONLY | O_DIRECTORY);
	pipe2(two, O_NONBLOCK);
	eventfd(1, EFD_NONBLOCK);
	epoll_create1(0);
	inotify_init1(IN_NONBLOCK);
	timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, two);
	socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, two);
	for (int family = 0; family < 30; family++)
		socket(family, (family & 1 ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK, 0);
	memfd_create("m", 0);
	open("/dev/zero", O_RDWR);
	open("/dev/urandom", O_RDWR);
	open("/dev/ptmx", O_RDWR | O_NONBLOCK);
	syscall(SYS_pidfd_open, other, 0);
	open("/proc/self/mem", O_RDONLY);
}

int main(int argc, char **argv)
{
	struct sigaction quiet = { .sa_handler = nothing };
	unsigned int number = argc > 2 ? atoi(argv[2]) : 1;
	int times = argc > 3 ? atoi(argv[3]) : 60;
	size_t room = KINDS * (IOCTLS64 + IOCTLS32 + times) * sizeof(*outcomes);

	outcomes = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	reached = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	mprotect(page + PAGE, PAGE, PROT_NONE);
	sigaction(SIGALRM, &quiet, NULL);
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	if (argc > 1 && strcmp(argv[1], "ioctls") == 0) {
		below("/dev", number);
		sockets(number);
	} else {
		descriptors();
		calls(number, times);
	}
	return 0;
}
