#include "report/layout/motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/base/input_error.hpp"
#include "core/base/number_text.hpp"
#include "core/mechanism/drawn_outline.hpp"
#include "core/mechanism/problem.hpp"
#include "results/csv.hpp"

namespace daelab {
namespace {

// What a trajectory of a mechanism measures beside its state; what becomes of an energy that changes is no error.
std::vector<std::string> measured(const Problem& problem) {
  std::vector<std::string> names{"position_constraint", "velocity_constraint"};
  if (problem.conserves_energy()) names.insert(names.begin(), "energy_error");
  return names;
}

std::vector<std::string> numbered(const std::string& letter, Index count) {
  std::vector<std::string> names;
  for (Index i = 1; i <= count; ++i) names.push_back(fmt::format("{}{}", letter, i));
  return names;
}

// Names, angles and lengths belong to sketches.
bool moves(const DrawnShape& shape) {
  using enum ShapeKind;
  return shape.kind != angle && shape.kind != dimension && shape.kind != label;
}

// The rows nearest to equal distances in time: steps may be of any size.
std::vector<std::size_t> spread_rows(const std::vector<double>& t, std::size_t most) {
  std::vector<std::size_t> rows;
  if (t.empty()) return rows;
  const std::size_t wanted = std::min(most, t.size());
  for (std::size_t i = 0; i < wanted; ++i) {
    const double at = t.front() + (t.back() - t.front()) * static_cast<double>(i) / std::max<double>(1, wanted - 1.0);
    const std::size_t row = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), at) - t.begin());
    rows.push_back(std::min(row, t.size() - 1));
  }
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// What is measured, at every row that a plot can show; `columns` are those of the time and of the states.
void add_values(MovingOutline& motion, const std::vector<std::vector<double>>& columns, const Problem& problem,
                Index coordinates, const std::string& text) {
  constexpr std::size_t most_points = 2000;
  const std::vector<double>& t = columns[0];
  const std::vector<std::string> header = split_csv_line(text.substr(0, text.find('\n')));
  std::vector<std::string> names;
  for (const std::string& name : measured(problem))
    if (std::find(header.begin(), header.end(), name) != header.end()) names.push_back(name);
  const auto values = csv_columns(text, names, "trajectory");
  const std::size_t step = std::max<std::size_t>(1, t.size() / most_points);
  const Index states = coordinates > 0 ? coordinates : static_cast<Index>(columns.size()) - 1;
  for (std::size_t row = 0; row < t.size(); row += step) {
    motion.curve_t.push_back(t[row]);
    Vector<double> q(states);
    for (Index i = 0; i < states; ++i) q[i] = columns[static_cast<std::size_t>(1 + i)][row];
    motion.curve_q.push_back(std::move(q));
    for (std::size_t i = 0; i < names.size(); ++i) motion.values[names[i]].push_back(values[i][row]);
  }
}

// The rectangle that holds all frames, with room for symbols of a fixed size.
struct Picture {
  double left = std::numeric_limits<double>::infinity(), bottom = left, right = -left, top = -left;

  void include(double x, double y, double radius) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    left = std::min(left, x - radius), right = std::max(right, x + radius);
    bottom = std::min(bottom, y - radius), top = std::max(top, y + radius);
  }
  double size() const { return std::max({right - left, top - bottom, 1e-9}); }
};

Picture picture_of(const std::vector<MovingOutline>& motions) {
  Picture picture;
  for (const MovingOutline& motion : motions)
    for (const auto& frame : motion.frames)
      for (const DrawnShape& shape : frame)
        for (const auto& [x, y] : shape.points) picture.include(x, y, shape.radius);
  return picture;
}

constexpr double fineness = 10000;

Json in_picture(double value, double from, double size) {
  const double place = std::round((value - from) / size * fineness);
  return std::isfinite(place) ? Json(static_cast<long>(std::clamp(place, -1e6, 1e6))) : Json(0);
}

// The same number in all frames once.
Json column_json(const std::vector<std::vector<DrawnShape>>& frames, const auto& value_in) {
  Json column = Json::array();
  bool changes = false;
  for (const auto& frame : frames) {
    column.push_back(value_in(frame));
    changes |= column.back() != column[0];
  }
  return changes || column.empty() ? column : column[0];
}

Json columns_json(const MovingOutline& motion, const Picture& picture) {
  Json columns = Json::array();
  const std::vector<DrawnShape>& first = motion.frames.front();
  for (std::size_t s = 0; s < first.size(); ++s) {
    for (std::size_t p = 0; p < first[s].points.size(); ++p) {
      columns.push_back(column_json(motion.frames, [&](const auto& frame) {
        return in_picture(frame[s].points[p][0], picture.left, picture.size());
      }));
      columns.push_back(column_json(motion.frames, [&](const auto& frame) {
        return in_picture(frame[s].points[p][1], picture.bottom, picture.size());
      }));
    }
    if (first[s].kind == ShapeKind::circle)
      columns.push_back(column_json(motion.frames,
                                    [&](const auto& frame) { return in_picture(frame[s].radius, 0, picture.size()); }));
  }
  return columns;
}

// For a plot: six digits.
Json numbers_json(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values)
    json.push_back(std::isfinite(value) ? Json(*number_in(fmt::format("{:.6g}", value))) : Json());
  return json;
}

Json motion_json(const MovingOutline& motion, const Picture& picture) {
  Json json = {
      {"problem", motion.problem}, {"run", motion.run}, {"t", numbers_json(motion.t)}, {"shapes", Json::array()}};
  json["box"] = {in_picture(picture.right, picture.left, picture.size()),
                 in_picture(picture.top, picture.bottom, picture.size())};
  for (const DrawnShape& shape : motion.frames.front())
    json["shapes"].push_back({{"kind", name_of(shape.kind)}, {"points", shape.points.size()}, {"side", shape.side}});
  json["columns"] = columns_json(motion, picture);
  json["curveTimes"] = numbers_json(motion.curve_t);
  json["values"] = Json::object();
  for (const auto& [name, values] : motion.values) json["values"][name] = numbers_json(values);
  return json;
}

bool moves(const MovingOutline& motion) { return motion.frames.size() > 1; }

}  // namespace

MovingOutline motion_of(const Problem& problem, const std::string& run, const std::string& trajectory,
                        std::size_t most_frames) {
  MovingOutline motion{problem.name(), run, {}, {}, {}, {}, {}};
  const OutlineMotion outline(problem);
  if (outline.is_empty()) return motion;
  const Index n = static_cast<Index>(outline.coordinate_names().size()), k = outline.start_s().size();
  std::vector<std::string> names{"t"};
  for (const std::string& name : numbered("q", n)) names.push_back(name);
  for (const std::string& name : numbered("y", k)) names.push_back(name);
  const auto columns = csv_columns(trajectory, names, "trajectory of " + problem.name());
  const std::vector<double>& t = columns[0];
  Vector<double> q(n), s(k);
  for (const std::size_t row : spread_rows(t, most_frames)) {
    for (Index i = 0; i < n; ++i) q[i] = columns[static_cast<std::size_t>(1 + i)][row];
    for (Index i = 0; i < k; ++i) s[i] = columns[static_cast<std::size_t>(1 + n + i)][row];
    motion.t.push_back(t[row]);
    motion.frames.push_back(outline.at(t[row], q, s));
    std::erase_if(motion.frames.back(), [](const DrawnShape& shape) { return !moves(shape); });
  }
  add_values(motion, columns, problem, n, trajectory);
  return motion;
}

void add_errors(MovingOutline& motion, const std::map<double, Vector<double>>& accurate) {
  std::vector<double>& errors = motion.values["q_error"];
  for (std::size_t i = 0; i < motion.curve_t.size(); ++i) {
    const auto found = accurate.find(motion.curve_t[i]);
    const bool known = found != accurate.end() && found->second.size() == motion.curve_q[i].size();
    errors.push_back(known ? (motion.curve_q[i] - found->second).cwiseAbs().maxCoeff()
                           : std::numeric_limits<double>::quiet_NaN());
  }
}

std::size_t moving_count(const std::vector<MovingOutline>& motions) {
  return static_cast<std::size_t>(std::ranges::count_if(motions, [](const MovingOutline& x) { return moves(x); }));
}

Json motions_json(const std::vector<MovingOutline>& motions) {
  Json list = Json::array();
  std::map<std::string, std::vector<MovingOutline>> by_problem;
  for (const MovingOutline& motion : motions)
    if (moves(motion)) by_problem[motion.problem].push_back(motion);
  for (const auto& [problem, moving] : by_problem) {
    const Picture picture = picture_of(moving);
    for (const MovingOutline& motion : moving) list.push_back(motion_json(motion, picture));
  }
  return list;
}

}  // namespace daelab
