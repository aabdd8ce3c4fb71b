// Programs by key, each made when it is asked for first.
#pragma once

#include <map>
#include <memory>
#include <type_traits>

#include "core/base/scalar.hpp"
#include "core/expressions/program.hpp"

namespace daelab {

/// Who has one locks it; references to programs stay valid.
template <class Key>
class ProgramCache {
 public:
  /// `make()`: a new one.
  template <class T>
  const Program<T>& program(const Key& key, auto&& make) {
    std::unique_ptr<Program<T>>& program = programs_of<T>()[key];
    if (!program) program = make();
    return *program;
  }
  /// Program for lane_count points at a time: see make_program_of_lanes().
  const Program<double>& program_of_lanes(const Key& key, auto&& tape) {
    std::unique_ptr<Program<double>>& program = programs_of_lanes_[key];
    if (!program) program = make_program_of_lanes(tape());
    return *program;
  }
  bool has_program_of_lanes(const Key& key) const { return programs_of_lanes_.contains(key); }

 private:
  template <class T>
  using Programs = std::map<Key, std::unique_ptr<Program<T>>>;
  template <class T>
  Programs<T>& programs_of() {
    if constexpr (std::is_same_v<T, double>)
      return double_programs_;
    else
      return real50_programs_;
  }

  Programs<double> double_programs_, programs_of_lanes_;
  Programs<Real50> real50_programs_;
};

}  // namespace daelab
