#include "report/layout/legend.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "core/base/number_text.hpp"
#include "report/layout/placement.hpp"
#include "report/layout/symbols.hpp"

namespace daelab {
namespace {

constexpr double group_gap = 1.2, entry_gap = 5;  // [mm]
constexpr double rounding = 1e-6;                 // [mm]
constexpr double widest_beside = 0.25;            // of the figure
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

// The entries of a group by rows. None has more than one more than another, so that none is alone below a full row.
std::vector<std::vector<LegendEntry>> rows_of(const std::vector<LegendEntry>& group, std::size_t most_across) {
  const std::size_t rows = (group.size() + most_across - 1) / most_across;
  std::vector<std::vector<LegendEntry>> by_row(rows);
  auto next = group.begin();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto end = next + static_cast<std::ptrdiff_t>(group.size() / rows + (row < group.size() % rows ? 1 : 0));
    by_row[row].assign(next, end);
    next = end;
  }
  return by_row;
}

// Where the columns of these rows begin, and last where the next one would.
std::vector<double> column_starts(const std::vector<std::vector<LegendEntry>>& rows) {
  std::vector<double> starts = {0};
  for (std::size_t c = 0; c < rows.front().size(); ++c) {
    double width = 0;
    for (const std::vector<LegendEntry>& row : rows)
      if (c < row.size()) width = std::max(width, text_start + label_width(row[c].text));
    starts.push_back(starts.back() + width + entry_gap);
  }
  return starts;
}

// Up to `columns` for each group, filled row by row; another group begins another row. Only what is alone in its row
// may break lines.
Block block_of(const std::vector<LegendEntry>& entries, std::size_t columns, double most_width) {
  Block block;
  for (const std::vector<LegendEntry>& group : groups_of(entries)) {
    if (block.height > 0) block.height += group_gap;
    std::size_t across = std::min(columns, group.size());
    while (across > 1 && column_starts(rows_of(group, across)).back() - entry_gap > most_width) --across;
    const std::vector<std::vector<LegendEntry>> rows = rows_of(group, across);
    const std::vector<double> starts = column_starts(rows);
    const double width = std::min(starts.back() - entry_gap, most_width);
    for (const std::vector<LegendEntry>& row : rows) {
      double row_height = 0;
      for (std::size_t c = 0; c < row.size(); ++c) {
        const double room = (across == 1 ? width : starts[c + 1] - entry_gap - starts[c]) - text_start + rounding;
        PlacedEntry placed{row[c], broken(row[c].text, room), starts[c], block.height + line_height / 2};
        row_height = std::max(row_height, line_height * static_cast<double>(placed.lines.size()));
        block.entries.push_back(std::move(placed));
      }
      block.height += row_height;
    }
    block.width = std::max(block.width, width);
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

// Bytes of the words that all texts begin with, less than the whole of any.
std::size_t common_words(const std::vector<std::string>& texts) {
  std::size_t common = 0;
  const std::string& first = texts.front();
  for (std::size_t blank = first.find(' '); blank != std::string::npos; blank = first.find(' ', blank + 1)) {
    const std::string_view words = std::string_view(first).substr(0, blank + 1);
    if (!std::ranges::all_of(texts, [&](const std::string& text) { return text.starts_with(words); })) break;
    common = words.size();
  }
  return common;
}

// Takes the words that all texts begin with from them.
std::string take_common_words(std::vector<std::string>& texts) {
  const std::string common = texts.front().substr(0, common_words(texts));
  for (std::string& text : texts) text.erase(0, common.size());
  return common;
}

// "order 2, 3 and 4 (theory)" of "order 2 (theory)" and so on.
std::string told_together(std::vector<std::string> texts) {
  const auto reverse = [&] { std::ranges::for_each(texts, [](std::string& text) { std::ranges::reverse(text); }); };
  if (texts.size() < 2) return texts.front();
  const std::string before = take_common_words(texts);
  reverse();
  std::string after = take_common_words(texts);
  reverse(), std::ranges::reverse(after);
  std::ranges::stable_sort(texts, {}, [](const std::string& text) { return number_in(text).value_or(0); });
  return fmt::format("{}{} and {}{}", before, fmt::join(texts.begin(), texts.end() - 1, ", "), texts.back(), after);
}

std::vector<WithoutRoom> place_at_lines(Layout& layout, bool guides_at_lines) {
  std::vector<WithoutRoom> left_out;
  for (PlacedPanel& placed : layout.panels) {
    placed.line_labels.clear();
    left_out.push_back(place_line_labels(placed, guides_at_lines));
  }
  return left_out;
}

// What guides say that is at no line of the figure.
std::vector<std::string> untold_guides(const Layout& layout, const std::vector<WithoutRoom>& left_out) {
  std::vector<std::string> untold;
  const auto is_told = [&](const std::string& text) {
    return std::ranges::find(untold, text) != untold.end() ||
           std::ranges::any_of(layout.panels, [&](const PlacedPanel& placed) {
             return std::ranges::find(placed.line_labels, text, &LineLabel::text) != placed.line_labels.end();
           });
  };
  for (const WithoutRoom& panel : left_out)
    for (const std::string& text : panel.guides)
      if (!is_told(text)) untold.push_back(text);
  return untold;
}

// Texts of lines, and the entries of the legend, with what has no room at its line. Guides are named in one way: all at
// their lines or, where one has no room there, all in the legend.
std::vector<LegendEntry> place_texts(Layout& layout) {
  std::vector<LegendEntry> entries = layout.channels.legend;
  layout.slopes.clear();
  std::vector<WithoutRoom> left_out = place_at_lines(layout, true);
  if (!untold_guides(layout, left_out).empty()) left_out = place_at_lines(layout, false);
  for (std::size_t i = 0; i < left_out.size(); ++i)
    for (const auto& [label, slope] : left_out[i].fits) tell_slope(layout.panels[i], label, slope, entries, layout);
  // Guides look alike: they are told apart by what their text says, as slopes are.
  const std::vector<std::string> guides = untold_guides(layout, left_out);
  if (!guides.empty()) entries.push_back({told_together(guides), {}, {}, {}, true});
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

// Not beside paths in the plane, whose scale would shrink with their width.
bool put_beside(const std::vector<LegendEntry>& entries, Layout& layout, PlacePanels place_panels) {
  if (std::ranges::any_of(layout.panels, [](const PlacedPanel& placed) { return placed.panel->equal_axes; }))
    return false;
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
