#include "lab/runs/progress.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "core/mechanism/problem.hpp"
#include "lab/runs/cells.hpp"
#include "lab/runs/labels.hpp"
#include "lab/runs/run_kind.hpp"

namespace daelab {
namespace {

using namespace std::chrono_literals;

std::string part_text(const std::string& part, const Json& value) {
  if (value.is_object()) return spec_text(chosen_component(part, value));
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return part == "h" || part == "rtol" ? part + "=" + text : text;
}

// That of the terminal, where a longer line would not be rewritten whole, and the usual one in logs.
std::size_t line_width() {
  constexpr std::size_t usual = 80;
  winsize size{};
  return (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual) - 1;
}

// At least a second: while runs go on, something is left.
std::string time_text(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", std::max(std::ceil(seconds), 1.));
  return seconds < 2 * hour ? fmt::format("{:.0f} min", seconds / minute) : fmt::format("{:.1f} h", seconds / hour);
}

// Runs of one method take a like time for a like cost.
std::string group_of(const Cell& cell) {
  const auto spec = cell.run->specification();
  const Json* const method = spec->is_object() ? spec->find("method") : nullptr;
  return method == nullptr ? "" : method->is_object() ? method->value("name", "") : method->dump();
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::string cut_to_words(const std::string& line, std::size_t width) {
  const auto characters = [](const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
  };
  constexpr std::size_t mark_width = 2;  // of " …"
  if (characters(line) <= width) return line;
  std::string kept = line;
  while (!kept.empty() && characters(kept) + mark_width > width) {
    const std::size_t blank = kept.rfind(' ');
    kept.resize(blank == std::string::npos ? 0 : blank);
  }
  return kept + " …";
}

std::string run_text(const Json& spec) {
  std::vector<std::string> parts;
  for (const char* part : {"problem", "formulation", "method", "multiplier_solver", "h", "rtol"})
    if (spec.is_object() && spec.contains(part) && !spec[part].is_null()) parts.push_back(part_text(part, spec[part]));
  return parts.empty() ? spec.dump() : fmt::format("{}", fmt::join(parts, " "));
}

Progress::Progress(const std::vector<Cell>& cells, bool quiet)
    : terminal_(::isatty(STDERR_FILENO) != 0), total_(cells.size()) {
  if (quiet || total_ == 0) return;
  for (const Cell& cell : cells) work_.add(group_of(cell), cell.run->expected_cost());
  speaker_ = std::thread([this] { speak(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_all();
  if (speaker_.joinable()) speaker_.join();
  if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::started(const Cell& cell) {
  if (!speaker_.joinable()) return;
  const std::lock_guard lock(mutex_);
  work_.started(group_of(cell), cell.run->expected_cost());
  running_.push_back({&cell, Clock::now()});
}

// Of runs of other machines only the end is told: their cost stands for their time.
void Progress::finished(const Cell& cell) {
  if (!speaker_.joinable()) return;
  const std::lock_guard lock(mutex_);
  const double cost = cell.run->expected_cost();
  const auto found = std::ranges::find(running_, &cell, &Running::cell);
  const bool was_started = found != running_.end();
  work_.ended(group_of(cell), cost, was_started ? seconds_since(found->begin) : cost, was_started);
  ++done_;
  if (was_started) running_.erase(found);
}

std::string Progress::line() const {
  constexpr double patience = 5;  // seconds
  const double elapsed = seconds_since(begin_);
  double running = 0;
  for (const Running& run : running_) running += seconds_since(run.begin);
  std::string text = fmt::format("{} of {} runs", done_, total_);
  if (const auto work = work_.work(running))
    text += fmt::format(", {} % of the work, {}", work->percent(),
                        work->left > 0 ? fmt::format("about {} left", time_text(elapsed * work->left / work->done))
                                       : "longer than expected");
  else if (elapsed > patience)
    text += fmt::format(" after {}", time_text(elapsed));
  else
    return "";
  if (!running_.empty()) text += "; now " + run_text(*running_.front().cell->run->specification());
  return text;
}

void Progress::speak() {
  constexpr std::chrono::milliseconds first = 700ms, often = 200ms, rarely = 10s;
  std::unique_lock lock(mutex_);
  for (std::chrono::milliseconds pause = first; !end_.wait_for(lock, pause, [this] { return ended_; });) {
    std::string shown = cut_to_words(line(), line_width());
    if (constexpr std::string_view nameless = "; now …"; shown.ends_with(nameless))
      shown.resize(shown.size() - nameless.size());
    if (shown.empty()) {
      pause = often;
      continue;
    }
    const std::string text = terminal_ ? "\r\033[K" + shown : shown + "\n";
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
    shown_ = true;
    // In a log a tenth more of the time that has passed: a long set writes few lines.
    pause = terminal_ ? often
                      : std::max<std::chrono::milliseconds>(
                            rarely, std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_) / 10);
  }
}

}  // namespace daelab
