// Established codes as methods: a step is one of theirs, of the size they choose.
#pragma once

#include "core/base/module.hpp"
#include "core/integration/method.hpp"
#include "modules/peers/peer.hpp"

namespace daelab {

/// What a code takes: x' = f(t, x), F(t, y, y') = 0, or the second where a form cannot be written as the first.
enum class PeerForm { explicit_form, implicit_form, either };

/// Who factorises the matrices of a code: daelab, or the code itself, which is given them in this form.
enum class PeerMatrices { of_daelab, dense, sparse };

/// What the program must know of a code to put it to work.
struct Peer {
  std::string module, package;  // sundials, libsundials-dev
  std::string code, variant;    // what the module calls it
  int order = 0;                // the highest
  PeerForm form = PeerForm::explicit_form;
  int highest_index = 2;    // of the implicit forms it takes
  bool keeps_past = false;  // of steps before the last
  PeerMatrices matrices = PeerMatrices::of_daelab;
  int interpolates = 0;   // the order of its own dense output; 0: it has none
  std::string note = {};  // for its card
};

/// The library of a module, which is loaded. Throws InputError naming the package where it cannot be.
const PeerLibrary& peer_library(const std::string& module, const std::string& package);

/// The version that is loaded; an option, so that it is in the specification of a run and its key. Throws InputError
/// where another one is asked for.
constexpr const char* automatic_version = "automatic";
std::string peer_version(const std::string& module, const std::string& package, const std::string& asked);
Option peer_version_option(std::string& version);

/// The release of the library of a peer, `Own`: its only option, unless it has options() of its own.
template <class Own>
struct PeerVersion {
  std::string version = automatic_version;
  Options options() { return {peer_version_option(version)}; }
  void resolve() { version = peer_version(Own::module, Own::package, version); }
};

/// Throws NotApplicable for forms that the code cannot take: without accelerations as functions of (q, v), or of a
/// higher index than its own where it takes residuals; projected ones where its past would be off the constraints; in
/// more digits than double has.
template <class T>
std::unique_ptr<Stepper<T>> peer_stepper(const Peer& peer, System<T>& system);

/// From an options struct with `Peer peer() const`.
class PeerMethod final : public Method {
 public:
  template <class Definition>
  PeerMethod(const Definition& definition, const std::string& /*where*/) : peer_(definition.peer()) {}
#define DAELAB_DECLARE(T) \
  std::unique_ptr<Stepper<T>> stepper(System<T>& system, const NewtonOptions& newton) const override;
  DAELAB_FOR_SCALARS(DAELAB_DECLARE)
#undef DAELAB_DECLARE
  Level natural_level() const override {
    return peer_.form == PeerForm::implicit_form ? Level::velocity : Level::acceleration;
  }
  MethodForm form() const override {
    return NoForm{"an established code, which chooses the sizes of its steps itself" + peer_.note};
  }
  DenseOrder dense_order() const override;

 private:
  Peer peer_;
};

/// For the cards of the codes of SUNDIALS.
constexpr const char* sundials_note =
    "; its operations on vectors and matrices are daelab's, as Debian compiles SUNDIALS without optimisation";

/// The last line of a file of a peer: it is there where its module has been built. `Definition` has `module` and
/// `package`, too.
template <class Definition>
struct PeerEntry {
  explicit PeerEntry(const char* file = __builtin_FILE()) {
    RegistryEntry entry = registry_entry<Method, Definition, PeerMethod>(file);
    entry.missing = [] { return missing_module(Definition::module, Definition::package); };
    Registry<Method>::instance().add(std::move(entry));
  }
};

}  // namespace daelab
