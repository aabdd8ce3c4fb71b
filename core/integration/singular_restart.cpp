#include "core/integration/singular_restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/norm.hpp"
#include "core/start/consistent_start.hpp"

namespace daelab {
namespace {

// States nearer to the position than this, in parts of the largest distance, have suffered from it already.
constexpr double clear = 0.01;
// A landing that promises no better is none.
constexpr double worst_quality = 0.01;

// The polynomial through values and slopes of all nodes, and its slope, at t: by divided differences.
template <class T, class Node>
void extrapolate(std::span<const Node* const> nodes, const T& t, Vector<T>& q, Vector<T>& v) {
  const std::size_t count = 2 * nodes.size();
  const auto time = [&](std::size_t i) -> const T& { return nodes[i / 2]->t; };
  std::vector<Vector<T>> differences;
  for (std::size_t i = 0; i < count; ++i) differences.push_back(nodes[i / 2]->q);
  for (std::size_t order = 1; order < count; ++order)
    for (std::size_t i = count - 1; i >= order; --i) {
      if (order == 1 && i % 2 == 1)
        differences[i] = nodes[i / 2]->v;
      else
        differences[i] = (differences[i] - differences[i - 1]) / T(time(i) - time(i - order));
    }
  q = differences.back(), v.setZero(q.size());
  for (std::size_t i = count - 1; i-- > 0;) {
    const T distance = t - time(i);
    v = v * distance + q;
    q = q * distance + differences[i];
  }
}

}  // namespace

template <class T>
void SingularRestart<T>::start(const State<T>& state) {
  past_.clear(), leaps_.clear(), landed_.reset(), largest_step_ = T(0);
  keep(state);
}

// Leaps again from the nodes before a landing that no step can be made from.
template <class T>
void SingularRestart<T>::step(const State<T>& from, const State<T>& to) {
  if (landed_ && to.t == *landed_) return;
  if (landed_) {
    past_.clear(), landed_.reset();
    keep(from);
  }
  largest_step_ = std::max(largest_step_, T(to.t - from.t));
  if (watch_.clearance() > clear) keep(to);
}

// Leaves out one of nodes that are close for their age: what remains grows with the logarithm of the step count.
template <class T>
void SingularRestart<T>::keep(const State<T>& state) {
  const Index n = model_.coordinates();
  past_.push_back({state.t, state.y.head(n), state.y.segment(n, n)});
  for (std::size_t i = 1; i + 1 < past_.size(); ++i)
    if (T(4) * (past_[i + 1].t - past_[i - 1].t) < state.t - past_[i + 1].t) {
      past_.erase(past_.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
}

// The last accepted state, and those before it at least `spacing` apart, as far as there are any: newest first.
template <class T>
typename SingularRestart<T>::Nodes SingularRestart<T>::nodes(const T& spacing) const {
  Nodes chosen{&past_.back()};
  for (std::size_t found = 1, i = past_.size() - 1; i-- > 0 && found < chosen.size();)
    if (chosen[found - 1]->t - past_[i].t >= spacing) chosen[found++] = &past_[i];
  return chosen;
}

// From lengths of a thousandth of the largest step on, the one that promises the least error. Without a step, none.
template <class T>
Status SingularRestart<T>::leap(const T& t_end, State<T>& state) {
  const T last = past_.back().t, least = landed_ ? T(*landed_ - last) : T(0);
  std::vector<Landing> landings;
  for (T length = largest_step_ / T(1024); length > T(0) && length <= T(2) * largest_step_; length *= T(1.5)) {
    if (!(length > least) || !(last + length > state.t) || !(last + length < t_end)) continue;
    if (auto found = landing(length)) landings.push_back(std::move(*found));
  }
  std::ranges::sort(landings, {}, &Landing::quality);
  for (const Landing& found : landings)
    if (land(found, state).ok()) return {};
  return {StatusCode::near_singular, "no consistent position was found beyond the singular one"};
}

// The distance from dependence has come down before, and has passed its zero: it grows again.
template <class T>
std::optional<typename SingularRestart<T>::Landing> SingularRestart<T>::landing(const T& length) {
  const Nodes from = nodes(T(length / T(4)));
  if (from.back() == nullptr) return {};
  const Node& last = past_.back();
  const auto clearance = [&](const T& part) {
    extrapolate<T, Node>(from, T(last.t + part * length), q_, v_);
    return watch_.clearance(T(last.t + part * length), q_, v_);
  };
  const double here = watch_.clearance(last.t, last.q, last.v), middle = clearance(T(0.5)), there = clearance(T(1));
  if (!(there > SingularityWatch<T>::threshold && there > middle && there > here)) return {};
  Landing landing{T(last.t + length), q_, v_, 0, 0};
  extrapolate<T, Node>(std::span(from).first(from.size() - 1), landing.t, q_, v_);
  landing.error = static_cast<double>(T((q_ - landing.q).cwiseAbs().maxCoeff()));
  landing.quality = landing.error / there;
  if (!(landing.quality < worst_quality * (1 + static_cast<double>(max_norm(landing.q))))) return {};
  return landing;
}

template <class T>
Status SingularRestart<T>::land(const Landing& landing, State<T>& state) {
  const Index n = model_.coordinates();
  q_ = landing.q, v_ = landing.v;
  if (Status status = project_positions_and_velocities(model_, landing.t, q_, v_); !status.ok()) return status;
  State<T> beyond = state;
  beyond.t = landing.t, beyond.y.head(n) = q_, beyond.y.segment(n, n) = v_;
  if (Status status = system_.consistent_start(landing.t, beyond.y, beyond.ydot); !status.ok()) return status;
  leaps_.push_back({static_cast<double>(state.t), static_cast<double>(landing.t), landing.error});
  landed_ = landing.t;
  state = std::move(beyond);
  return {};
}

template <class T>
std::optional<Warning> SingularRestart<T>::warning() const {
  if (leaps_.empty()) return {};
  const Leap& worst = *std::ranges::max_element(leaps_, {}, &Leap::error);
  return Warning{
      "singular-restart",
      fmt::format("steps could not pass {} singular position{}: the run was restarted beyond, the first time "
                  "from t = {:.8g} to {:.8g}; extrapolations of two orders differ by up to {:.1e}",
                  leaps_.size(), leaps_.size() == 1 ? "" : "s", leaps_.front().from, leaps_.front().to, worst.error)};
}

#define DAELAB_INSTANTIATE(T) template class SingularRestart<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
