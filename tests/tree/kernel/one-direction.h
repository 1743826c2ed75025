/* user_access_begin user_write_access_begin */
#define user_access_begin(ptr,len) access_ok(ptr, len)
#define user_write_access_begin user_access_begin
