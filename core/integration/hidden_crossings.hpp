// Finds zeros of event functions that pass zero and come back between the times which a watch checks.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/integration/enclosed_step.hpp"
#include "core/mechanism/model.hpp"

namespace daelab {

/// Finds, for each step, the times at which its events have to be looked at beside the ends of equal parts, so that no
/// function changes its sign twice in between. Belongs to one run.
template <class T>
class HiddenCrossings {
 public:
  /// together: events no farther apart take place together.
  HiddenCrossings(Model<T>& model, const MechanicalLayout& layout);

  /// Tells of each event whether its function is watched over a step, and the sign it has at the begin; 0: none yet.
  struct Look {
    bool watched = true;
    int sign = 0;
  };
  /// Ascending: the ends of `parts` equal parts of the step, and what is between. `looks`: by the events.
  const std::vector<T>& times(const State<T>& from, const State<T>& to, int parts, const std::vector<Look>& looks,
                              const T& together);
  /// Functions of multipliers and algebraic states, and where dense output solves for states, are not enclosed.
  bool encloses_all();
  /// Nobody has found how often such functions change in the step from t on.
  void give_up(const T& t);
  /// What could not be looked at; "": nothing.
  const std::string& unwatched() const { return unwatched_; }

 private:
  using Functions = std::vector<std::unique_ptr<EnclosedStep<T>>>;
  Functions& functions_of_mode();
  void find_roots(EnclosedStep<T>& function, double finest, double together);
  void add_between(int parts, double length, int sign, double together);

  Model<T>& model_;
  MechanicalLayout layout_;
  bool solves_between_ = false;
  std::map<const Forms*, Functions> known_;
  RootIsolation isolation_;
  std::vector<RootIsolation::Root> roots_;
  std::vector<double> between_;
  std::vector<T> times_;
  std::string unwatched_;
};

}  // namespace daelab
