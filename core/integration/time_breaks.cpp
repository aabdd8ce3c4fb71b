#include "core/integration/time_breaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/expressions/enclosing_program.hpp"
#include "core/mechanism/forms.hpp"

namespace daelab {
namespace {

// Share of a run: shorter intervals are not divided any further.
constexpr double finest_part = 1e-13;

template <class T>
T never() {
  return T(std::numeric_limits<double>::infinity());
}

template <class T>
T largest_time(const T& start, const T& end) {
  using std::abs;
  return std::max({T(abs(start)), T(abs(end)), T(end - start)});
}

}  // namespace

// A function of time alone whose sign decides on a form of the equations.
template <class T>
class TimeBreaks<T>::Switch final : public EnclosedFunction {
 public:
  Switch(const Graph& graph, const Expression& function, const T& start, const T& end, const T& resolution)
      : enclosing_(graph, function),
        program_(make_interpreter<T>(make_tape(graph, std::array{Output{function, 0, 0}}))),
        work_(program_->work_size()),
        resolution_(resolution) {
    const auto first = static_cast<double>(T(start - T(4) * resolution)),
               last = static_cast<double>(T(end + T(4) * resolution));
    isolation_.begin(*this, first, last, finest_part * (last - first));
    advance();
  }

  Enclosure over(double a, double b) override {
    for (const auto& input : enclosing_.inputs()) enclosing_.set(input, {{a, b}, {1, 1}});
    return enclosing_.run();
  }
  const Break& next(const T& t) {
    while (next_.after <= t) advance();
    return next_;
  }
  const std::optional<double>& gave_up() const { return isolation_.gave_up(); }

 private:
  void advance() {
    const std::optional<RootIsolation::Root> root = isolation_.next();
    next_ = root ? bracket(T(root->before), T(root->after)) : Break{never<T>(), never<T>()};
  }
  bool is_positive(const T& t) {
    const T* input = &t;
    T value, *output = &value;
    program_->run(&input, &output, work_.data());
    return !(value < T(0));
  }
  // By bisection, which needs no continuity.
  Break bracket(T a, T b) {
    const bool positive = is_positive(a);
    while (b - a > resolution_) {
      const T centre = a + (b - a) / T(2);
      if (!(a < centre && centre < b)) break;
      (is_positive(centre) == positive ? a : b) = centre;
    }
    return {T(a - resolution_), T(b + resolution_)};
  }

  EnclosingProgram enclosing_;
  std::unique_ptr<Program<T>> program_;
  std::vector<T> work_;
  T resolution_;
  RootIsolation isolation_;
  Break next_{never<T>(), never<T>()};
};

// A quarter of what EventWatch takes for round-off of a time: a sampling time within a break is not lost.
template <class T>
TimeBreaks<T>::TimeBreaks(Model<T>& model, const T& start, const T& end)
    : model_(model), end_(end), resolution_(epsilon<T>() * largest_time(start, end)), next_{never<T>(), never<T>()} {
  next(start);
}
template <class T>
TimeBreaks<T>::~TimeBreaks() = default;

template <class T>
typename TimeBreaks<T>::SwitchList& TimeBreaks<T>::switches_of_mode(const T& t) {
  mode_ = &model_.forms();
  const auto [place, is_new] = known_.try_emplace(mode_);
  auto& switches = place->second;
  if (!is_new) return switches;
  const Expressions& functions = model_.forms().switches().of_time;
  if (!functions.empty())
    model_.forms().derive([&](const Recording& recording) {
      for (const Expression& function : functions)
        switches.push_back(std::make_unique<Switch>(recording.graph(), function, t, end_, resolution_));
    });
  return switches;
}

template <class T>
const typename TimeBreaks<T>::Break& TimeBreaks<T>::next(const T& t) {
  if (mode_ == &model_.forms() && next_.after > t) return next_;
  SwitchList& switches = switches_of_mode(t);
  next_ = {never<T>(), never<T>()};
  for (const auto& x : switches)
    if (const Break& own = x->next(t); own.before < next_.before) next_ = own;
  for (const auto& x : switches) {
    if (const Break& own = x->next(t); own.before <= next_.after) next_.after = std::max(next_.after, own.after);
    if (x->gave_up() && unwatched_.empty())
      unwatched_ = fmt::format(
          "conditions in the equations change too often from t = {:.6g} on: where, was not sought "
          "any further",
          *x->gave_up());
  }
  if (next_.before < end_)
    next_.after = std::min(next_.after, end_);
  else
    next_ = {never<T>(), never<T>()};
  return next_;
}

template <class T>
bool TimeBreaks<T>::pass(State<T>& state) {
  const Break& due = next(state.t);
  if (!(state.t >= due.before)) return false;
  state.t = due.after;
  return true;
}

#define DAELAB_INSTANTIATE(T) template class TimeBreaks<T>;
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
