#include "methods/geometric/composition_stepper.hpp"

#include <array>
#include <utility>

namespace daelab {
namespace {

template <class T>
class Composition final : public Stepper<T> {
 public:
  Composition(const Vector<Real100>& weights, std::unique_ptr<Stepper<T>> base)
      : weights_(weights.cast<T>()), base_(std::move(base)) {
    take_warnings();
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    const Status status = parts(from, h, to);
    take_counts(), take_warnings();
    if (!status.ok()) return status;
    to.t = from.t + h;
    ++this->statistics_.steps;
    return {};
  }

  HeldMemory make_memory() const override { return base_->make_memory(); }
  bool change_coordinates(State<T>& state, CoordinateChange<T>& change) override {
    return base_->change_coordinates(state, change);
  }
  std::vector<std::string> newton_options() const override { return base_->newton_options(); }

 private:
  Status parts(const State<T>& from, const T& h, State<T>& to) {
    const Index last = weights_.size() - 1;
    for (State<T>& state : between_) state = from;  // for the sizes, and for what the base keeps
    const State<T>* start = &from;
    for (Index i = 0; i <= last; ++i) {
      State<T>& end = i == last ? to : between_[static_cast<std::size_t>(i % 2)];
      if (Status status = base_->step(*start, T(weights_[i] * h), end); !status.ok()) return status;
      start = &end;
    }
    return {};
  }
  void take_counts() {
    const long steps = this->statistics_.steps, rejected = this->statistics_.rejected,
               failed = this->statistics_.failed;
    this->statistics_ = base_->statistics();
    this->statistics_.steps = steps, this->statistics_.rejected = rejected, this->statistics_.failed = failed;
  }
  void take_warnings() {
    for (const Warning& warning : base_->warnings()) this->warn(warning.kind, warning.text);
  }

  Vector<T> weights_;  // (k)
  std::unique_ptr<Stepper<T>> base_;
  std::array<State<T>, 2> between_;  // ends of parts
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_composition(const Vector<Real100>& weights, std::unique_ptr<Stepper<T>> base) {
  return std::make_unique<Composition<T>>(weights, std::move(base));
}

#define DAELAB_INSTANTIATE(T) \
  template std::unique_ptr<Stepper<T>> make_composition<T>(const Vector<Real100>&, std::unique_ptr<Stepper<T>>);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
