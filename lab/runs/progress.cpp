#include "lab/runs/progress.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/mechanism/problem.hpp"
#include "lab/runs/cells.hpp"
#include "lab/runs/labels.hpp"
#include "lab/runs/run_kind.hpp"

namespace daelab {
namespace {

using namespace std::chrono_literals;

std::string part_text(const std::string& part, const Json& value) {
  if (value.is_object()) return spec_text(part == Problem::kind ? chosen_problem(value) : value);
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return part == "h" || part == "rtol" ? part + "=" + text : text;
}

// To that of the terminal, where a longer line would not be rewritten whole, and to the usual one in logs.
std::string cut_to_width(std::string line) {
  constexpr std::size_t usual = 80;
  winsize size{};
  const std::size_t width = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
  if (line.size() < width) return line;
  line.resize(width - 1);
  while (!line.empty() && (line.back() & 0x80) != 0) line.pop_back();  // of a character in several bytes
  return line;
}

std::string time_text(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  return seconds < 2 * hour ? fmt::format("{:.0f} min", seconds / minute) : fmt::format("{:.1f} h", seconds / hour);
}

}  // namespace

std::string run_text(const Json& spec) {
  std::vector<std::string> parts;
  for (const char* part : {"problem", "formulation", "method", "multiplier_solver", "h", "rtol"})
    if (spec.is_object() && spec.contains(part) && !spec[part].is_null()) parts.push_back(part_text(part, spec[part]));
  return parts.empty() ? spec.dump() : fmt::format("{}", fmt::join(parts, " "));
}

Progress::Progress(const std::vector<Cell>& cells, bool quiet)
    : terminal_(::isatty(STDERR_FILENO) != 0), total_(cells.size()) {
  for (const Cell& cell : cells) cost_ += cell.run->expected_cost();
  if (!quiet && total_ > 0) speaker_ = std::thread([this] { speak(); });
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
  const std::lock_guard lock(mutex_);
  running_.push_back(&cell);
}

void Progress::finished(const Cell& cell) {
  const std::lock_guard lock(mutex_);
  ++done_, cost_done_ += cell.run->expected_cost();
  std::erase(running_, &cell);
}

std::string Progress::line() const {
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  std::string text = fmt::format("{} of {} runs, {:.0f} % of the work", done_, total_, 100 * cost_done_ / cost_);
  if (cost_done_ > 0)
    text += fmt::format(", about {} left", time_text(elapsed * (cost_ - cost_done_) / cost_done_));
  else
    text += fmt::format(", {} so far", time_text(elapsed));
  if (!running_.empty()) text += "; now " + run_text(*running_.front()->run->specification());
  return text;
}

void Progress::speak() {
  constexpr std::chrono::milliseconds first = 700ms, often = 200ms, rarely = 10s;
  std::unique_lock lock(mutex_);
  for (std::chrono::milliseconds pause = first; !end_.wait_for(lock, pause, [this] { return ended_; });) {
    const std::string shown = cut_to_width(line()), text = terminal_ ? "\r\033[K" + shown : shown + "\n";
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
