// Recordings: what a problem says of its model, as expressions.
//
//   M(t,q) v' + C_q^T lambda + G_v^T mu = Q(t,q,v,s),  C(t,q) = 0,  G(t,q,v) = 0,  q' = v,
//   s' = f(t,q,v,s) of the differential states,  0 = g(t,q,v,s) of the algebraic ones, which are last.
//
// Q, f, g, observables and events may depend on lambda and mu, too, as friction does that grows with a normal force.
// Nothing else depends on them, nor on algebraic states beside coordinates, which g, the motion equations and the
// constraints must determine together with the accelerations: index 1.
//
// A model without coordinates is an ordinary differential equation, a linearly implicit one, M(t,s) s' = f, or a
// differential-algebraic one of index 1 to 3. All derivatives (C_q, gamma, K, D, ...) are made from these expressions:
// nothing is said twice.
//
// A model may have modes, between which events switch: the friction that sticks or slides, the set of coordinates in
// use. Each mode is recorded for itself, when it is entered first; coordinates, constraints and events are the same
// in number in all of them.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/input_error.hpp"
#include "core/expressions/graph.hpp"
#include "core/mechanism/event.hpp"
#include "core/mechanism/group_coordinates.hpp"

namespace daelab {

/// Blocks of inputs that the programs of a model are given.
enum class InputBlock { time, q, v, s, held, a, lambda };

/// What holds right after an event, as functions of what held right before it: unchanged where nothing is said.
struct Jump {
  Expressions q, v, s, held;
  Expression mode;  // its value is the number of a mode
};

struct RecordedEvent {
  Event event;
  Expression function;  // of t, q, v, s, lambda, mu
  Jump after;
};

/// Entries of a matrix; those never written are zero.
class ExpressionMatrix {
 public:
  Expression& operator()(int i, int j);
  Expression operator()(int i, int j) const;
  /// Has `write` write the entries when somebody asks for them first, which is within the graph: those of matrices that
  /// are large and may not be needed. made_of: expressions that hold all inputs and all conditions that entries hold.
  void write_when_asked(std::function<void(ExpressionMatrix&)> write, Expressions made_of);
  /// Nothing is written, nor will be.
  bool empty() const { return rows_.empty() && !write_; }
  /// By rows, columns ascending, without zeros.
  struct Entry {
    int row, column;
    Expression value;
  };
  std::vector<Entry> entries() const;
  /// Expressions that hold what the entries hold: those, or what they will be made of.
  Expressions ingredients() const;

 private:
  void write_all() const;

  // References to entries stay valid while others are written.
  mutable std::deque<std::map<int, Expression>> rows_;
  mutable std::function<void(ExpressionMatrix&)> write_;  // null once it was called
  Expressions made_of_;
};

/// A shorter way to M^-1 b than an elimination of M, where a mechanism has one.
struct MassInverse {
  std::function<Expressions(const Expressions& b)>
      apply;             // x of M x = b, both (n); called within the recording's graph
  Expressions pivots;    // (n) what is divided by, positive where M is positive definite, each with the unit of its row
  Expressions diagonal;  // (n) of M: elimination leaves the pivots of it
};

/// Filled in by a problem's record(Recording&). Expressions are in the graph of the recording, which is the current
/// one meanwhile. The start and the sampling period are constants.
class Recording {
 public:
  /// Records the mode with this number.
  Recording(Graph& graph, int mode);

  const int mode;

  // Inputs. Their names are printed; start values become constants of 100 digits.
  const Expression t;
  Expressions q, v, s, held;
  std::vector<std::string> coordinate_names, state_names, held_names;

  /// Further coordinates, n in all: q and v grow, start_q and start_v with them, with zeros.
  void coordinates(const std::vector<std::string>& names);
  /// Names them q1, q2, ...
  void coordinates(int count);
  /// Further first-order states s; start_s grows with zeros.
  void states(const std::vector<std::string>& names);
  void states(int count, const std::string& letter = "s");
  /// lambda_i of constraint i, from 0; those of nonholonomic constraints come behind those of holonomic ones.
  Expression multiplier(int i);
  /// Outputs of discrete-time blocks, constant between the samplings; start_held grows with zeros.
  void hold(const std::vector<std::string>& names);

  Expression start_t;  // 0 unless it is set
  Expressions start_q, start_v, start_s, start_held;
  /// A start value that cannot be computed, as the root of a negative number, and is 0 here: of 'q', 'v' or 's', and
  /// why. Whoever begins elsewhere does without it.
  struct MissingStart {
    char kind;
    std::size_t index;
    InputError cause;
  };
  std::vector<MissingStart> missing_starts;

  // Mechanics. Where no entry of the mass matrix is written, M and what belongs to it in Q follow from the kinetic and
  // the potential energy, and `force` is what acts beside them.
  ExpressionMatrix mass;                                       // M (n, n), both triangles
  Expressions force;                                           // Q (n), zeros to begin with
  Expressions constraints;                                     // C
  Expressions nonholonomic_constraints;                        // G
  std::optional<Expression> kinetic_energy, potential_energy;  // both or none: then there is no energy to watch
  std::optional<MassInverse> mass_inverse;                     // of `mass`
  /// gamma with the sign of C'' = C_q a + h, instead of what follows from C: for sources that misprint it.
  std::optional<Expressions> printed_curvature;  // h (number of holonomic constraints)

  // First-order states: f of the differential ones, then g of the algebraic ones, whose start values, beside
  // coordinates, are where they are sought from. Without coordinates and algebraic states they may be linearly
  // implicit, M(t,s) s' = f, with equations that have no derivatives as rows of zeros.
  Expressions rates;  // (k), zeros to begin with
  int algebraic_states = 0;
  ExpressionMatrix rates_mass;  // M (k, k); nothing written: the identity

  /// Named quantities to plot and compare.
  void observe(const std::string& name, const Expression& value);
  std::vector<std::string> observable_names;
  Expressions observables;
  /// An observable that every motion keeps, as a momentum: runs can watch its error.
  void conserve(const std::string& name, const Expression& value);
  std::vector<std::string> invariant_names;  // of these observables

  /// Its function changes sign where the event takes place. The result is what follows it, to be changed.
  Jump& event(const Event& event, const Expression& function);
  std::vector<RecordedEvent> events;

  // Discrete-time blocks: at the multiples of this period `held` becomes `sampled`.
  Expression sampling_period;
  Expressions sampled;

  // Coordinates on Lie groups; each group has its own, and all others are of R^n.
  std::vector<GroupCoordinates> groups;

  // Charts: modes 0 to charts - 1 are sets of coordinates for the same motion. to_chart[k]: the coordinates of chart k
  // as functions of those of this one (of this one too: moved to where they belong); periods[k]: of the coordinates of
  // chart k, 0 for those without. The mode after an event `chart` is the chart that takes over; unchanged, the next
  // one.
  int charts = 1;
  std::vector<Expressions> to_chart, periods;

  Graph& graph() const { return graph_; }

 private:
  Graph& graph_;
  Expressions multipliers_;  // as far as they were asked for
};

}  // namespace daelab
