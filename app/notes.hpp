// Proofs and sources, each printed once below what refers to it by its number.
#pragma once

#include <string>
#include <vector>

namespace daelab::app {

class Notes {
 public:
  /// "[2]", equal texts by the same number; "" for none.
  std::string mark(const std::string& note);
  void print() const;

 private:
  std::vector<std::string> notes_;
};

}  // namespace daelab::app
