#include "core/mechanism/drawn_outline.hpp"

#include <cmath>

#include "core/expressions/program.hpp"
#include "core/mechanism/group_charts.hpp"
#include "core/mechanism/recording_checks.hpp"

namespace daelab {
namespace {

Vector<double> numbers(const Expressions& constants) {
  Vector<double> values(static_cast<Index>(constants.size()));
  for (std::size_t i = 0; i < constants.size(); ++i)
    values[static_cast<Index>(i)] = static_cast<double>(constant_value(constants[i]));
  return values;
}

constexpr int coordinates_of_a_point = 3;

}  // namespace

OutlineMotion::OutlineMotion(const Problem& problem) {
  Graph graph;
  const RecordingScope scope(graph);
  Recording recording(graph, problem.start_mode());
  problem.recorder()(recording);
  problem.draw(recording, outline_);
  coordinate_names_ = recording.coordinate_names;
  start_t_ = static_cast<double>(constant_value(recording.start_t));
  start_q_ = numbers(recording.start_q), start_s_ = numbers(recording.start_s);
  groups_ = recording.groups, held_ = numbers(recording.start_held);
  Vector<double> v = numbers(recording.start_v), a = start_q_;
  to_reported(groups_, held_, Vector<double>(start_q_), start_q_, v, a);
  if (!recording.q.empty()) start_s_ = numbers(without_algebraic(recording.start_s, recording));
  std::vector<Output> outputs;
  const auto add = [&](const Expression& x) { outputs.push_back({x, 0, static_cast<int>(outputs.size())}); };
  for (const Shape& shape : outline_.shapes) {
    for (const OutlinePoint& point : shape.points) add(point.x), add(point.y), add(point.z);
    add(shape.radius);
  }
  values_ = outputs.size();
  program_ = make_interpreter<double>(make_tape(graph, outputs));
}

OutlineMotion::~OutlineMotion() = default;

std::vector<DrawnShape> OutlineMotion::at(double t, const Vector<double>& q, const Vector<double>& s) const {
  std::vector<double> values(values_), work(program_->work_size());
  Vector<double> place = q, held = held_;
  from_reported(groups_, held, place);
  const double* inputs[] = {&t, place.data(), nullptr, s.data(), held.data(), nullptr, nullptr};  // as InputBlock is
  double* outputs = values.data();
  program_->run(inputs, &outputs, work.data());
  std::vector<DrawnShape> drawn;
  const double* value = values.data();
  for (const Shape& shape : outline_.shapes) {
    DrawnShape& result = drawn.emplace_back(DrawnShape{shape.kind, {}, 0, shape.side, shape.name});
    for (std::size_t i = 0; i < shape.points.size(); ++i, value += coordinates_of_a_point)
      result.points.push_back(on_paper(value));
    result.radius = *value++;
  }
  return drawn;
}

// Orthographic: the picture's axes are the horizontal one across the line of sight and the one that points up.
std::array<double, 2> OutlineMotion::on_paper(const double* point) const {
  const double x = point[0], y = point[1], z = point[2];
  if (!outline_.is_spatial) return {x, y};
  const double azimuth = outline_.view.azimuth * M_PI / 180, elevation = outline_.view.elevation * M_PI / 180;
  const double towards = std::cos(azimuth) * x + std::sin(azimuth) * y;  // the horizontal way to the eye
  return {std::cos(azimuth) * y - std::sin(azimuth) * x, std::cos(elevation) * z - std::sin(elevation) * towards};
}

}  // namespace daelab
