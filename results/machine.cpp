#include "results/machine.hpp"

#include <dlfcn.h>
#include <gmp.h>
#include <gnu/libc-version.h>
#include <mpfr.h>
#include <oneapi/tbb/version.h>
#include <sleef.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <SuiteSparseQR_C.h>
#include <SuiteSparse_config.h>
#include <asmjit/core/api-config.h>
#include <cholmod.h>
#include <klu.h>
#include <xxhash.h>

#include <fmt/format.h>
#include <Eigen/Core>
#include <boost/version.hpp>
#include <nlohmann/json_fwd.hpp>

#include "core/solvers/sparse_rank.hpp"

namespace daelab {
namespace {

std::string version(int major, int minor, int patch) { return fmt::format("{}.{}.{}", major, minor, patch); }

// The file of the library that a function comes from.
std::string file_of(const char* function) {
  void* address = ::dlsym(RTLD_DEFAULT, function);
  Dl_info info{};
  if (address == nullptr || ::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "unknown";
  std::error_code error;
  const auto file = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : file.string();
}

// PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
std::string distribution() {
  std::ifstream file("/etc/os-release");
  const std::string key = "PRETTY_NAME=";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) {
      std::erase(line, '"');
      return line.substr(key.size());
    }
  return "unknown";
}

}  // namespace

Json library_versions() {
  Json versions = {
      {"Eigen", version(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"Boost", version(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"MPFR", ::mpfr_get_version()},
      {"GMP", ::gmp_version},
      {"nlohmann/json", version(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"fmt", version(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"oneTBB", ::TBB_runtime_version()},
      {"asmjit",
       version(ASMJIT_LIBRARY_VERSION >> 16, (ASMJIT_LIBRARY_VERSION >> 8) & 255, ASMJIT_LIBRARY_VERSION & 255)},
      {"SLEEF", version(SLEEF_VERSION_MAJOR, SLEEF_VERSION_MINOR, SLEEF_VERSION_PATCHLEVEL)},
      {"SuiteSparse", version(SUITESPARSE_MAIN_VERSION, SUITESPARSE_SUB_VERSION, SUITESPARSE_SUBSUB_VERSION)},
      {"KLU", version(KLU_MAIN_VERSION, KLU_SUB_VERSION, KLU_SUBSUB_VERSION)},
      {"xxHash", version(XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE)},
      {"libstdc++", fmt::format("{} ({})", _GLIBCXX_RELEASE, __GLIBCXX__)},
      {"glibc", ::gnu_get_libc_version()}};
  if (has_sparse_qr()) {
    versions["SPQR"] = version(SPQR_MAIN_VERSION, SPQR_SUB_VERSION, SPQR_SUBSUB_VERSION);
    versions["CHOLMOD"] = version(CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION, CHOLMOD_SUBSUB_VERSION);
    versions["BLAS"] = file_of("dgemm_");
    versions["LAPACK"] = file_of("dlarfb_");
  }
  return versions;
}

std::string operating_system() {
  utsname name{};
  if (::uname(&name) != 0) return distribution();
  return fmt::format("{} {} {}; {}", name.sysname, name.release, name.machine, distribution());
}

// The first "model name : ..." line.
std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  return "unknown";
}

int cores() { return static_cast<int>(std::thread::hardware_concurrency()); }

std::optional<double> machine_load() {
  double last_minute = 0;
  return ::getloadavg(&last_minute, 1) == 1 ? std::optional(last_minute) : std::nullopt;
}

Json cpu_extensions() {
  Json list = Json::array();
#ifdef __x86_64__
#define DAELAB_EXTENSION(name) \
  if (__builtin_cpu_supports(name)) list.push_back(name);
  DAELAB_EXTENSION("sse2")
  DAELAB_EXTENSION("sse4.1")
  DAELAB_EXTENSION("avx")
  DAELAB_EXTENSION("fma")
  DAELAB_EXTENSION("fma4")
  DAELAB_EXTENSION("avx2")
  DAELAB_EXTENSION("avx512f")
#undef DAELAB_EXTENSION
#endif
  return list;
}

Json deciding_environment() {
  Json variables = Json::object();
  for (const char* name : {"GLIBC_TUNABLES", "LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                           "OPENBLAS_CORETYPE", "MKL_CBWR"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') variables[name] = value;
  return variables;
}

}  // namespace daelab
