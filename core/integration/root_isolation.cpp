#include "core/integration/root_isolation.hpp"

namespace daelab {
namespace {

double centre_of(double a, double b) { return a + (b - a) / 2; }

// Share of a function's range: its sign is unknown if rounding hides more.
constexpr double hidden_part = 1e-6;

// Hidden by the rounding of a single value, whose enclosure is as wide.
bool is_rounding(const Bounds& over, const Bounds& at_centre) { return over.width() <= 4 * at_centre.width(); }

}  // namespace

void RootIsolation::begin(EnclosedFunction& function, double start, double end, double finest) {
  function_ = &function, finest_ = finest;
  gave_up_.reset();
  open_.clear();
  if (!(end > start)) return;
  const Bounds values = function.over(start, end).value;
  range_ = values.width();
  if (values.contains(0)) open_.push_back({start, end, positive_at(start), positive_at(end)});
}

bool RootIsolation::positive_at(double t) { return !(function_->over(t, t).value.middle() < 0); }

RootIsolation::Finding RootIsolation::look_at(const Cell& cell) {
  const Enclosure f = function_->over(cell.a, cell.b);
  if (!f.value.contains(0)) return Finding::no_root;
  const Finding by_signs = cell.positive_a == cell.positive_b ? Finding::no_root : Finding::one_root;
  if (!f.slope.contains(0)) return by_signs;
  const double centre = centre_of(cell.a, cell.b);
  if (cell.b - cell.a <= finest_ || !(cell.a < centre && centre < cell.b)) return by_signs;
  const Bounds value = function_->over(centre, centre).value;
  if (is_rounding(f.value, value)) {
    if (value.width() > hidden_part * range_) gave_up_ = cell.a;
    return by_signs;
  }
  // By the mean value theorem.
  if (f.slope.is_bounded() && !(value + f.slope * Bounds{cell.a - centre, cell.b - centre}).contains(0))
    return Finding::no_root;
  return Finding::unknown;
}

std::optional<RootIsolation::Root> RootIsolation::next() {
  for (int looked_at = 0; !open_.empty(); ++looked_at) {
    const Cell cell = open_.back();
    if (looked_at > most_intervals) {
      gave_up_ = cell.a;
      open_.clear();
      break;
    }
    open_.pop_back();
    const Finding finding = look_at(cell);
    if (gave_up_) open_.clear();
    if (finding == Finding::one_root) return Root{cell.a, cell.b, cell.positive_a};
    if (finding == Finding::no_root) continue;
    const double centre = centre_of(cell.a, cell.b);
    const bool positive = positive_at(centre);
    open_.push_back({centre, cell.b, positive, cell.positive_b});
    open_.push_back({cell.a, centre, cell.positive_a, positive});
  }
  return {};
}

RootIsolation::Root RootIsolation::narrowed(Root root, double width) {
  while (root.after - root.before > width) {
    const double centre = centre_of(root.before, root.after);
    if (!(root.before < centre && centre < root.after)) break;
    (positive_at(centre) == root.falls ? root.before : root.after) = centre;
  }
  return root;
}

}  // namespace daelab
