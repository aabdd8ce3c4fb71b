#include "lab/bind.hpp"

#include <atomic>
#include <optional>
#include <utility>

#include "core/base/foreign_versions.hpp"
#include "core/base/spec_text.hpp"
#include "lab/project.hpp"
#include "lab/runs/run_builder.hpp"

namespace daelab {
namespace {

// The builder of the last calls, as long as what it made is what another one would make: files are read anew, and so
// are references that have changed.
class SharedBuilder {
 public:
  std::shared_ptr<const Run> bind(const Json& spec) {
    // Functions that a problem is given by may ask for a run while theirs is built.
    if (names_a_file(spec) || is_in_use_.exchange(true)) return Run::bind(spec, "");
    const Return back(is_in_use_);
    const Basis basis{Context::current().settings(), foreign_definitions()};
    if (!builder_ || basis_ != basis) renew(basis);
    auto run = bind_here(spec);
    if (run->references().are_current()) return run;
    renew(basis);
    return bind_here(spec);
  }

 private:
  static constexpr std::size_t most_kept = 16;
  using Basis = std::pair<Context::Settings, long>;
  struct Return {
    explicit Return(std::atomic<bool>& taken) : is_in_use(taken) {}
    ~Return() { is_in_use = false; }
    std::atomic<bool>& is_in_use;
  };

  void renew(const Basis& basis) { builder_.emplace(most_kept), basis_ = basis; }
  std::shared_ptr<const Run> bind_here(const Json& spec) {
    return std::static_pointer_cast<const Run>(builder_->bind(spec, ""));
  }

  std::atomic<bool> is_in_use_ = false;
  std::optional<RunBuilder> builder_;
  Basis basis_;
};

}  // namespace

std::shared_ptr<const Run> bind(const RunSpec& spec) {
  load_project();
  return Run::of(spec);
}

std::shared_ptr<const Run> bind(const Json& spec) {
  load_project();
  static SharedBuilder builder;
  return builder.bind(spec);
}

std::shared_ptr<const Run> bind(const RunSpec& spec, const Context& context) {
  load_project();
  return Run::of(spec, "", &context);
}

}  // namespace daelab
