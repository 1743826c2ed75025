int generic_permission(void) { return x; }
