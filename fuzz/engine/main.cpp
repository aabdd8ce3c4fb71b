// All targets behind libFuzzer: fuzzer --target=NAME [options and corpus of libFuzzer].
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/base/paths.hpp"
#include "core/documents/json_problem.hpp"
#include "core/integration/method_files.hpp"
#include "fuzz/json_mutator.hpp"
#include "fuzz/target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace daelab;

fuzzing::Target chosen = nullptr;

[[noreturn]] void usage() {
  std::string names;
  for (const auto& [name, target] : fuzzing::targets()) names += " " + name;
  fmt::print(stderr, "usage: fuzzer --target=NAME [options of libFuzzer] [corpus ...]; targets:{}\n", names);
  std::exit(2);
}

std::string change_bytes(const std::string& text) {
  std::string changed = text;
  const std::size_t most = text.size() + 64;
  changed.resize(most);
  changed.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(changed.data()), text.size(), most));
  return changed;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr const char* option = "--target=";
  for (int i = 1; i < *count; ++i)
    if (std::strncmp((*arguments)[i], option, std::strlen(option)) == 0)
      if (const auto found = fuzzing::targets().find((*arguments)[i] + std::strlen(option));
          found != fuzzing::targets().end())
        chosen = found->second;
  if (chosen == nullptr) usage();
  load_method_files(project_path("methods"));
  load_problem_files(project_path("problems"));
  fuzzing::scratch_folder();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string wrong = fuzzing::finding(chosen, std::string(reinterpret_cast<const char*>(data), size));
  if (wrong.empty()) return 0;
  fmt::print(stderr, "FINDING: {}\n", wrong);
  std::abort();
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  std::mt19937 random(seed);
  if (random() % 5 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string input(reinterpret_cast<const char*>(data), size);
  const auto changed = fuzzing::mutate_json(input, random, change_bytes);
  if (!changed || changed->size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, changed->data(), changed->size());
  return changed->size();
}
