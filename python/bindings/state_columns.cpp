#include "state_columns.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <stdexcept>

namespace nb = nanobind;

namespace daelab::python {

// 168 bits are at most four times 53.
StateColumns::StateColumns(Scalar scalar) : parts_(scalar == Scalar::binary64 ? 1 : 4) {}

void StateColumns::put(std::size_t place, const Real50& x) {
  numbers_[place].push_back(static_cast<double>(x));
  if (parts_ == 1) return;
  Real50 rest = x;
  for (std::size_t part = 1; part < parts_; ++part) {
    rest -= Real50(numbers_[place].back());
    numbers_[place].push_back(static_cast<double>(rest));
  }
}

void StateColumns::add(const StateRecord& state) {
  put(0, state.t);
  std::size_t place = 0;
  for (const Vector<Real50>* const part : {&state.q, &state.v, &state.a, &state.lambda, &state.y}) {
    ++place;
    for (const Real50& x : *part) put(place, x);
  }
}

void StateColumns::add(const StateView& state) {
  numbers_[0].push_back(state.t);
  std::size_t place = 0;
  for (const std::span<const double> part : {state.q, state.v, state.a, state.lambda, state.y}) {
    std::vector<double>& column = numbers_[++place];
    column.insert(column.end(), part.begin(), part.end());
  }
}

nb::object StateColumns::array(const std::string& kind, std::size_t columns) {
  const auto* const found = std::ranges::find(kinds_, kind);
  if (found == kinds_.end()) throw std::out_of_range("no class '" + kind + "' of states");
  std::vector<std::size_t> shape{size()};
  if (found != kinds_.begin()) shape.push_back(columns);
  if (parts_ > 1) shape.push_back(parts_);
  auto* const shared = new std::shared_ptr<StateColumns>(shared_from_this());
  const nb::capsule owner(shared, [](void* p) noexcept { delete static_cast<std::shared_ptr<StateColumns>*>(p); });
  double* const data = numbers_[static_cast<std::size_t>(found - kinds_.begin())].data();
  return nb::cast(nb::ndarray<nb::numpy, double>(data, shape.size(), shape.data(), owner));
}

}  // namespace daelab::python
