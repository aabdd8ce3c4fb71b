// Starting this program on several ranks.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace daelab {

struct MpirunOptions {
  int ranks = 0;                     // with the manager; 0: one per processor, and the manager
  std::vector<std::string> options;  // further ones of mpirun: "--hostfile=nodes.txt"
};

/// The command that starts this program with `arguments` on several ranks. Throws InputError where there is no mpirun,
/// or no program built with MPI beside this one.
std::vector<std::string> mpirun_command(const std::vector<std::string>& arguments, const MpirunOptions& options);

/// Goes on as the program with MPI, with the same arguments: of a rank whose own program is built without.
[[noreturn]] void become_mpi_program(const std::vector<std::string>& arguments);

}  // namespace daelab
