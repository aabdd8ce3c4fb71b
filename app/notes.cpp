#include "app/notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/terminal.hpp"

namespace daelab::app {

std::string Notes::mark(const std::string& note) {
  if (note.empty()) return "";
  const auto found = std::ranges::find(notes_, note);
  const auto place = found - notes_.begin();
  if (found == notes_.end()) notes_.push_back(note);
  return fmt::format("[{}]", place + 1);
}

void Notes::print() const {
  const std::size_t column = notes_.size() < 10 ? 7 : 8;
  for (std::size_t i = 0; i < notes_.size(); ++i)
    fmt::print("{}", entry_text(fmt::format("  [{}]", i + 1), notes_[i], column, terminal_width()));
}

}  // namespace daelab::app
