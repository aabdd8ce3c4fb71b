#include "cluster/mpirun.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "cluster/ranks.hpp"
#include "core/base/input_error.hpp"
#include "core/base/paths.hpp"
#include "core/base/process.hpp"

namespace daelab {

MakeRanks make_ranks = nullptr;

namespace {

// Both are links of one build.
std::string mpi_program() {
  if (make_ranks != nullptr) return std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string beside = program_part("daelab_mpi");
  if (!std::filesystem::exists(beside))
    throw InputError("--engine mpi", fmt::format("there is no {}: ./daelab builds it; or install MPI (libopenmpi-dev, "
                                                 "openmpi-bin) and build the target daelab_mpi",
                                                 beside));
  return beside;
}

}  // namespace

bool started_as_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

std::vector<std::string> mpirun_command(const std::vector<std::string>& arguments, const MpirunOptions& options) {
  if (find_program("mpirun").empty())
    throw InputError("--engine mpi", "there is no mpirun on this machine; Debian: openmpi-bin");
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  const int ranks = options.ranks > 0 ? options.ranks : processors + 1;
  constexpr int most_per_processor = 64;
  if (options.options.empty() && ranks > most_per_processor * processors)
    throw InputError("--ranks",
                     fmt::format("{} on the {} processors of this machine: at most {} here; ranks on others: "
                                 "--mpirun=--hostfile=FILE",
                                 ranks, processors, most_per_processor * processors));
  std::vector<std::string> command{"mpirun", "-n", std::to_string(ranks)};
  if (options.options.empty() && ranks > processors)
    for (const char* option : {"--oversubscribe", "--bind-to", "none"}) command.push_back(option);
  command.insert(command.end(), options.options.begin(), options.options.end());
  command.push_back(mpi_program());
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

void become_mpi_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{mpi_program()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : all) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv(pointers[0], pointers.data());
  throw std::runtime_error(fmt::format("cannot run {}: {}", all[0], std::strerror(errno)));
}

}  // namespace daelab
