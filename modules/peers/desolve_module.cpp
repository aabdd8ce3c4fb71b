// The module of deSolve, a package of R (GPL), whose shared library has RADAU5 and DASPK in their Fortran calling form.
#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "modules/peers/desolve_parts.hpp"

extern "C" {
void radau5_();
/// What deSolve prints messages with: R's needs a running R, and messages are ours. The library finds this one first,
/// for it is loaded with this module.
void Rprintf(const char*, ...) {}
}

namespace daelab {
namespace {

class Desolve final : public PeerLibrary {
 public:
  // From the description that lies beside the folder of the library.
  std::string version() const override {
    Dl_info library{};
    std::string path;
    if (::dladdr(reinterpret_cast<void*>(radau5_), &library) != 0) path = library.dli_fname;
    std::ifstream description(std::filesystem::path(path).parent_path().parent_path() / "DESCRIPTION");
    const std::string key = "Version: ";
    for (std::string line; std::getline(description, line);)
      if (line.starts_with(key)) return "deSolve " + line.substr(key.size());
    return "deSolve";
  }
  std::unique_ptr<PeerIntegrator> integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                             double* ydot) const override {
    static const std::map<std::string, decltype(&radau5_integrator)> codes = {{"radau5", radau5_integrator},
                                                                              {"daspk", daspk_integrator}};
    const auto code = codes.find(task.code);
    return code == codes.end() ? nullptr : code->second(task, equations, y, ydot);
  }
};

}  // namespace
}  // namespace daelab

extern "C" const daelab::PeerLibrary* daelab_peer_library() {
  static const daelab::Desolve library;
  return &library;
}
