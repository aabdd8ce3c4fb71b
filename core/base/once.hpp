// What is made once, when it is first asked for, by whichever thread asks.
#pragma once

#include <mutex>
#include <optional>

namespace daelab {

template <class X>
class Once {
 public:
  /// What make() returned in the first call that did not throw.
  const X& get(const auto& make) const {
    std::call_once(flag_, [&] { value_.emplace(make()); });
    return *value_;
  }

 private:
  mutable std::once_flag flag_;
  mutable std::optional<X> value_;
};

}  // namespace daelab
