#include "core/base/limits.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "core/base/context.hpp"
#include "core/base/input_error.hpp"

// A function of OpenBLAS, which may be the machine's BLAS: ends the threads that it starts when it is loaded. It starts
// others for large matrices.
extern "C" [[gnu::weak]] int blas_thread_shutdown_();

namespace daelab {
namespace {

struct Entry {
  const char* name;
  long Limits::*value;  // null: of the process
  const char* meaning;
  long least, most;
};

// Deeper JSON and formulas would exhaust the stack of a thread: 8 megabytes, and fewer under a sanitizer.
constexpr Entry entries[] = {
    {"runs", &Limits::runs, "runs of one config", 1, std::numeric_limits<int>::max()},
    {"nesting", &Limits::nesting, "levels of lists and objects in JSON, of parentheses in formulas", 1, 2000},
    {"terms", &Limits::terms, "terms of a sum or a loop in a problem in JSON", 1, 100'000'000},
    {"file-bytes", &Limits::file_bytes, "bytes of a JSON file; of a table of another program, 64 for each number", 1,
     std::numeric_limits<long>::max()},
    {"digits", &Limits::digits, "digits of one exact number", 1, 1'000'000},
    {"number-characters", &Limits::number_characters, "characters of the text of an exact number", 1, 1'000'000},
    {"exponent", &Limits::exponent, "power of ten of any value on the way to an exact number", 308, 1'000'000},
    {"memory-megabytes", nullptr, "megabytes of memory, 0: no limit", 0, 1L << 40}};

const Entry& find(const std::string& name) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    if (name == entry.name) return entry;
    names.emplace_back(entry.name);
  }
  std::string known;
  for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
  throw InputError(fmt::format("--limit: no limit '{}'{} (known: {})", name, did_you_mean(name, names), known));
}

long megabytes_of_process() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  return limit.rlim_cur == RLIM_INFINITY ? 0 : static_cast<long>(limit.rlim_cur >> 20);
}

long value_of(const Entry& entry) { return entry.value != nullptr ? limits().*entry.value : megabytes_of_process(); }

void limit_memory(long megabytes) {
  // Its threads would ask for 128 megabytes each until they get them, and be waited for at the end of the program.
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
  const rlim_t bytes = megabytes == 0 ? RLIM_INFINITY : static_cast<rlim_t>(megabytes) << 20;
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  if (::setrlimit(RLIMIT_AS, &limit) != 0)
    throw InputError("--limit: the system does not let this program limit its memory");
}

}  // namespace

const Limits& limits() { return Context::current().limits; }

void set_limit(Limits& limits, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw InputError(fmt::format("--limit {}: write NAME=VALUE", text));
  const Entry& entry = find(text.substr(0, equals));
  long value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, value);
  if (error != std::errc() || stop != end || value < entry.least || value > entry.most)
    throw InputError(fmt::format("--limit {}: '{}' is not allowed; allowed: a whole number from {} to {}", entry.name,
                                 text.substr(equals + 1), entry.least, entry.most));
  if (entry.value != nullptr)
    limits.*entry.value = value;
  else
    limit_memory(value);
}

bool has_allowed_size(const Real100& x) {
  if (x == 0 || !isfinite(x)) return x == 0;
  int exponent = 0;
  frexp(x, &exponent);
  constexpr double bits = 3.3219280948873623;  // of a decimal digit
  return std::abs(exponent) <= bits * static_cast<double>(limits().exponent) + 1;
}

std::string limits_help() {
  std::string text;
  for (const Entry& entry : entries)
    text += fmt::format("{}{} ({}) [{}]", text.empty() ? "" : ", ", entry.name, entry.meaning, value_of(entry));
  return text;
}

std::string limit_hint(const std::string& name) {
  return fmt::format("(allowed are {}; --limit {}=N changes that)", value_of(find(name)), name);
}

}  // namespace daelab
