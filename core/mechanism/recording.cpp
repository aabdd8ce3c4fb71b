#include "core/mechanism/recording.hpp"

#include <utility>

namespace daelab {

Expression& ExpressionMatrix::operator()(int i, int j) {
  write_all();
  if (static_cast<std::size_t>(i) >= rows_.size()) rows_.resize(static_cast<std::size_t>(i) + 1);
  return rows_[static_cast<std::size_t>(i)][j];
}

Expression ExpressionMatrix::operator()(int i, int j) const {
  write_all();
  if (static_cast<std::size_t>(i) >= rows_.size()) return {};
  const auto& row = rows_[static_cast<std::size_t>(i)];
  const auto at = row.find(j);
  return at == row.end() ? Expression() : at->second;
}

void ExpressionMatrix::write_when_asked(std::function<void(ExpressionMatrix&)> write, Expressions made_of) {
  write_ = std::move(write), made_of_ = std::move(made_of);
}

void ExpressionMatrix::write_all() const {
  if (!write_) return;
  ExpressionMatrix written;
  std::exchange(write_, nullptr)(written);
  rows_ = std::move(written.rows_);
}

Expressions ExpressionMatrix::ingredients() const {
  if (write_) return made_of_;
  Expressions values;
  for (const Entry& entry : entries()) values.push_back(entry.value);
  return values;
}

std::vector<ExpressionMatrix::Entry> ExpressionMatrix::entries() const {
  write_all();
  std::vector<Entry> result;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (const auto& [column, value] : rows_[i])
      if (!value.is_zero()) result.push_back({static_cast<int>(i), column, value});
  return result;
}

namespace {

std::vector<std::string> numbered(const std::string& letter, std::size_t first, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(letter + std::to_string(first + static_cast<std::size_t>(i) + 1));
  return names;
}

void add_inputs(Graph& graph, InputBlock block, const std::vector<std::string>& names, const std::string& mark,
                Expressions& inputs) {
  for (const std::string& name : names)
    inputs.push_back(graph.input(static_cast<int>(block), static_cast<int>(inputs.size()), name + mark));
}

}  // namespace

Recording::Recording(Graph& graph, int mode_number)
    : mode(mode_number), t(graph.input(static_cast<int>(InputBlock::time), 0, "t")), graph_(graph) {}

void Recording::coordinates(const std::vector<std::string>& names) {
  coordinate_names.insert(coordinate_names.end(), names.begin(), names.end());
  add_inputs(graph_, InputBlock::q, names, "", q);
  add_inputs(graph_, InputBlock::v, names, "'", v);
  start_q.resize(q.size()), start_v.resize(v.size()), force.resize(q.size());
}

void Recording::coordinates(int count) { coordinates(numbered("q", q.size(), count)); }

void Recording::states(const std::vector<std::string>& names) {
  state_names.insert(state_names.end(), names.begin(), names.end());
  add_inputs(graph_, InputBlock::s, names, "", s);
  start_s.resize(s.size()), rates.resize(s.size());
}

void Recording::states(int count, const std::string& letter) { states(numbered(letter, s.size(), count)); }

Expression Recording::multiplier(int i) {
  while (static_cast<int>(multipliers_.size()) <= i) {
    const auto place = static_cast<int>(multipliers_.size());
    multipliers_.push_back(
        graph_.input(static_cast<int>(InputBlock::lambda), place, "lambda" + std::to_string(place + 1)));
  }
  return multipliers_[static_cast<std::size_t>(i)];
}

void Recording::hold(const std::vector<std::string>& names) {
  held_names.insert(held_names.end(), names.begin(), names.end());
  add_inputs(graph_, InputBlock::held, names, "", held);
  start_held.resize(held.size()), sampled.resize(held.size());
}

void Recording::observe(const std::string& name, const Expression& value) {
  observable_names.push_back(name);
  observables.push_back(value);
}

void Recording::conserve(const std::string& name, const Expression& value) {
  observe(name, value);
  invariant_names.push_back(name);
}

Jump& Recording::event(const Event& event, const Expression& function) {
  events.push_back({event, function, {q, v, s, held, mode}});
  return events.back().after;
}

}  // namespace daelab
