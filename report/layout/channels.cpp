#include "report/layout/channels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace daelab {
namespace {

// Colours and markers that are told from each other without effort.
constexpr std::size_t most_colours = 7, most_markers = 6;

std::vector<std::string> factor_names(const std::vector<Label>& labels) {
  std::vector<std::string> names;
  for (const Label& label : labels)
    for (const Factor& factor : label.factors)
      if (std::ranges::find(names, factor.name) == names.end()) names.push_back(factor.name);
  return names;
}

std::size_t place_in(std::vector<std::string>& values, const std::string& value) {
  const auto place = std::ranges::find(values, value);
  const auto number = static_cast<std::size_t>(place - values.begin());
  if (place == values.end()) values.push_back(value);
  return number;
}

// All values but that of one factor.
std::string rest_of(const Label& label, const std::string& left_out) {
  std::string text;
  for (const Factor& factor : label.factors)
    if (factor.name != left_out && !factor.value.empty()) text += (text.empty() ? "" : ", ") + factor.value;
  return text;
}

// Labels by the value of one factor and by all others.
struct Split {
  std::vector<std::string> colours, markers;
  std::vector<Look> looks;  // label by label

  std::size_t entries() const { return colours.size() + markers.size(); }
  bool is_useful() const {
    const bool has_names =
        std::ranges::find(colours, "") == colours.end() && std::ranges::find(markers, "") == markers.end();
    return has_names && colours.size() > 1 && markers.size() > 1 && colours.size() <= most_colours &&
           markers.size() <= most_markers && entries() <= looks.size() && looks.size() > 3;
  }
};

Split split_by(const std::vector<Label>& labels, const std::string& factor) {
  Split split;
  for (const Label& label : labels)
    split.looks.push_back(
        {place_in(split.colours, value_of(label.factors, factor)), place_in(split.markers, rest_of(label, factor))});
  return split;
}

// The split with the shortest legend; of equal ones that with more colours, which are told apart best.
std::optional<Split> best_split(const std::vector<Label>& labels) {
  std::optional<Split> best;
  for (const std::string& name : factor_names(labels)) {
    Split split = split_by(labels, name);
    if (!split.is_useful()) continue;
    if (!best || split.entries() < best->entries() ||
        (split.entries() == best->entries() && split.colours.size() > best->colours.size()))
      best = std::move(split);
  }
  return best;
}

std::size_t legend_length(const std::vector<Label>& labels) {
  const std::optional<Split> split = best_split(labels);
  return split ? split->entries() : labels.size();
}

Channels channels_of(const std::vector<Label>& labels, const Split& split) {
  Channels channels;
  const auto label_with = [&](const auto& is_it) {
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (is_it(split.looks[i])) return labels[i].text;
    return std::string();
  };
  for (std::size_t c = 0; c < split.colours.size(); ++c)
    channels.legend.push_back(
        {split.colours[c], c, std::nullopt, label_with([&](const Look& look) { return look.colour == c; })});
  for (std::size_t m = 0; m < split.markers.size(); ++m)
    channels.legend.push_back(
        {split.markers[m], std::nullopt, m, label_with([&](const Look& look) { return look.marker == m; })});
  for (std::size_t i = 0; i < labels.size(); ++i) channels.looks[labels[i].text] = split.looks[i];
  return channels;
}

std::vector<Label> labels_of(const Figure& figure) {
  std::vector<Label> labels;
  for (const Panel& panel : figure.panels) add_labels(panel.series, labels);
  return labels;
}

// A label without factors has its parts as such, numbered.
std::vector<Factor> parts_of(const std::string& label) {
  std::vector<Factor> parts;
  for (std::size_t begin = 0; begin <= label.size();) {
    const std::size_t end = std::min(label.find(", ", begin), label.size());
    parts.push_back({"", label.substr(begin, end - begin)});
    begin = end + 2;
  }
  return parts;
}

}  // namespace

std::string joined_values(const std::vector<Factor>& factors) {
  std::string text;
  for (const Factor& factor : factors) text += (text.empty() ? "" : ", ") + factor.value;
  return text;
}

std::string value_of(const std::vector<Factor>& factors, const std::string& name) {
  const auto found = std::ranges::find(factors, name, &Factor::name);
  return found == factors.end() ? "" : found->value;
}

std::vector<Factor> common_factors(const std::vector<Label>& labels) {
  std::vector<Factor> common;
  if (labels.size() < 2) return common;
  const auto has = [](const Label& label, const Factor& factor) {
    return std::ranges::find(label.factors, factor) != label.factors.end();
  };
  for (const Factor& factor : labels.front().factors)
    if (std::ranges::all_of(labels, [&](const Label& label) { return has(label, factor); })) common.push_back(factor);
  const bool is_whole =
      std::ranges::any_of(labels, [&](const Label& label) { return label.factors.size() <= common.size(); });
  return is_whole ? std::vector<Factor>() : common;
}

Channels choose_channels(const std::vector<Label>& labels) {
  if (const std::optional<Split> split = best_split(labels)) return channels_of(labels, *split);
  Channels channels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    channels.legend.push_back({labels[i].text, i, i, labels[i].text});
    channels.looks[labels[i].text] = {i, i};
  }
  return channels;
}

std::string panel_factor(const std::vector<Label>& labels, std::size_t most_panels) {
  if (legend_length(labels) <= most_legend_entries) return "";
  std::string best;
  std::size_t fewest = most_panels + 1;
  for (const std::string& name : factor_names(labels)) {
    std::map<std::string, std::vector<Label>> panels;
    std::vector<Label> all;
    for (const Label& label : labels) {
      const std::string rest = rest_of(label, name);
      if (std::ranges::find(all, rest, &Label::text) != all.end()) continue;
      Label& other = all.emplace_back(Label{rest, label.factors});
      std::erase_if(other.factors, [&](const Factor& factor) { return factor.name == name; });
    }
    for (const Label& label : labels) panels[value_of(label.factors, name)];
    if (panels.contains("") || panels.size() < 2 || panels.size() >= fewest) continue;
    if (legend_length(all) > most_legend_entries) continue;
    best = name, fewest = panels.size();
  }
  return best;
}

Figure with_constants_in_caption(Figure figure) {
  std::vector<Label> labels = labels_of(figure);
  for (Label& label : labels)
    if (label.factors.empty() || joined_values(label.factors) != label.text) label.factors = parts_of(label.text);
  std::vector<Factor> common = common_factors(labels);
  // Of text that is not known part by part, settings only.
  std::erase_if(common, [](const Factor& f) { return f.name.empty() && f.value.find(" = ") == std::string::npos; });
  if (common.empty()) return figure;
  for (Panel& panel : figure.panels)
    for (Series& series : panel.series) {
      const auto label = std::ranges::find(labels, series.label, &Label::text);
      if (series.style == CurveStyle::reference || label == labels.end()) continue;
      std::vector<Factor> left = label->factors;
      std::erase_if(left, [&](const Factor& f) { return std::ranges::find(common, f) != common.end(); });
      series.label = joined_values(left);
      if (!series.factors.empty()) series.factors = left;
    }
  figure.caption += fmt::format(" All curves: {}.", joined_values(common));
  return figure;
}

}  // namespace daelab
