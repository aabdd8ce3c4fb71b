// The Rosenbrock methods of the project and what is known of them.
#pragma once

#include <ostream>

namespace daelab {

/// Orders on y' = f, of the embedded method, on index 1, as W-method. [Steinebach 2024, Table 1], decided again by
/// trees; of the methods that are no W-methods order 1 is left.
struct KnownRosenbrock {
  const char* name;
  int order, embedded, index_1, w;
  bool keeps_prothero_robinson;  // C2 = 0
  friend void PrintTo(const KnownRosenbrock& known, std::ostream* out) { *out << known.name; }
};
inline const KnownRosenbrock known_rosenbrock[] = {
    {"ros3p", 3, 2, 3, 1, true},    {"grk4t", 4, 3, 2, 1, false},   {"rodas3", 3, 2, 3, 1, false},
    {"rodas3p", 3, 2, 3, 1, true},  {"rodas4", 4, 3, 4, 1, false},  {"rodas42", 4, 3, 4, 1, false},
    {"rodas4p", 4, 3, 4, 1, true},  {"rodas4p2", 4, 3, 4, 2, true}, {"rodas5", 5, 4, 5, 1, false},
    {"rodas5p", 5, 4, 5, 2, true},  {"rodas6p", 6, 5, 6, 2, true},  {"ros34pw2", 3, 2, 3, 3, true},
    {"ros34prw", 3, 2, 3, 3, true}, {"ros3prl2", 3, 2, 3, 1, true}};

}  // namespace daelab
