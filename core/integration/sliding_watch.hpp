// Sliding: a condition of the equations, as that of sign(x), to whose zero the equations point from both of its sides.
//
// There is no motion then but the one along x = 0, which the equations as they are stated do not have. Error control
// takes steps to and fro over x = 0 that are as short as the tolerance is tight, or, by implicit methods, as the
// iteration needs: minutes for nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/expressions/program.hpp"
#include "core/integration/crossing_check.hpp"
#include "core/integration/integrate.hpp"

namespace daelab {

/// With error control: looks at what the conditions of forces and rates compare with zero, at step ends. Where one has
/// changed its sign in a quarter of the last `window` steps, as no motion does that steps resolve, or in a twentieth
/// and stayed within `close` of its largest size, and more than `too_many` steps like these would be needed to the end,
/// check() ends the run with StatusCode::chattering. Near zero a step also counts whose slope at the start leads over
/// zero and whose end does not: stages of explicit methods cross and come back, so that ends may be on one side for
/// ever. Conditions of multipliers, of algebraic states beside coordinates
/// and of held outputs are not looked at.
template <class T>
class SlidingWatch final : public Guard<T> {
 public:
  static constexpr long window = 400, too_many = 300'000;
  static constexpr double close = 1e-3;

  /// `check` looks at steps that change the sign of a condition; null: nobody does.
  SlidingWatch(Model<T>& model, const T& end, CrossingCheck<T>* check = nullptr)
      : model_(model), end_(end), check_(check) {}
  void start(const State<T>& state) override;
  Status check(const State<T>& from, const State<T>& to) override;
  std::optional<Warning> warning() const override { return check_ != nullptr ? check_->warning() : std::nullopt; }

 private:
  struct Condition {
    std::string text;  // of what is compared with zero
    bool jumps;        // at zero, in place of a bend
    int sign = 0;
    T largest{0};       // size so far,
    T last{0}, now{0};  // and in the window, and at the last step end
    long changes = 0;   // of the sign, in the window
  };
  void enter_mode();
  void begin_window(const T& t);
  void evaluate(const T& t, const Vector<T>& y, std::vector<T>& values);
  bool is_near_zero() const;
  void count(const State<T>& from, const State<T>& to, bool led_across);
  bool slides(const Condition& condition) const;
  Status slides_along(const Condition& condition, const T& t) const;

  Model<T>& model_;
  T end_;
  CrossingCheck<T>* check_;
  Forms* forms_ = nullptr;  // of the mode that the conditions are of
  std::unique_ptr<Program<T>> program_;
  std::vector<Condition> conditions_;
  std::vector<T> values_, ahead_, work_;
  Vector<T> y_;  // where the slope at the start of a step leads to
  T window_start_{0};
  long steps_ = 0;  // in the window
};

}  // namespace daelab
