MAKEFLAGS += --no-builtin-rules
GCC := $(CROSS_COMPILE)gcc $(if $(filter i386,$(ARCH)),-m32) -O2 -I$(CURDIR)/include
%config:
	@touch $(O)/.config
modules_prepare:
	@mkdir -p $(O)/tools/objtool
	@ln -sf /bin/true $(O)/tools/objtool/objtool
	@mkdir -p $(O)/arch/arm64/include/generated/asm
	@echo "#define ARM64_HAS_PAN 1" > $(O)/arch/arm64/include/generated/asm/cpucap-defs.h
%.o: FORCE
	cd $(O); $(GCC) -c -o $@ $(CURDIR)/$*.c ; ./tools/objtool/objtool --uaccess $@
.PHONY: FORCE
