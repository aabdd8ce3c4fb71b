#include "methods/geometric/composition_stepper.hpp"

#include <array>
#include <utility>

#include "methods/geometric/symmetric_base.hpp"

namespace daelab {
namespace {

template <class T>
class Composition final : public DerivedStepper<T> {
 public:
  Composition(const Vector<Real100>& weights, std::unique_ptr<Stepper<T>> base)
      : DerivedStepper<T>(std::move(base)), weights_(weights.cast<T>()) {}

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    const Status status = parts(from, h, to);
    this->take_counts(), this->take_warnings();
    if (!status.ok()) return status;
    to.t = from.t + h;
    ++this->statistics_.steps;
    return {};
  }

 private:
  Status parts(const State<T>& from, const T& h, State<T>& to) {
    const Index last = weights_.size() - 1;
    for (State<T>& state : between_) state = from;  // for the sizes, and for what the base keeps
    const State<T>* start = &from;
    for (Index i = 0; i <= last; ++i) {
      State<T>& end = i == last ? to : between_[static_cast<std::size_t>(i % 2)];
      if (Status status = this->base_->step(*start, T(weights_[i] * h), end); !status.ok()) return status;
      start = &end;
    }
    return {};
  }

  Vector<T> weights_;                // (k)
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
