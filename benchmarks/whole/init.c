// SPDX-License-Identifier: GPL-2.0
/*
 * /init of benchmarks/whole.py: runs the lines of /programs one after the other, and prints what each writes.
 *
 * A line is a name, a time limit in seconds, a folder, and the command, which runs there. What the kernel
 * complains about is printed, too.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOG (1 << 18)
#define CLEARING_READ 4
/* More than calls.c takes for an argument, but for powers of 2 */
#define NUMBERS 600

/* Between these the instructions of the kernel are counted (hotcocci/bench/plugin.c). */
__attribute__((noinline)) void calls_begin(void)
{
	asm volatile("");
}

__attribute__((noinline)) void calls_end(void)
{
	asm volatile("");
}

static void in_child(const char *folder, char *command)
{
	char *argv[16] = { NULL }, *envp[] = { "PATH=/:/bin", "HOME=/tmp", "TERM=dumb", NULL };
	/* An instruction is a nanosecond, and takes the host ten or more. */
	struct rlimit seconds = { 1, 2 };
	int n = 0, out = open("/out", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);

	for (char *word = strtok(command, " "); word && n < 15; word = strtok(NULL, " "))
		argv[n++] = word;
	dup2(open("/dev/null", O_RDONLY), 0);
	dup2(out, 1);
	dup2(out, 2);
	close(out);
	setsid();
	setrlimit(RLIMIT_CPU, &seconds);
	if (chdir(folder))
		_exit(126);
	execve(argv[0], argv, envp);
	_exit(127);
}

/* Wait for a child until a time, and then end all processes; returns its status. */
static int ended(pid_t pid, int seconds)
{
	struct timespec now, tick = { 0, 10000000 };
	time_t limit;
	int status = 0, all = 0;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	limit = now.tv_sec + seconds;
	while (waitpid(pid, &status, WNOHANG) != pid) {
		clock_gettime(CLOCK_MONOTONIC_RAW, &now);
		if (now.tv_sec >= limit && !all++)
			kill(-1, SIGKILL);
		nanosleep(&tick, NULL);
	}
	kill(-1, SIGKILL);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return all ? -1 : status;
}

static void complaints(const char *name)
{
	static char log[LOG];
	int many = klogctl(CLEARING_READ, log, LOG - 1);

	log[many < 0 ? 0 : many] = 0;
	for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n"))
		if (strstr(line, "BUG") || strstr(line, "WARNING:") || strstr(line, "Oops") ||
		    strstr(line, "RIP: 0010") || strstr(line, "UBSAN"))
			printf("%s kernel: %s\n", name, strstr(line, "] ") ? strstr(line, "] ") + 2 : line);
}

static void one(const char *name, int seconds, const char *folder, char *command)
{
	static char line[8192];
	int status;
	pid_t pid;
	FILE *out;

	printf("calls %s 1\n", name);
	fflush(stdout);
	calls_begin();
	pid = fork();
	if (pid == 0)
		in_child(folder, command);
	status = ended(pid, seconds);
	calls_end();
	out = fopen("/out", "r");
	while (out && fgets(line, sizeof(line), out))
		printf("%s: %s%s", name, line, strchr(line, '\n') ? "" : "\n");
	if (out)
		fclose(out);
	unlink("/out");
	printf("%s status: %d\n", name, status);
	complaints(name);
}

int main(void)
{
	static const char *const kinds[] = { "proc", "sysfs", "devtmpfs", "tmpfs", "devpts", "mqueue", "tmpfs",
					     "debugfs", "cgroup2", "binder" };
	static const char *const places[] = { "/proc", "/sys", "/dev", "/tmp", "/dev/pts", "/dev/mqueue", "/dev/shm",
					      "/sys/kernel/debug", "/sys/fs/cgroup", "/dev/binderfs" };
	char name[128], folder[128], command[512];
	int seconds;
	FILE *programs;

	for (unsigned int n = 0; n < sizeof(kinds) / sizeof(*kinds); n++) {
		mkdir(places[n], 01777);
		mount(kinds[n], places[n], kinds[n], 0, NULL);
	}
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	/* Seeded calls signal small numbers, which are to be no process of ours. */
	for (int n = 0; n < NUMBERS; n++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	complaints("boot");
	programs = fopen("/programs", "r");
	while (programs && fscanf(programs, "%127s %d %127s %511[^\n]", name, &seconds, folder, command) == 4)
		one(name, seconds, folder, command);
	printf("done\n");
	fflush(stdout);
	reboot(RB_AUTOBOOT);
	return 0;
}
