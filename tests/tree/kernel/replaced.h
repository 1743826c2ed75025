/* user_access_begin */
#if 0
#else
#undef user_access_begin
#define user_access_begin(ptr,len) access_ok(ptr, len)
#endif
