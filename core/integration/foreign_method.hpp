// Methods that are defined outside of daelab while it runs: by a program that uses the library, by a class in Python.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/integration/method.hpp"

namespace daelab {

/// A version of such a method. It computes in double; runs in other scalars are not applicable.
struct ForeignMethod {
  std::string name;  // letters, digits, '-', '_' and '.'
  std::string summary, source;
  /// Names all that it computes by, as a hash of its code does. Specifications hold it as their "source", and so do the
  /// keys of runs: what another version has computed is never taken for what this one would.
  std::string version;
  Json options = Json::object();  // name -> default: truth values, integers, reals, texts
  PredictedOrders orders = PredictedOrders::unknown("the method states no order");
  /// Method::formulations()
  std::vector<std::string> formulations = {};
  /// A stepper with all options; reals, given exactly or not, are numbers. Called by several threads at a time. Throws
  /// NotApplicable as Method::stepper() does.
  std::function<std::unique_ptr<Stepper<double>>(System<double>& system, const Json& options)> stepper;
};

/// From here on "name:option=value" is this version, wherever methods are named, until another version of the name is
/// registered. Versions stay: a specification with "source" names any of them. Throws InputError for a name that is no
/// name, or that of a method of daelab, and for defaults of other types.
void register_method(ForeignMethod method);

}  // namespace daelab
