// What bad input is told.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "core/base/input_error.hpp"

namespace daelab {

/// The message of the Error that a call throws.
template <class Error = InputError, class F>
std::string input_error_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no InputError";
}

/// Matches calls that throw an InputError whose message holds these parts.
auto throws_input_error(auto... parts) {
  return testing::ThrowsMessage<InputError>(testing::AllOf(testing::HasSubstr(parts)...));
}

}  // namespace daelab
