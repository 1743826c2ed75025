// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another address for set_pte_at(), which x86 ignores
 * Verdict: not proven
 * Says: set_ptes\(\) makes no use of it
 */
#include <linux/mm.h>
#include <linux/pgtable.h>

void changed(struct vm_area_struct *vma, unsigned long addr, pte_t *pte, pte_t entry)
{
	set_pte_at(vma->vm_mm, addr, pte, entry);
	vma->vm_private_data = NULL;
}
