# SPDX-License-Identifier: GPL-2.0
"""The C source of the process that maps a fixture and calls its function.

It reads a fixture (fixture.py) from the file in argv[1] and pins itself to the CPU in argv[2]. For
each line "warm calls" on standard input it calls the function that often and prints the cycles of
the time stamp counter, nanoseconds and core cycles that ``calls`` calls took, the same for as many
calls of an empty function, and the cycles of the time stamp counter for a chain of multiplications,
three core cycles each, which shows the frequency. Core cycles are 0 if the kernel permits no
counter.

A seccomp filter is set before the tree's code runs: of all system calls it could only read and
write open files, which are the pipes and the fixture, and exit.
"""

SOURCE = r"""
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

/* Restored before each call: what the function and its callees change. */
struct word {
	uint64_t address, before, after;
};

uint64_t *hc_answer;		/* the next call's result and writes */
static uint64_t saved_stack __attribute__((used));
static uint64_t *answers, *answers_end;
static uint64_t arguments[6], stack, entry, result, result_mask;
static struct word *words;
static uint64_t word_count;
static int counter = -1;
static double tsc_per_ns;
static char input[256], output[256];	/* no allocation once sealed */

uint64_t hc_enter(uint64_t function, const uint64_t *arguments, uint64_t stack);
void hc_nothing(void);
extern const char hc_stubs[] __attribute__((visibility("hidden")));

asm(".text\n"
    ".p2align 6\n"
    ".globl hc_enter\n"
    "hc_enter:\n"
    "	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
    "	mov %rsp, saved_stack(%rip)\n"
    "	mov %rdi, %rax; mov %rsi, %r10; mov %rdx, %rsp\n"
    "	mov (%r10), %rdi; mov 8(%r10), %rsi; mov 16(%r10), %rdx\n"
    "	mov 24(%r10), %rcx; mov 32(%r10), %r8; mov 40(%r10), %r9\n"
    "	call *%rax\n"
    "	mov saved_stack(%rip), %rsp\n"
    "	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
    "	ret\n"
    ".p2align 6\n"
    ".globl hc_nothing\n"
    "hc_nothing: ret\n"
    /* A stub for a callee: its result, and the memory that it wrote. */
    ".p2align 6\n"
    "stub_answer:\n"
    "	mov hc_answer@GOTPCREL(%rip), %r11\n"
    "	mov (%r11), %r10\n"
    "	mov (%r10), %rax\n"
    "	mov 8(%r10), %rcx\n"
    "	add $16, %r10\n"
    "	test %rcx, %rcx\n"
    "	jz 2f\n"
    "1:	mov (%r10), %rdx\n"
    "	mov 8(%r10), %rsi\n"
    "	mov %rsi, (%rdx)\n"
    "	add $16, %r10\n"
    "	dec %rcx\n"
    "	jnz 1b\n"
    "2:	mov %r10, (%r11)\n"
    "	ret\n"
    ".p2align 6\n"
    "stub_copy: mov %rdi, %rax; mov %rdx, %rcx; rep movsb; ret\n"
    ".p2align 6\n"
    "stub_fill: mov %rdi, %r9; mov %esi, %eax; mov %rdx, %rcx; rep stosb; mov %r9, %rax; ret\n"
    /* __check_object_size() of a stack object: 2 loads, 5 comparisons. */
    ".p2align 6\n"
    "stub_check: test %rsi, %rsi\n"
    "	jz 3f\n"
    "	lea -1(%rdi,%rsi), %rax\n"
    "	cmp %rdi, %rax\n"
    "	jb 4f\n"
    "	cmp $16, %rdi\n"
    "	jbe 4f\n"
    "	mov stack_end(%rip), %rcx\n"
    "	mov stack_begin(%rip), %r8\n"
    "	lea (%rdi,%rsi), %rax\n"
    "	cmp %r8, %rax\n"
    "	jbe 3f\n"
    "	cmp %rcx, %rdi\n"
    "	jae 3f\n"
    "3:	ret\n"
    "4:	ud2\n"
    ".data\n"
    "stack_begin: .quad 4096\n"
    "stack_end: .quad -1\n"
    ".section .data.rel.ro,\"aw\"\n"
    "hc_stubs: .quad stub_answer, stub_copy, stub_fill, stub_check\n"
    ".text\n");

static void die(const char *why)
{
	fprintf(stderr, "%s\n", why);
	_exit(2);
}

static void crashed(int signal, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	char text[160];
	int size = snprintf(text, sizeof(text), "signal %d at %#llx, address %#llx\n",
			    signal, (unsigned long long)at->uc_mcontext.gregs[REG_RIP],
			    (unsigned long long)info->si_addr);

	if (write(2, text, size) < 0)
		_exit(4);
	_exit(3);
}

static void catch_crashes(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP };
	struct sigaction action = { .sa_sigaction = crashed,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t other = { .ss_sp = malloc(65536), .ss_size = 65536 };

	sigaltstack(&other, NULL);
	for (unsigned int n = 0; n < sizeof(signals) / sizeof(*signals); n++)
		sigaction(signals[n], &action, NULL);
}

static void count_cycles(void)
{
	struct perf_event_attr attributes = { .type = PERF_TYPE_HARDWARE,
					      .size = sizeof(attributes),
					      .config = PERF_COUNT_HW_CPU_CYCLES,
					      .exclude_kernel = 1, .exclude_hv = 1 };

	counter = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

static uint64_t cycles(void)
{
	uint64_t value = 0;

	if (counter >= 0 && read(counter, &value, sizeof(value)) != sizeof(value))
		return 0;
	return value;
}

static uint64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void learn_frequency(void)
{
	uint64_t tsc = __rdtsc(), start = nanoseconds(), now;

	do {
		now = nanoseconds();
	} while (now - start < 20000000);
	tsc_per_ns = (double)(__rdtsc() - tsc) / (now - start);
}

#define ALLOW(name)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Before code of the tree runs. Strict mode would forbid the time stamp counter, too. */
static void seal(void)
{
	static struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(read), ALLOW(write), ALLOW(exit_group), ALLOW(rt_sigreturn),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	static const struct sock_fprog program = {
		sizeof(filter) / sizeof(*filter), filter
	};

	setvbuf(stdin, input, _IOFBF, sizeof(input));
	setvbuf(stdout, output, _IOFBF, sizeof(output));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		die("the process cannot be sealed");
}

static void stub(uint64_t address, uint64_t kind)
{
	uint64_t target = ((const uint64_t *)hc_stubs)[kind];
	unsigned char code[13] = { 0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3 };

	memcpy(code + 2, &target, sizeof(target));
	memcpy((void *)address, code, sizeof(code));
}

static const uint64_t *load(const uint64_t *at)
{
	uint64_t count = *at++;

	while (count--) {
		uint64_t address = *at++, size = *at++;
		void *place = mmap((void *)address, size, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		if (place != (void *)address)
			die("memory of the fixture cannot be mapped");
		memcpy(place, at, size);
		at += size / 8;
	}
	count = *at++;
	for (; count--; at += 2)
		stub(at[0], at[1]);
	memcpy(arguments, at, sizeof(arguments));
	at += 6;
	stack = *at++;
	entry = *at++;
	result = *at++;
	result_mask = *at++;
	if (syscall(SYS_arch_prctl, ARCH_SET_GS, *at++))
		die("gs cannot be set");
	word_count = *at++;
	words = (struct word *)at;
	at += 3 * word_count;
	count = *at++;
	answers = (uint64_t *)at;
	answers_end = answers + count;
	return at + count;
}

static inline uint64_t once(uint64_t function)
{
	for (uint64_t n = 0; n < word_count; n++)
		*(volatile uint64_t *)words[n].address = words[n].before;
	hc_answer = answers;
	return hc_enter(function, arguments, stack);
}

/* Whether the function does here what it did in the emulator. */
static void check(void)
{
	uint64_t value = once(entry);

	if ((value ^ result) & result_mask)
		die("it returns another value than in the emulator");
	if (hc_answer != answers_end)
		die("it makes other calls than in the emulator");
	for (uint64_t n = 0; n < word_count; n++)
		if (*(uint64_t *)words[n].address != words[n].after)
			die("it leaves other memory than in the emulator");
}

static void timed(uint64_t function, long warm, long calls)
{
	uint64_t tsc, core;

	for (long n = 0; n < warm; n++)
		once(function);
	core = cycles();
	tsc = __rdtsc();
	for (long n = 0; n < calls; n++)
		once(function);
	tsc = __rdtsc() - tsc;
	core = cycles() - core;
	printf("%llu %llu %llu ", (unsigned long long)tsc,
	       (unsigned long long)(tsc / tsc_per_ns), (unsigned long long)core);
}

/* 3,000 core cycles: a multiplication takes 3 on all processors from Nehalem and Zen on. */
static void chain(void)
{
	uint64_t tsc = __rdtsc(), value = 1;

	for (int n = 0; n < 100; n++)
		asm volatile(".rept 10\n imul %0, %0\n .endr" : "+r" (value));
	printf("%llu", (unsigned long long)(__rdtsc() - tsc));
}

int main(int argc, char **argv)
{
	cpu_set_t set;
	long warm, calls;
	int file = argc > 2 ? open(argv[1], O_RDONLY) : -1;
	off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
	uint64_t *data;

	if (size <= 0)
		die("the fixture cannot be read");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[2]), &set);
	sched_setaffinity(0, sizeof(set), &set);
	data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	if (data == MAP_FAILED)
		die("the fixture cannot be mapped");
	catch_crashes();
	load(data);
	count_cycles();
	learn_frequency();
	seal();
	check();
	check();
	printf("ready\n");
	fflush(stdout);
	while (scanf("%ld %ld", &warm, &calls) == 2) {
		timed(entry, warm, calls);
		timed((uint64_t)hc_nothing, warm, calls);
		chain();
		printf("\n");
		fflush(stdout);
	}
	return 0;
}
"""
