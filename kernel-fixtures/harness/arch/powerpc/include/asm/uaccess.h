/* SPDX-License-Identifier: GPL-2.0 */
/* For probes only, nothing includes this: a window here opens and closes something. */
#define user_access_begin	user_access_begin
