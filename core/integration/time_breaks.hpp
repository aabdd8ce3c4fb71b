// The times at which equations change by the clock: known ahead, from the conditions in them that depend on time alone.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/expressions/program.hpp"
#include "core/integration/root_isolation.hpp"
#include "core/integration/state.hpp"
#include "core/mechanism/model.hpp"

namespace daelab {

/// A step ends before such a time, the next one begins behind it: each sees one form of the equations. The two ends are
/// closer together than the resolution of time of a run. Belongs to one run.
template <class T>
class TimeBreaks {
 public:
  struct Break {
    T before, after;
  };

  TimeBreaks(Model<T>& model, const T& start, const T& end);
  ~TimeBreaks();

  /// The first one that is not behind t, in the mode that the model is in; infinite: there is none. At the start of a
  /// run, or in a mode just entered, t may be within it.
  const Break& next(const T& t);
  /// The state that has come to one goes over it, whereupon its past is to be forgotten. False where there is none.
  bool pass(State<T>& state);
  /// Half of what is between the ends of one, at least.
  const T& resolution() const { return resolution_; }
  /// Why some may have been missed; "": none.
  const std::string& unwatched() const { return unwatched_; }

 private:
  class Switch;
  using SwitchList = std::vector<std::unique_ptr<Switch>>;
  SwitchList& switches_of_mode(const T& t);

  Model<T>& model_;
  T end_, resolution_;
  std::map<const Forms*, SwitchList> known_;
  const Forms* mode_ = nullptr;  // that next_ is of
  Break next_;
  std::string unwatched_;
};

}  // namespace daelab
