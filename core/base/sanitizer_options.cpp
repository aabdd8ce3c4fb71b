// How AddressSanitizer is set in what it is built into.
#include "core/base/sanitizer.hpp"

#ifdef DAELAB_ADDRESS_SANITIZER

// LeakSanitizer takes a block of thread-local storage that begins 16 bytes behind the start of a page for one with a
// header that glibc had until 2.19, reads the size of another there, and crashes: "Tracer caught signal 11", in any
// program that loads a module, as its allocations happen to fall. Leaks are found without it, too.
extern "C" const char* __asan_default_options() { return "intercept_tls_get_addr=0"; }

// setlocale() of the C library keeps the names of its folders.
extern "C" const char* __lsan_default_suppressions() { return "leak:argz_add_sep\n"; }

#endif
