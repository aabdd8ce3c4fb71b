// Forms: what is derived from a recording and evaluated together.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/elimination/elimination.hpp"
#include "core/expressions/derivative.hpp"
#include "core/expressions/program.hpp"
#include "core/mechanism/mechanical_model.hpp"
#include "core/mechanism/recording.hpp"
#include "core/mechanism/start_report.hpp"
#include "core/mechanism/switches.hpp"

namespace daelab {

/// A matrix of a form by its entries that are not zero by structure; a vector is a matrix of one column.
struct FormPart {
  int rows = 0, columns = 1;
  std::vector<SparseExpressions::Entry> entries;  // column by column, rows ascending
};
using FormParts = std::vector<FormPart>;

/// Where the parts of a form go: part k is block k of the outputs of its program.
enum class PartLayout {
  dense,  // entry (i, j) at i + rows j; zeros by structure are not written
  sparse  // the entries, one after the other
};

enum class FormKind {
  mass,                   // M
  force,                  // Q
  constraint,             // C (m), C_q (m, n): rows of nonholonomic constraints have no entries
  velocity_constraint,    // G (m), G_v (m, n): the others
  level,                  // constraints at a level (m)
  curvature,              // h (m)
  level_q,                // their derivative by q (m, n)
  acceleration_level_v,   // (m, n)
  motion_jacobians,       // K, D (n, n)
  data,                   // M, Q, C_q with G_v, h: what accelerations are solved from
  accelerations,          // a (n), lambda and mu (m), the pivots that are watched: by generated_accelerations()
  accelerations_between,  // a (n) and the pivots: by generated_accelerations_between()
  residual,               // M a + C_q^T lambda + G_v^T mu - Q (n), constraints at a level and g (l)
  levels,                 // these (n), constraints at the level of positions with g (l), of velocities (m) and, if
                          // this is `detail`, of accelerations (m), C_q with G_v (m, n)
  blocks,                 // M, K, D (n, n), J = C_q with G_v, R_q, R_v, R_a (m, n) of the constraints at a level, and
                          // what follows where the equations of motion are not linear, see MechanicalBlocks
  rates,                  // (k), algebraic equations differentiated `detail` times, see Forms::index()
  rates_s,                // (k, k) of the same
  rates_mass,             // M of linearly implicit equations (k, k)
  rates_mass_s,           // (M s')_s (k, k)
  implicit_rates,         // W (k, k), b (k): W s' = b, M s' = f with the equations without derivatives differentiated
  hidden_constraints,     // what the differential states satisfy, and its derivative by all states, see Forms::index()
  event_functions,
  jump,  // of an event: q, v with s, held, mode
  sampled,
  to_chart,    // q, v, a in another chart
  energy,      // kinetic, potential
  invariants,  // that (2 or 0), constraints at the levels of positions, velocities and accelerations (m)
  observables
};

/// `detail`: a Level, an event, a chart, which of generated_accelerations() or generated_accelerations_between(), or
/// how often algebraic equations are differentiated.
struct FormKey {
  FormKind kind{};
  int detail = 0;
  PartLayout layout = PartLayout::dense;
  friend auto operator<=>(const FormKey&, const FormKey&) = default;
};

/// M a + C_q^T lambda + G_v^T mu = Q with the constraints at the level of accelerations, solved by fixed pivots.
struct GeneratedAccelerations {
  Expressions a, lambda;  // (n), (m)
  PivotRule rule;
  Expressions pivots;             // the variable ones
  std::vector<double> least;      // their thresholds, in size; of rule `definite` they are positive, too
  std::vector<std::string> rows;  // and whose they are: names of coordinates and multipliers
  std::size_t operations;         // multiplications and divisions of the factorisation

  /// False for NaN and infinity: no step can go on from these.
  template <class T>
  bool is_above_threshold(std::size_t i, const T& pivot) const {
    using std::abs;
    const T size = rule == PivotRule::definite ? pivot : T(abs(pivot));
    return size >= T(least[i]) && size <= std::numeric_limits<T>::max();
  }
  template <class T>
  bool are_above_thresholds(const T* values) const {
    bool all = true;
    for (std::size_t i = 0; i < least.size(); ++i) all &= is_above_threshold(i, values[i]);
    return all;
  }
};

/// The inputs of another point (t*, q*, v*) of accelerations_between, in a block of their own: h, t*, q*, v*, without
/// first-order states.
inline constexpr int other_point_block = static_cast<int>(InputBlock::lambda) + 1;

/// The recording of one mode, and the programs made from it. Thread-safe.
///
/// Here n counts the coordinates and the integrals of first-order states behind them, as
/// core/mechanism/mechanical_model.hpp has it: q, v and a have length n, the states are at the end of v, and the rows
/// of their rates are M = 1, Q = f. Algebraic states beside coordinates are at the end of the multipliers, l in all.
class Forms {
 public:
  Forms(const std::function<void(Recording&)>& record, int mode);
  ~Forms();

  const Recording& recording() const { return recording_; }
  int coordinates() const { return n_; }  // without states
  int states() const { return static_cast<int>(recording_.s.size()); }
  bool is_mechanical() const { return n_ > 0; }
  int differential_states() const { return states() - algebraic_states(); }
  int extended() const { return is_mechanical() ? n_ + differential_states() : 0; }  // n
  int holonomic() const { return static_cast<int>(recording_.constraints.size()); }
  int nonholonomic() const { return static_cast<int>(recording_.nonholonomic_constraints.size()); }
  int constraints() const { return holonomic() + nonholonomic(); }                                // m
  int multipliers() const { return constraints() + (is_mechanical() ? algebraic_states() : 0); }  // l
  /// See MechanicalModel; ordinary models have no such equations.
  bool has_linear_equations() const { return has_linear_equations_; }
  /// Of algebraic equations beside coordinates, see MechanicalModel.
  Level algebraic_level() const { return algebraic_level_; }
  /// Whether observables of a mechanism depend on multipliers or algebraic states.
  bool observes_multipliers() const { return observes_multipliers_; }
  /// Whether event functions, or what follows from events, depend on multipliers or algebraic states.
  bool events_hold_multipliers() const { return events_hold_multipliers_; }
  /// No entry of M depends on anything.
  bool constant_mass() const { return constant_mass_; }
  /// The differentiation index of a model without coordinates in Hessenberg form: 0 without algebraic states, 1 where
  /// the algebraic equations determine them. An equation without algebraic states is differentiated along s' = f until
  /// it has some. The index is 1 + the most derivatives taken; all but the last derivative are hidden constraints.
  /// Whether the last derivatives determine the algebraic states is a matter of numbers.
  ///
  /// Of linearly implicit equations: 0, or 1 where there are some without derivatives, which then are the hidden
  /// constraints, and whose time derivatives determine s' together with the others.
  int index() const;
  int algebraic_states() const { return recording_.algebraic_states; }
  bool is_linearly_implicit() const { return !recording_.rates_mass.empty(); }
  /// Rows of M without entries: equations without derivatives. Those of a constant singular M are made so.
  const std::vector<int>& constraint_rows() const { return constraint_rows_; }
  int hidden_constraints() const;
  /// "the first derivative of the equation of u": what one of them is.
  std::string hidden_constraint(Index i) const;
  /// "u (differentiated 2 times), w": the algebraic equations by the names of their states, for messages.
  std::string algebraic_equations() const;

  /// The eliminations, to be tried one after the other where pivots fail. None where constraints
  /// are dependent at the start, or where the factors are too full to be worth it. Its content does not change.
  const std::vector<GeneratedAccelerations>& generated_accelerations();
  /// The same of accelerations whose multipliers satisfy the velocity constraints at another point: see
  /// core/accelerations/two_point_accelerations.hpp. lambda is left out. None where constraints are nonholonomic, where
  /// there are discrete-time blocks or a recording has its own way to M^-1.
  const std::vector<GeneratedAccelerations>& generated_accelerations_between();

  FormParts parts(const FormKey& key);
  /// What derive(recording) makes while the graph of the recording is current and nobody else adds to it: derivatives,
  /// series, tapes and programs of expressions, those of parts() among them.
  auto derive(auto&& derive) {
    const std::lock_guard lock(mutex_);
    const RecordingScope scope(graph_);
    return derive(static_cast<const Recording&>(recording_));
  }
  template <class T>
  const Program<T>& program(const FormKey& key);
  /// The same for four points at a time: see make_program_of_four().
  const Program<double>& program_of_four(const FormKey& key);
  bool has_program_of_four(const FormKey& key) const;
  /// What its program was made of; it was asked for before.
  const std::vector<Output>& outputs(const FormKey& key) const;
  /// For the parts of a form whose sparse program was asked for before.
  const std::vector<std::shared_ptr<const SparsePattern>>& patterns(FormKind kind, int detail) const;

  /// Which part of a form is not finite for these inputs, and by which operation; "": none.
  template <class T>
  std::string domain_error(const FormKey& key, const T* const* inputs);

  /// For a constant expression of the recording.
  Real100 value(const Expression& constant) const;
  /// The same for many: take(place, value) of each.
  void values(const Expressions& constants, auto&& take) const {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < constants.size(); ++i) take(i, graph_.constant_value(constants[i].node()));
  }
  LastStart& last_start() { return last_start_; }
  /// The conditions in the equations that depend on time.
  const Switches& switches();

 private:
  FormParts make_parts(const FormKey& key);
  const std::vector<Output>& make_outputs(const FormKey& key);
  /// For a coordinate, or of the first-order state whose rate is in that row.
  const std::string& name_of_row(int row) const;
  std::string name_of(FormKind kind, std::size_t part, int row) const;
  void derive_mechanics();
  void differentiate_algebraic_equations();
  void derive_implicit_rates();
  Expressions rates(int differentiations) const;
  Expressions constraint_rates() const;
  Expressions hidden() const;
  FormPart rates_mass_s() const;
  FormParts implicit_rates() const;
  Expressions level(Level level);
  Expressions energy() const;
  Expressions curvature();
  Expressions equations_of_motion();
  Expressions algebraic_rows() const;
  SparseExpressions constraint_jacobian();
  FormPart column(const Expressions& values, int first_row = 0, int rows = -1) const;
  FormPart matrix(const SparseExpressions& entries, int rows, int columns, int first_row = 0,
                  int first_column = 0) const;
  FormPart by_q(const Expressions& f, int first_row = 0, int rows = -1);
  FormPart by_v(const Expressions& f, int first_row = 0, int rows = -1);
  FormPart square(const std::vector<ExpressionMatrix::Entry>& entries, int size) const;
  FormPart mass_part() const;
  FormParts blocks(Level level);
  FormParts to_chart(int chart);
  SaddlePointExpressions saddle_point();
  std::vector<std::vector<double>> sample(const std::vector<SparseExpressions::Entry>& entries) const;
  std::vector<ChosenPivots> pivot_sequences(const SaddlePointExpressions& system) const;
  GeneratedAccelerations watched(const SaddlePointExpressions& system, const ChosenPivots& sequence,
                                 const SymbolicSolution& solution);
  GeneratedAccelerations eliminated(const SaddlePointExpressions& system, const ChosenPivots& sequence);
  std::optional<GeneratedAccelerations> by_mass_inverse();
  const std::vector<GeneratedAccelerations>& make_generated_accelerations();
  const std::vector<GeneratedAccelerations>& make_generated_accelerations_between();

  Graph graph_;
  Recording recording_;
  int n_ = 0;
  bool constant_mass_ = false, has_linear_equations_ = true, observes_multipliers_ = false,
       events_hold_multipliers_ = false;
  Level algebraic_level_ = Level::position;
  Expressions v_and_s_, a_, lambda_;           // inputs; s: the differential ones
  Expressions multipliers_;                    // inputs: lambda_, algebraic states
  std::vector<ExpressionMatrix::Entry> mass_;  // of the coordinates
  Expressions force_;                          // Q (n)
  Expressions rates_;                          // (k) as recorded, or sums of them: see derive_implicit_rates()
  std::vector<Expressions> derivatives_;       // of each algebraic equation g, g', g'', ...
  int most_derivatives_ = 0;
  std::vector<ExpressionMatrix::Entry> rates_mass_;
  std::vector<int> constraint_rows_;
  std::optional<std::vector<GeneratedAccelerations>> generated_accelerations_, generated_accelerations_between_;
  mutable std::mutex mutex_;
  template <class T>
  using Programs = std::map<FormKey, std::unique_ptr<Program<T>>>;
  template <class T>
  Programs<T>& programs();
  Programs<double> double_programs_, programs_of_four_;
  Programs<Real50> real50_programs_;
  std::map<FormKey, std::vector<std::shared_ptr<const SparsePattern>>> patterns_;
  std::map<FormKey, std::vector<Output>> outputs_;
  LastStart last_start_;
  std::unique_ptr<const Switches> switches_;
};

/// Recordings of the modes of one problem, each made when it is entered first. Thread-safe.
class RecordedProblem {
 public:
  RecordedProblem(std::function<void(Recording&)> record, int start_mode)
      : record_(std::move(record)), start_mode_(start_mode) {
    mode(start_mode);
  }

  int start_mode() const { return start_mode_; }
  Forms& mode(int number) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Forms>& forms = modes_[number];
    if (!forms) forms = std::make_unique<Forms>(record_, number);
    return *forms;
  }

 private:
  std::function<void(Recording&)> record_;
  int start_mode_;
  std::mutex mutex_;
  std::map<int, std::unique_ptr<Forms>> modes_;
};

}  // namespace daelab
