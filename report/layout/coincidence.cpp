#include "report/layout/coincidence.hpp"

#include <algorithm>
#include <cmath>

namespace daelab {
namespace {

// In lengths of an axis: less than a line is wide.
constexpr double nearest_x = 0.002, nearest_y = 0.004;

bool same_place(const Curve& a, std::size_t i, const Curve& b, std::size_t k, const PlacedPanel& placed) {
  return std::abs(placed.x.place(a.x[i]) - placed.x.place(b.x[k])) <= nearest_x &&
         std::abs(placed.y.place(a.y[i]) - placed.y.place(b.y[k])) <= nearest_y;
}

bool coincide(const Curve& a, const Curve& b, const PlacedPanel& placed) {
  if (a.style != b.style || is_area(a) || a.x.empty() || a.x.size() != b.x.size()) return false;
  for (std::size_t i = 0; i < a.x.size(); ++i)
    if (!same_place(a, i, b, i, placed)) return false;
  return true;
}

// Whether a line from left to right lies on another one, whatever their points, over most of that one's length.
bool lies_on(const Curve& part, const Curve& whole, const PlacedPanel& placed) {
  if (part.x.size() < 2 || whole.x.size() < 2) return false;
  if (!std::ranges::is_sorted(part.x) || !std::ranges::is_sorted(whole.x)) return false;
  const auto x = [&](const Curve& curve, std::size_t i) { return placed.x.place(curve.x[i]); };
  const auto y = [&](const Curve& curve, std::size_t i) { return placed.y.place(curve.y[i]); };
  const auto span = [&](const Curve& curve) { return x(curve, curve.x.size() - 1) - x(curve, 0); };
  if (2 * span(part) <= span(whole)) return false;
  std::size_t k = 0;
  for (std::size_t i = 0; i < part.x.size(); ++i) {
    while (k + 2 < whole.x.size() && x(whole, k + 1) < x(part, i)) ++k;
    const double length = x(whole, k + 1) - x(whole, k), way = x(part, i) - x(whole, k);
    if (way < -nearest_x || way > length + nearest_x) return false;
    const double there = y(whole, k) + (length > 0 ? way / length : 0) * (y(whole, k + 1) - y(whole, k));
    if (std::abs(there - y(part, i)) > nearest_y) return false;
  }
  return true;
}

// Whether the points of `part` are points of `whole`, one after the other, and most of them; a line without points is
// compared as a line.
bool is_part(const Curve& part, const Curve& whole, const PlacedPanel& placed) {
  if (part.style != whole.style) return false;
  if (part.style == CurveStyle::line) return lies_on(part, whole, placed);
  if (part.style != CurveStyle::line_points || 2 * part.x.size() <= whole.x.size()) return false;
  std::size_t k = 0;
  for (std::size_t i = 0; i < whole.x.size() && k < part.x.size(); ++i) k += same_place(part, k, whole, i, placed);
  return k == part.x.size();
}

std::vector<const Curve*> curves_of(const PlacedPanel& placed, const std::string& label) {
  std::vector<const Curve*> curves;
  for (const Curve& curve : placed.curves)
    if (!is_reference(curve) && curve.label == label) curves.push_back(&curve);
  return curves;
}

using Likeness = bool(const Curve& a, const Curve& b, const PlacedPanel& placed);

bool alike(const std::string& a, const std::string& b, const std::vector<PlacedPanel>& panels, Likeness likeness) {
  for (const PlacedPanel& placed : panels) {
    const std::vector<const Curve*> ours = curves_of(placed, a), theirs = curves_of(placed, b);
    if (ours.size() != theirs.size()) return false;
    for (std::size_t i = 0; i < ours.size(); ++i)
      if (!likeness(*ours[i], *theirs[i], placed)) return false;
  }
  return true;
}

// What two names begin with, up to the end of a part: "ρ = 1, ", "perturbation = ".
std::size_t common_beginning(const std::string& a, const std::string& b) {
  std::size_t common = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i)
    if (a[i] == ' ' && i > 0 && (a[i - 1] == ',' || a[i - 1] == '=')) common = i + 1;
  return common;
}

// Between names that are told together, until all are known: a name can hold "and" itself.
constexpr char next_name = '\x1f';

// What is said of the first names is not said again.
std::string named_together(const std::string& names, const std::string& name) {
  return names + next_name + name.substr(common_beginning(names, name));
}

// "a, b and c"
std::string enumerated(std::string names) {
  const std::size_t last = names.rfind(next_name);
  if (last == std::string::npos) return names;
  names.replace(last, 1, " and ");
  for (std::size_t at; (at = names.find(next_name)) != std::string::npos;) names.replace(at, 1, ", ");
  return names;
}

void enumerate_names(std::vector<PlacedPanel>& panels) {
  for (PlacedPanel& placed : panels)
    for (Curve& curve : placed.curves) {
      curve.label = enumerated(curve.label);
      for (Factor& factor : curve.factors) factor.value = enumerated(factor.value);
    }
}

void remove_curves(std::vector<PlacedPanel>& panels, const std::string& label) {
  for (PlacedPanel& placed : panels)
    std::erase_if(placed.curves, [&](const Curve& curve) { return !is_reference(curve) && curve.label == label; });
}

void rename_curves(std::vector<PlacedPanel>& panels, const std::string& from, const Label& to) {
  for (PlacedPanel& placed : panels)
    for (Curve& curve : placed.curves)
      if (!is_reference(curve) && curve.label == from) curve.label = to.text, curve.factors = to.factors;
}

// The label that differs in one factor alone; null where there is none.
const Label* partner(const std::vector<Label>& labels, const Label& label, const std::string& factor,
                     const std::string& value) {
  std::vector<Factor> wanted = label.factors;
  for (Factor& one : wanted)
    if (one.name == factor) one.value = value;
  const auto found = std::ranges::find(labels, wanted, &Label::factors);
  return found == labels.end() ? nullptr : &*found;
}

// Whether a factor may have either value everywhere: the curves are the same.
bool is_one_value(const std::vector<Label>& labels, const std::string& factor, const std::string& a,
                  const std::string& b, const std::vector<PlacedPanel>& panels) {
  for (const Label& label : labels) {
    const std::string value = value_of(label.factors, factor);
    if (value != a && value != b) continue;
    const Label* other = partner(labels, label, factor, value == a ? b : a);
    if (!other || !alike(label.text, other->text, panels, coincide)) return false;
  }
  return true;
}

void merge_values(std::vector<PlacedPanel>& panels, const std::vector<Label>& labels, const std::string& factor,
                  const std::string& a, const std::string& b) {
  for (const Label& label : labels) {
    if (value_of(label.factors, factor) == b) remove_curves(panels, label.text);
    if (value_of(label.factors, factor) != a) continue;
    Label merged = label;
    for (Factor& one : merged.factors)
      if (one.name == factor) one.value = named_together(one.value, b);
    merged.text = joined_values(merged.factors);
    rename_curves(panels, label.text, merged);
  }
}

// One pair of values of a factor that are one everywhere; whether there was one.
bool merge_a_value(std::vector<PlacedPanel>& panels) {
  const std::vector<Label> labels = labels_of(panels);
  for (const Label& first : labels)
    for (const Factor& factor : first.factors)
      for (const Label& second : labels) {
        const std::string other = value_of(second.factors, factor.name);
        if (other.empty() || other == factor.value) continue;
        if (!is_one_value(labels, factor.name, factor.value, other, panels)) continue;
        merge_values(panels, labels, factor.name, factor.value, other);
        return true;
      }
  return false;
}

// One pair of labels where one has all points of the other; whether there was one.
bool merge_a_label(std::vector<PlacedPanel>& panels) {
  const std::vector<Label> labels = labels_of(panels);
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t k = i + 1; k < labels.size(); ++k) {
      const std::string &first = labels[i].text, &second = labels[k].text;
      const bool is_whole = alike(second, first, panels, is_part);
      if (!is_whole && !alike(first, second, panels, is_part)) continue;
      remove_curves(panels, is_whole ? second : first);
      rename_curves(panels, is_whole ? first : second, {named_together(first, second), {}});
      return true;
    }
  return false;
}

}  // namespace

std::vector<Label> labels_of(const std::vector<PlacedPanel>& panels) {
  std::vector<Label> labels;
  for (const PlacedPanel& placed : panels) add_labels(placed.curves, labels);
  return labels;
}

bool is_covered(const PlacedPanel& placed, std::size_t i) {
  const auto later = placed.curves.begin() + static_cast<std::ptrdiff_t>(i) + 1;
  return std::any_of(later, placed.curves.end(), [&](const Curve& curve) {
    return !is_reference(curve) && coincide(placed.curves[i], curve, placed);
  });
}

std::vector<std::vector<std::string>> coinciding_labels(const PlacedPanel& placed) {
  std::vector<std::vector<std::string>> groups;
  std::vector<bool> seen(placed.curves.size(), false);
  for (std::size_t i = 0; i < placed.curves.size(); ++i) {
    if (seen[i] || is_reference(placed.curves[i]) || placed.curves[i].label.empty()) continue;
    std::vector<std::string> group{placed.curves[i].label};
    for (std::size_t k = i + 1; k < placed.curves.size(); ++k)
      if (!is_reference(placed.curves[k]) && coincide(placed.curves[i], placed.curves[k], placed))
        group.push_back(placed.curves[k].label), seen[k] = true;
    if (group.size() > 1) groups.push_back(std::move(group));
  }
  return groups;
}

void merge_coincident(std::vector<PlacedPanel>& panels) {
  while (merge_a_value(panels)) {
  }
  // Where colours and markers have a meaning each, single curves keep theirs.
  const bool one_entry_each = choose_channels(labels_of(panels)).legend.size() == labels_of(panels).size();
  while (one_entry_each && merge_a_label(panels)) {
  }
  enumerate_names(panels);
}

}  // namespace daelab
