// Going on beyond a singular position that a run cannot get through: the integrator restarts by itself.
// [Ren20, Introduction, (5)]
//
// Near the position accelerations and multipliers come from a nearly singular matrix, and steps shrink to nothing, but
// positions and velocities are smooth. They are extrapolated from before the position to beyond it, and projected onto
// the constraints there.
//
// [Ren20] Ren, Zhou, Journal of Dynamics and Control, 2020, doi 10.6052/1672-6553-2020-098.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "core/integration/integrate.hpp"
#include "core/integration/singularity_watch.hpp"

namespace daelab {

template <class T>
class SingularRestart final : public Observer<T> {
 public:
  /// `watch` is a guard of the same run.
  SingularRestart(MechanicalModel<T>& model, System<T>& system, SingularityWatch<T>& watch)
      : model_(model), system_(system), watch_(watch) {}

  void start(const State<T>& state) override;
  void step(const State<T>& from, const State<T>& to) override;

  /// From the last accepted state to a consistent one beyond the position ahead, where the constraints are independent
  /// again, not after t_end. near_singular where there is none.
  Status leap(const T& t_end, State<T>& state);
  /// "singular-restart": how many leaps, when, over what time, how accurate.
  std::optional<Warning> warning() const;

 private:
  struct Node {
    T t;
    Vector<T> q, v;
  };
  using Nodes = std::array<const Node*, 4>;
  struct Landing {
    T t;
    Vector<T> q, v;
    double error;    // of q: extrapolations of two orders differ by so much
    double quality;  // error through the distance from dependence, which divides it
  };
  struct Leap {
    double from, to, error;
  };
  void keep(const State<T>& state);
  Nodes nodes(const T& spacing) const;
  std::optional<Landing> landing(const T& length);
  Status land(const Landing& landing, State<T>& state);

  MechanicalModel<T>& model_;
  System<T>& system_;
  SingularityWatch<T>& watch_;
  std::deque<Node> past_;  // the newest last; the older, the farther apart
  T largest_step_{0};
  std::optional<T> landed_;  // no step has been made from there yet
  Vector<T> q_, v_;
  std::vector<Leap> leaps_;
};

}  // namespace daelab
