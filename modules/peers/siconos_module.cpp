// The module of Siconos' external codes (BSD): RADAU, in its Fortran calling form.
#include "modules/peers/radau_integrator.hpp"

extern "C" {
using Jacobian = void(const int* size, const double* t, const double* Y, double* J, const int* stride, void* form,
                      void*);
daelab::RadauRoutine<Jacobian> radau_;
/// A common block: the nodes of the order at hand, which it reads throughout a step.
extern struct Weight {
  int size, stages;
  double t, h, nodes[8];
} weight_;
}

namespace daelab {
namespace {

// One at a time: each run puts its nodes into the common block before it goes on, and takes them with it.
class Radau final : public RadauCode {
 public:
  const char* name() const override { return "RADAU"; }
  int most_stages() const override { return 7; }
  int matrices() const override { return 1; }
  int stages() const override { return weight_at_end_.stages; }
  const double* nodes() const override { return weight_at_end_.nodes; }

  std::unique_lock<std::mutex> enter() override {
    static std::mutex common;
    std::unique_lock lock(common);
    weight_ = weight_at_end_;
    return lock;
  }
  void leave() override { weight_at_end_ = weight_; }

  void solve(RadauArguments& arguments) override { arguments.hand_to(radau_, jacobian); }

 private:
  static void jacobian(const int*, const double* t, const double* Y, double* J, const int* stride, void* form, void*) {
    static_cast<HairerForm*>(form)->jacobian(*t, Y, J, *stride);
  }
  Weight weight_at_end_{};
};

class Siconos final : public PeerLibrary {
 public:
  std::string version() const override { return std::string("Siconos externals ") + DAELAB_SICONOS_VERSION; }
  std::unique_ptr<PeerIntegrator> integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                             double* ydot) const override {
    if (task.code != "radau") return nullptr;
    return radau_integrator(std::make_unique<Radau>(), task, equations, y, ydot);
  }
};

}  // namespace
}  // namespace daelab

extern "C" const daelab::PeerLibrary* daelab_peer_library() {
  static const daelab::Siconos library;
  return &library;
}
