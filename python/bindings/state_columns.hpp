// The states of a run, column by column, as arrays of numpy that share their memory.
#pragma once

#include <nanobind/nanobind.h>
#include <daelab/lab/runs/run.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace daelab::python {

class StateColumns : public std::enable_shared_from_this<StateColumns> {
 public:
  /// The doubles that a number of this scalar is the sum of: 1, or of 50 digits 4, the largest first.
  explicit StateColumns(Scalar scalar);

  void add(const StateRecord& state);
  void add(const StateView& state);  // of a run in double
  std::size_t size() const { return numbers_[0].size() / parts_; }
  std::size_t parts() const { return parts_; }
  /// "t" in the shape (states), "q", "v", "a", "lambda" or "y" in (states, columns); with several parts these are
  /// another dimension. `columns` is the number of a class that has no state yet. Throws std::out_of_range for other
  /// kinds.
  nanobind::object array(const std::string& kind, std::size_t columns);

 private:
  void put(std::size_t place, const Real50& x);

  static constexpr std::array kinds_{"t", "q", "v", "a", "lambda", "y"};
  std::size_t parts_;
  std::array<std::vector<double>, kinds_.size()> numbers_;  // row by row
};

}  // namespace daelab::python
