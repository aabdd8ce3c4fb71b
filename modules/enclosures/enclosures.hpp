// Enclosures of motions: what the program and the module of enclosures say to each other. The module computes with
// balls of any precision by FLINT's Arb, which stays out of the program that way.
//
// Unknowns x follow x' = f(t, x, w), where w solves the linear equations K(t, x) w = r(t, x): accelerations and
// multipliers of a mechanism, rates of linearly implicit equations and of algebraic states.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/expressions/expression.hpp"

namespace daelab {

using EnclosureSlot = std::uint32_t;

/// Operations on slots, each written once, operands first. The operations add, subtract, negate, multiply, divide,
/// sqrt, exp, log, sines_and_cosines (result: the sine, b: the slot of the cosine, a: the angle), abs, sign, floor,
/// min, max, less, less_equal, equal and select.
struct EnclosureProgram {
  enum class Block : std::uint8_t { time, unknown, direction };
  struct Input {
    EnclosureSlot slot;
    Block block;
    int index;
  };
  struct Instruction {
    Operation operation;
    EnclosureSlot result, a = 0, b = 0, c = 0;
  };
  std::vector<Input> inputs;
  std::vector<std::pair<EnclosureSlot, std::string>> constants;  // by text, which is exact
  std::vector<Instruction> instructions;
  EnclosureSlot slots = 0;
};

/// x' = ..., K w = r, and their derivatives along a direction dx of the unknowns.
struct EnclosureEquations {
  struct Rate {
    enum class Kind : std::uint8_t { unknown, solved, result };
    Kind kind;
    int index;                           // of an unknown or of an entry of w
    EnclosureSlot value = 0, along = 0;  // of a result
  };
  struct Entry {
    int row, column;
    EnclosureSlot value, along;
  };
  struct Watched {
    EnclosureSlot value;
    std::string what;  // "the event 'impact' may take place"
  };
  EnclosureProgram program;
  std::vector<Rate> rates;                  // of each unknown
  std::vector<Entry> matrix;                // K, without zeros
  std::vector<EnclosureSlot> right, along;  // r and its derivative
  std::vector<Watched> watched;             // what must not vanish
};

/// Equations that some unknowns satisfy at one time, and their derivatives by all unknowns.
struct EnclosureConditions {
  struct Entry {
    int row, column;
    EnclosureSlot value;
  };
  EnclosureProgram program;
  std::vector<EnclosureSlot> residuals;
  std::vector<Entry> jacobian;
  std::vector<std::string> names;  // of the equations
};

struct EnclosureTask {
  EnclosureEquations equations;
  std::vector<std::string> names;  // of the unknowns
  int algebraic = 0;               // the last unknowns, which the equations `determining` give at every time
  EnclosureConditions start, determining, redundant;
  std::vector<int> determined;     // unknowns that the start's equations give; the others are as `given`
  std::vector<std::string> given;  // exact constants
  std::string t_start, t_end;      // decimals
  int digits = 30;                 // wanted, after the decimal point
  bool (*is_interrupted)() = nullptr;
};

/// Decimals that are exact. The set: centre + frame [-radii, radii]; no frame: the identity.
struct EnclosureSet {
  std::string t;
  std::vector<std::string> centre, radii;
  std::vector<std::vector<std::string>> frame;
};

struct MotionEnclosure {
  std::string refusal;  // "": it is proved up to the end
  std::string help;     // what would help
  double reached = 0;   // time
  EnclosureSet start;
  std::vector<EnclosureSet> steps;              // the start is the first, the end the last
  EnclosureSet end, solved;                     // all unknowns; w
  std::vector<std::vector<double>> derivative;  // of the flow, by the unknowns at the start, without algebraic ones
  int precision = 0, order = 0, digits = 0;
};

class EnclosureLibrary {
 public:
  virtual ~EnclosureLibrary() = default;
  /// "Arb 2.23.0"
  virtual std::string version() const = 0;
  /// Does not throw.
  virtual MotionEnclosure enclose(const EnclosureTask& task) const = 0;
  /// The SHA-256 of these bytes, in hexadecimal digits.
  virtual std::string sha256(const std::string& bytes) const = 0;
};

/// The one symbol of the module.
constexpr const char* enclosure_library_symbol = "daelab_enclosure_library";
using EnclosureLibraryFunction = const EnclosureLibrary*();

}  // namespace daelab
