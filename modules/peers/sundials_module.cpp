// The module of SUNDIALS: CVODE, IDA, ARKODE.
#include <sundials/sundials_version.h>

#include <map>

#include "modules/peers/sundials_parts.hpp"

namespace daelab {
namespace {

class Sundials final : public PeerLibrary {
 public:
  std::string version() const override {
    char text[32] = "";
    SUNDIALSGetVersion(text, sizeof text);
    return std::string("SUNDIALS ") + text;
  }
  std::unique_ptr<PeerIntegrator> integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                             double* ydot) const override {
    static const std::map<std::string, decltype(&cvode_integrator)> codes = {{"cvode", cvode_integrator},
                                                                             {"ida", ida_integrator},
                                                                             {"arkode-erk", arkode_integrator},
                                                                             {"arkode-dirk", arkode_integrator}};
    const auto code = codes.find(task.code);
    return code == codes.end() ? nullptr : code->second(task, equations, y, ydot);
  }
};

}  // namespace
}  // namespace daelab

extern "C" const daelab::PeerLibrary* daelab_peer_library() {
  static const daelab::Sundials library;
  return &library;
}
