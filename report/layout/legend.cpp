#include "report/layout/legend.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "report/layout/placement.hpp"
#include "report/layout/symbols.hpp"

namespace daelab {
namespace {

constexpr double group_gap = 1.2, entry_gap = 5;  // [mm]
constexpr double rounding = 1e-6;                 // [mm]
constexpr double widest_beside = 0.36;            // of the figure
constexpr double text_start = sample_width + sample_gap;

// Lines of at most this width [mm]; a longer word has its own.
std::vector<std::string> broken(const std::string& text, double width) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.empty() && label_width(lines.back() + " " + word) <= width)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  }
  return lines.empty() ? std::vector<std::string>{""} : lines;
}

// Entries in their places, from the upper left corner; y grows downwards until the block is placed.
struct Block {
  std::vector<PlacedEntry> entries;
  double width = 0, height = 0;
};

double text_width_of(const std::vector<std::string>& lines) {
  double widest = 0;
  for (const std::string& line : lines) widest = std::max(widest, label_width(line));
  return widest;
}

// Whether an entry begins another group than the one before it.
bool begins_group(const std::vector<LegendEntry>& entries, std::size_t i) {
  return i > 0 && (entries[i].colour.has_value() != entries[i - 1].colour.has_value() ||
                   entries[i].marker.has_value() != entries[i - 1].marker.has_value());
}

// Entries that explain the same: colours, markers, curves, guides.
std::vector<std::vector<LegendEntry>> groups_of(const std::vector<LegendEntry>& entries) {
  std::vector<std::vector<LegendEntry>> groups;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || begins_group(entries, i)) groups.emplace_back();
    groups.back().push_back(entries[i]);
  }
  return groups;
}

double column_width(const std::vector<LegendEntry>& group, double room) {
  double width = 0;
  for (const LegendEntry& entry : group)
    width = std::max(width, text_start + text_width_of(broken(entry.text, room - text_start)));
  return width;
}

// Up to `columns` of equal width for each group, filled row by row; another group begins another row.
Block block_of(const std::vector<LegendEntry>& entries, std::size_t columns, double most_width) {
  Block block;
  for (const std::vector<LegendEntry>& group : groups_of(entries)) {
    if (block.height > 0) block.height += group_gap;
    std::size_t across = std::min(columns, group.size());
    constexpr double unbroken = 1e9;
    const auto width = [&](std::size_t count) {
      return static_cast<double>(count) * (column_width(group, unbroken) + entry_gap) - entry_gap;
    };
    while (across > 1 && width(across) > most_width) --across;
    const std::size_t rows = (group.size() + across - 1) / across;
    across = (group.size() + rows - 1) / rows;  // rows of nearly one length
    const double step = std::min(column_width(group, unbroken), most_width) + entry_gap;
    for (std::size_t begin = 0; begin < group.size(); begin += across) {
      double row_height = 0;
      for (std::size_t i = begin; i < std::min(begin + across, group.size()); ++i) {
        PlacedEntry placed{group[i], broken(group[i].text, step - entry_gap - text_start + rounding), 0, 0};
        placed.x = static_cast<double>(i - begin) * step, placed.y = block.height + line_height / 2;
        row_height = std::max(row_height, line_height * static_cast<double>(placed.lines.size()));
        block.entries.push_back(std::move(placed));
      }
      block.height += row_height;
    }
    block.width = std::max(block.width, static_cast<double>(across) * step - entry_gap);
  }
  return block;
}

bool is_broken(const Block& block) {
  return std::ranges::any_of(block.entries, [](const PlacedEntry& entry) { return entry.lines.size() > 1; });
}

void put(Block block, double left, double top, Layout& layout) {
  for (PlacedEntry& entry : block.entries) {
    entry.x += left, entry.y = top - entry.y;
    layout.legend.push_back(std::move(entry));
  }
}

// To the entry that explains this curve alone; whether there is one.
bool add_slope(std::vector<LegendEntry>& entries, const std::string& label, const std::string& slope) {
  const auto entry = std::ranges::find_if(
      entries, [&](const LegendEntry& one) { return one.label == label && one.colour && one.marker; });
  if (entry == entries.end()) return false;
  entry->text += fmt::format(" ({})", slope);
  return true;
}

std::size_t count_fits(const std::vector<PlacedPanel>& panels, const std::string& label) {
  std::size_t count = 0;
  for (const PlacedPanel& placed : panels)
    count += static_cast<std::size_t>(
        std::ranges::count_if(placed.curves, [&](const Curve& curve) { return curve.fit && curve.label == label; }));
  return count;
}

// In the legend where it has one fit of that label, otherwise for the caption.
void tell_slope(const PlacedPanel& placed, const std::string& label, const std::string& slope,
                std::vector<LegendEntry>& entries, Layout& layout) {
  if (count_fits(layout.panels, label) == 1 && add_slope(entries, label, slope)) return;
  const std::string name = placed.title.empty() ? label : placed.title + ", " + label;
  layout.slopes.push_back(fmt::format("{} {}", name, slope));
}

// Texts of lines, and the entries of the legend, with what has no room at its line.
std::vector<LegendEntry> place_texts(Layout& layout) {
  std::vector<LegendEntry> entries = layout.channels.legend;
  std::vector<std::string> guides;
  layout.slopes.clear();
  for (PlacedPanel& placed : layout.panels) {
    placed.line_labels.clear();
    const WithoutRoom left_out = place_line_labels(placed);
    for (const std::string& text : left_out.guides)
      if (std::ranges::find(guides, text) == guides.end()) guides.push_back(text);
    for (const auto& [label, slope] : left_out.fits) tell_slope(placed, label, slope, entries, layout);
  }
  // Guides look alike: they are told apart by what their text says, as slopes are.
  if (!guides.empty()) entries.push_back({fmt::format("{}", fmt::join(guides, ", ")), {}, {}, {}, true});
  return entries;
}

bool put_inside(const std::vector<LegendEntry>& entries, Layout& layout) {
  for (const PlacedPanel& placed : layout.panels)
    for (const std::size_t columns : {1, 2}) {
      if (columns > entries.size()) break;
      const Block block = block_of(entries, columns, 0.75 * placed.width);
      if (is_broken(block)) continue;
      const auto place = empty_place(placed, block.width, block.height);
      if (!place) continue;
      put(block, placed.left + (*place)[0], placed.bottom + (*place)[1] + block.height, layout);
      return true;
    }
  return false;
}

// In the empty place of a grid that is not full.
bool put_in_grid(const std::vector<LegendEntry>& entries, Layout& layout) {
  if (layout.panels.size() >= layout.rows * layout.columns || layout.rows < 2) return false;
  const PlacedPanel& last = layout.panels.back();
  const double left = last.left + last.width + 4, width = layout.width - left - 1;
  const Block block = block_of(entries, 1, width);
  if (block.width > width || block.height > last.height - 4) return false;
  put(block, left, last.bottom + block.height, layout);
  return true;
}

bool put_beside(const std::vector<LegendEntry>& entries, Layout& layout, PlacePanels place_panels) {
  const Block block = block_of(entries, 1, layout.width);
  double height = 0;
  for (const PlacedPanel& placed : layout.panels) height = std::max(height, placed.bottom + placed.height);
  if (block.width > widest_beside * layout.width || block.height > height - x_axis_height) return false;
  place_panels(layout, block.width + 2, 0);
  const Block again = block_of(place_texts(layout), 1, layout.width);
  if (again.width > block.width + rounding) return false;  // texts that have no room now
  const PlacedPanel& first = layout.panels.front();
  put(again, layout.right + 2, first.bottom + first.height, layout);
  return true;
}

void put_below(Layout& layout, PlacePanels place_panels) {
  const double room = layout.width - 4;
  constexpr std::size_t most_columns = 6;
  place_panels(layout, 0, 0);
  const Block block = block_of(place_texts(layout), most_columns, room);
  place_panels(layout, 0, block.height + 1);
  place_texts(layout);
  put(block, std::max(2.0, (layout.width - block.width) / 2), block.height + 0.5, layout);
}

}  // namespace

void place_legend(Layout& layout, PlacePanels place_panels) {
  place_panels(layout, 0, 0);
  const std::vector<LegendEntry> entries = place_texts(layout);
  if (entries.empty() || layout.panels.empty()) return;
  if (put_in_grid(entries, layout) || put_inside(entries, layout)) return;
  if (put_beside(entries, layout, place_panels)) return;
  put_below(layout, place_panels);
}

}  // namespace daelab
