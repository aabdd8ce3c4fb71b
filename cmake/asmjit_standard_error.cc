// Debian's libasmjit.a is compiled for programs: a shared library cannot hold its reference to a variable of the C library,
// stderr, in asmjit's report of its own failures. In libdaelab.so, linked with --wrap=stderr, `stderr` is this copy.
#include <cstdio>

extern "C" {
extern FILE* __real_stderr;
[[gnu::visibility("hidden")]] FILE* __wrap_stderr;
}

// Before whatever may print while it is loaded.
[[gnu::constructor(101)]] static void copy_stderr() { __wrap_stderr = __real_stderr; }
