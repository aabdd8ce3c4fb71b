#include "methods/taylor/solution_series.hpp"

#include <fmt/format.h>

#include "core/mechanism/forms.hpp"

namespace daelab {
namespace {

constexpr const char* needed =
    "taylor needs y' as a function of (t, y) that is written out: take index-1, for problems without coordinates ode";

// "" where the series of these equations can be made.
template <class T>
std::string refusal(System<T>& system) {
  if (system.forms() == nullptr || system.facts().stabilizes || system.facts().depends_on_step_size) return needed;
  Forms& forms = *system.forms();
  if (!forms.has_expressions()) return "taylor needs equations as expressions; the problem is given by functions";
  if (!forms.recording().held.empty())
    return "taylor knows neither the outputs of discrete-time blocks nor the bases of rotations";
  if (!forms.facts().is_mechanical)
    return forms.facts().algebraic_states > 0
               ? "taylor needs equations without algebraic states, which are found by iteration"
               : "";
  if (!forms.generated_accelerations().empty()) return "";
  return fmt::format("{}; here accelerations are not written out, because {}", needed,
                     forms.facts().has_linear_equations
                         ? "constraints are dependent at the start or the elimination is too long"
                         : "forces depend on multipliers or there are algebraic states");
}

Tape tape_of(Forms& forms, const FormKey& key, const std::vector<std::size_t>& wanted) {
  const FormParts parts = forms.parts(key);
  return forms.derive([&](const Recording& r) {
    std::vector<Output> outputs;
    for (std::size_t block = 0; block < wanted.size(); ++block)
      for (const auto& entry : parts[wanted[block]].entries)
        outputs.push_back({entry.value, static_cast<int>(block), static_cast<int>(entry.row)});
    return make_tape(r.graph(), outputs);
  });
}

// Where an input is in y; -1: it is the time.
Index place_in_y(const Forms& forms, const Tape::Place& place) {
  const Index v = forms.facts().extended;
  switch (static_cast<InputBlock>(place.block)) {
    case InputBlock::time:
      return -1;
    case InputBlock::q:
      return place.index;
    case InputBlock::v:
      return v + place.index;
    case InputBlock::s:
      return (forms.facts().is_mechanical ? v + forms.facts().coordinates : 0) + place.index;
    default:
      throw std::logic_error("an input that is no function of the state");
  }
}

}  // namespace

// One elimination, or the rates of first-order equations.
template <class T>
struct SolutionSeries<T>::Way {
  Way(Forms& forms, const Tape& tape, const GeneratedAccelerations* watched_pivots, int order)
      : positions(forms.facts().extended), watched(watched_pivots), results(tape.results) {
    for (const Tape::Place& input : tape.inputs) places.push_back(place_in_y(forms, input));
    if (watched != nullptr) pivots.resize(watched->least.size());
    std::vector<int> degrees;
    for (const Index place : places) degrees.push_back(place < 0 ? 1 : order);
    series.emplace(tape, order, degrees);
  }

  Index positions;  // y = (q, v): q' = v; 0: none
  const GeneratedAccelerations* watched;
  std::vector<Tape::Result> results;  // block 0: of y' behind the positions; block 1: pivots
  std::vector<Index> places;          // of inputs in y
  std::vector<T> pivots;
  std::optional<TaylorSeries<T>> series;
};

template <class T>
SolutionSeries<T>::SolutionSeries(System<T>& system, int order) : system_(system), order_(order) {
  if (const std::string text = refusal(system); !text.empty()) throw NotApplicable(text);
  enter_mode();
}

template <class T>
SolutionSeries<T>::~SolutionSeries() = default;

template <class T>
void SolutionSeries<T>::set_order(int order) {
  if (order == order_) return;
  order_ = order;
  enter_mode();
}

template <class T>
void SolutionSeries<T>::enter_mode() {
  forms_ = system_.forms();
  ways_.clear();
  if (!forms_->facts().is_mechanical) {
    ways_.push_back(std::make_unique<Way>(*forms_, tape_of(*forms_, {FormKind::rates}, {0}), nullptr, order_));
    return;
  }
  const std::vector<GeneratedAccelerations>& eliminations = forms_->generated_accelerations();
  for (std::size_t k = 0; k < eliminations.size(); ++k)
    ways_.push_back(std::make_unique<Way>(
        *forms_, tape_of(*forms_, {FormKind::accelerations, static_cast<int>(k)}, {0, 2}), &eliminations[k], order_));
}

template <class T>
Status SolutionSeries<T>::expand(const T& t, const Vector<T>& y, Matrix<T>& coefficients) {
  if (forms_ != system_.forms()) enter_mode();
  for (const auto& way : ways_)
    if (Status status = expand_by(*way, t, y, coefficients); status.ok() || way == ways_.back()) return status;
  return {StatusCode::not_applicable, needed};
}

template <class T>
Status SolutionSeries<T>::expand_by(Way& way, const T& t, const Vector<T>& y, Matrix<T>& c) {
  TaylorSeries<T>& series = *way.series;
  const Index positions = way.positions;
  c.setZero();
  c.col(0) = y.head(c.rows());
  for (int k = 0; k < order_; ++k) {
    for (std::size_t i = 0; i < way.places.size(); ++i)
      if (const Index place = way.places[i]; place >= 0)
        series.input(i, k) = c(place, k);
      else if (k <= 1)
        series.input(i, k) = k == 0 ? t : T(1);
    series.advance(k);
    if (k == 0)
      if (Status status = trust(way, t); !status.ok()) return status;
    c.col(k + 1).head(positions) = c.col(k).segment(positions, positions) / T(k + 1);
    for (std::size_t i = 0; i < way.results.size(); ++i)
      if (way.results[i].block == 0) c(positions + way.results[i].index, k + 1) = series.result(i, k) / (k + 1);
  }
  return {};
}

// Coefficients 0 are the pivots at the start of the step.
template <class T>
Status SolutionSeries<T>::trust(Way& way, const T& t) {
  if (way.watched == nullptr) return {};
  for (std::size_t i = 0; i < way.results.size(); ++i)
    if (way.results[i].block == 1)
      way.pivots[static_cast<std::size_t>(way.results[i].index)] = way.series->result(i, 0);
  if (way.watched->are_above_thresholds(way.pivots.data())) return {};
  return {StatusCode::singular, fmt::format("taylor: a pivot of the elimination is too small at t = {}", to_text(t))};
}

#define DAELAB_INSTANTIATE(T) template class SolutionSeries<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
