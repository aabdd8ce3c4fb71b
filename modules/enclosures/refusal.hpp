// Why a step, or a motion, is not enclosed.
#pragma once

#include <stdexcept>
#include <string>

namespace daelab {

/// Thrown inside the module only. A smaller step may help, unless `is_final`.
struct Refusal : std::runtime_error {
  explicit Refusal(const std::string& what, std::string what_helps = "", bool is_final_one = false)
      : std::runtime_error(what), help(std::move(what_helps)), is_final(is_final_one) {}
  std::string help;
  bool is_final;
};

}  // namespace daelab
