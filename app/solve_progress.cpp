#include "app/solve_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace daelab::app {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds patience = 2s, pause = 200ms, window = 2s;

}  // namespace

std::string duration_text(double seconds) {
  constexpr double minute = 60, hour = 60 * minute, day = 24 * hour;
  if (!(seconds < 1000 * day)) return "years";
  if (seconds < 1.5 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 1.5 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2 * day) return fmt::format("{:.0f} h", seconds / hour);
  return fmt::format("{:.0f} days", seconds / day);
}

SolveProgress::SolveProgress(bool trajectory_at_samples)
    : trajectory_at_samples_(trajectory_at_samples), terminal_(isatty(STDERR_FILENO) != 0) {}

SolveProgress::~SolveProgress() { clear(); }

void SolveProgress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void SolveProgress::reached(double t, double t_start, double t_end) {
  if (!terminal_) return;
  const auto now = Clock::now();
  if (!last_) before_ = last_ = Mark{t_start, begin_};
  if (now - last_->at >= window) before_ = last_, last_ = Mark{t, now};
  if (now - begin_ < patience || now - printed_ < pause) return;
  printed_ = now, shown_ = true;
  const double pace = (t - before_->t) / std::chrono::duration<double>(now - before_->at).count();
  fmt::print(stderr, "\r\033[Kt = {:.6g} of {:.6g} ({:.3g} %), about {} left at this pace", t, t_end,
             100 * (t - t_start) / (t_end - t_start), duration_text(pace > 0 ? (t_end - t) / pace : HUGE_VAL));
  std::fflush(stderr);
}

void SolveProgress::warned(const Warning& warning) {
  if (warning.kind != "stiff") return;
  clear();
  fmt::print(stderr, "warning {}: {}\n", warning.kind, warning.text);
  std::fflush(stderr);
}

}  // namespace daelab::app
