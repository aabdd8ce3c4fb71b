// Terms that drive the equations by time alone, smoothly: whether one has a peak that a step went over.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/integration/integrate.hpp"
#include "core/integration/root_isolation.hpp"
#include "core/mechanism/forms.hpp"

namespace daelab {

/// A step over such a peak passes its error test where no evaluation meets it. The extremes of each term within a step
/// are found by enclosures of its derivative; the first one that is far from what the term is just before and behind
/// makes a warning. It does not change the run, which it belongs to.
template <class T>
class DriveWatch final : public Guard<T> {
 public:
  explicit DriveWatch(Model<T>& model);
  ~DriveWatch() override;
  void start(const State<T>& /*state*/) override {}
  Status check(const State<T>& from, const State<T>& to) override;
  /// "unwatched"
  std::optional<Warning> warning() const override;

 private:
  class Term;
  using Terms = std::vector<std::unique_ptr<Term>>;
  Terms& terms_of_mode();
  void look_for_peak(Term& term, double a, double b);

  Model<T>& model_;
  std::map<const Forms*, Terms> known_;
  RootIsolation isolation_;
  std::string text_;
};

}  // namespace daelab
