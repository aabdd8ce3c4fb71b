// The machine and the libraries that results come from: what may be different on another one.
#pragma once

#include <optional>

#include "core/base/json.hpp"

namespace daelab {

/// {"Eigen": "3.4.0", ...}, all that take part in numbers. Of BLAS, LAPACK and the C library what is loaded, not what
/// was there at compile time.
Json library_versions();

/// "Linux 6.1.0 x86_64; Debian GNU/Linux 12 (bookworm)"
std::string operating_system();

/// "AMD EPYC 7B13"; some processors have no name: "unknown".
std::string cpu_model();

/// What runs can share.
int cores();

/// The mean number of processes that wanted to run in the last minute, of all users; none where the system does not
/// say.
std::optional<double> machine_load();

/// Extensions of the instruction set that compiler, libraries or machine code may choose by: ["sse2", "avx", "fma",
/// ...].
Json cpu_extensions();

/// Variables of the environment that are set and choose code or libraries: {"GLIBC_TUNABLES": "..."}.
Json deciding_environment();

}  // namespace daelab
