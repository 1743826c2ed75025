/* user_access_begin */
#ifndef user_access_begin
#define user_access_begin(ptr,len) access_ok(ptr, len)
#endif
