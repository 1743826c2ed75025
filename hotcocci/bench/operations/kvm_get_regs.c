// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: kvm_vcpu_ioctl kvm_arch_vcpu_ioctl_get_regs
 * Machines: x86-64
 * Options: CPU_SUP_AMD VIRTUALIZATION KVM KVM_AMD
 */
#include "bench.h"
#include <linux/kvm.h>
#include <sys/ioctl.h>

static int vcpu = -1;

static int setup(int size)
{
	int kvm = open("/dev/kvm", O_RDWR), machine;

	machine = kvm < 0 ? -1 : ioctl(kvm, KVM_CREATE_VM, 0);
	if (machine >= 0)
		vcpu = ioctl(machine, KVM_CREATE_VCPU, 0);
	return vcpu;
}

OPERATION(syscall(SYS_ioctl, vcpu, KVM_GET_REGS, object),
	  .setup = setup, .fixed = sizeof(struct kvm_regs));
