#include "lab/runs/compact_run.hpp"

#include <utility>
#include <vector>

#include "lab/runs/run_builder.hpp"

namespace daelab {

CompactRun::CompactRun(const daelab::Run& run, std::shared_ptr<const daelab::Run> like,
                       std::vector<LeafDifference> differences)
    : like_(std::move(like)),
      differences_(std::move(differences)),
      cost_(run.expected_cost()),
      makes_trajectory_(run.makes_trajectory()) {}

Json CompactRun::specified() const { return with_differences(like_->json(), differences_); }

std::shared_ptr<const Json> CompactRun::specification() const {
  if (differences_.empty()) return like_->specification();
  return std::make_shared<const Json>(specified());
}

std::shared_ptr<const Run> CompactRun::whole() const {
  return differences_.empty() ? like_ : RunBuilder::rebuild(specified(), *like_);
}

Json CompactRun::inputs() const { return differences_.empty() ? like_->inputs() : Json(); }

// A run whose errors are measured against a stored reference stays whole, with what its file held: references are few.
class CompactRun::Binder final : public RunBinder {
 public:
  std::shared_ptr<const BoundRun> bind(const Json& json, const std::string& where) override {
    const auto run = std::static_pointer_cast<const Run>(builder_.bind(json, where));
    const auto made = [&](std::shared_ptr<const Run> like, std::vector<LeafDifference> differences) {
      return std::shared_ptr<const CompactRun>(new CompactRun(*run, std::move(like), std::move(differences)));
    };
    if (!run->inputs().is_null()) return made(run, {});
    for (auto like = firsts_.rbegin(); like != firsts_.rend(); ++like)
      if (auto found = leaf_differences((*like)->json(), run->json())) return made(*like, std::move(*found));
    if (firsts_.size() == most_firsts) firsts_.erase(firsts_.begin());
    firsts_.push_back(run);
    return made(run, {});
  }

 private:
  static constexpr std::size_t most_firsts = 32;
  RunBuilder builder_;
  std::vector<std::shared_ptr<const Run>> firsts_;  // whose specifications have different members
};

std::unique_ptr<RunBinder> CompactRun::binder() { return std::make_unique<Binder>(); }

const RunKind& CompactIntegrations::kind() { return run_kind_of<CompactRun, RunSpec>(Integrations::kind().file); }

}  // namespace daelab
