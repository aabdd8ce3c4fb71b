#include "core/documents/document_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/documents/definitions.hpp"
#include "core/documents/dependencies.hpp"
#include "core/expressions/constant_text.hpp"
#include "core/expressions/derivative.hpp"
#include "core/mechanism/recording_checks.hpp"

namespace daelab {
namespace {

// Names in all texts that multipliers may be in.
std::set<std::string> names_beside_multipliers(const ProblemDocument& document) {
  std::set<std::string> names;
  for (const auto* list :
       {&document.definitions, &document.forces, &document.states, &document.algebraic, &document.observables})
    for (const NamedText& x : *list)
      for (const std::string& name : names_in(x.value.text)) names.insert(name);
  for (const EventDocument& event : document.events) {
    for (const std::string& name : names_in(event.function.text)) names.insert(name);
    for (const NamedText& x : event.then)
      for (const std::string& name : names_in(x.value.text)) names.insert(name);
  }
  return names;
}

// ----- the recording -----

class DocumentRecorder {
 public:
  /// names_parameters: they are inputs, not numbers.
  DocumentRecorder(const ProblemDocument& document, Recording& recording, bool names_parameters = false)
      : document_(document), r_(recording), names_parameters_(names_parameters) {}

  void record() {
    if (names_parameters_) name_parameters();
    make_unknowns();
    make_names();
    record_energies();
    record_mass_and_forces();
    if (joints_) joints_->record_pins();
    record_constraints();
    if (joints_) joints_->record([&](const ExpressionText& text) { return parsed(text, names_); });
    record_matrix(document_.rates_mass, {}, "the matrix of the rates", r_.rates_mass);
    for (const std::vector<NamedText>* list : {&document_.states, &document_.algebraic})
      for (const NamedText& rate : *list)
        r_.rates[place_of(rate.name).index] = rate_of(rate, list == &document_.algebraic);
    for (const NamedText& x : document_.observables) r_.observe(x.name, parsed(x.value, names_));
    for (const NamedText& x : document_.invariants) r_.conserve(x.name, reading(x.value, {}, "an invariant"));
    for (const EventDocument& event : document_.events) record_event(event);
    record_start();
  }

  /// For what was recorded before.
  void draw(Outline& outline) {
    make_names();
    outline.is_spatial = document_.outline.is_spatial;
    const auto number = [&](const ExpressionText& text) { return reading(text, {InputBlock::v}, "an outline"); };
    for (const ShapeDocument& shape : document_.outline.shapes) {
      std::vector<OutlinePoint> points;
      for (const std::vector<ExpressionText>& point : shape.points)
        points.push_back({number(point[0]), number(point[1]), point.size() > 2 ? number(point[2]) : Expression()});
      outline.add(shape.kind, std::move(points), shape.name, shape.side);
      if (shape.radius) outline.shapes.back().radius = number(*shape.radius);
    }
  }

  /// Above a bound, of constants: parameters, and definitions and start values that come to numbers.
  Exact above(const Real100& bound, const ExpressionText& text) {
    make_unknowns();
    make_parameters();
    const Real100 x = constant_value(in_start_scope(text));
    if (x <= bound)
      throw InputError(text.where,
                       fmt::format("{} is not allowed; allowed: above {}", constant_text(x), constant_text(bound)));
    return Exact(constant_text(x));
  }

 private:
  void make_unknowns() {
    if (!document_.coordinates.empty()) r_.coordinates(document_.coordinates);
    DocumentRotations::add(document_.rotations, r_);
    std::vector<std::string> states;
    for (const NamedText& x : document_.states) states.push_back(x.name);
    for (const NamedText& x : document_.algebraic) states.push_back(x.name);
    if (!states.empty()) r_.states(states);
    r_.algebraic_states = static_cast<int>(document_.algebraic.size());
    for (std::size_t i = 0; i < r_.q.size(); ++i) {
      places_.emplace(r_.coordinate_names[i], Place{'q', i});
      places_.emplace(r_.coordinate_names[i] + "'", Place{'v', i});
    }
    for (std::size_t i = 0; i < r_.s.size(); ++i) places_.emplace(r_.state_names[i], Place{'s', i});
  }
  void make_parameters() {
    for (const auto& [name, value] : document_.parameters) parameters_.emplace(name, value);
  }
  // In a block behind those of models, and before the unknowns, which products are written behind.
  void name_parameters() {
    constexpr int block = static_cast<int>(InputBlock::lambda) + 1;
    for (const auto& [name, value] : document_.parameters)
      named_.emplace(name, r_.graph().input(block, static_cast<int>(named_.size()), name));
  }
  void make_names() {
    make_parameters();
    names_ = parameters_;
    for (const auto& [name, input] : named_) names_.insert_or_assign(name, input);
    names_.emplace("t", r_.t);
    for (std::size_t i = 0; i < document_.coordinates.size(); ++i) {
      names_.emplace(r_.coordinate_names[i], r_.q[i]);
      names_.emplace(r_.coordinate_names[i] + "'", r_.v[i]);
    }
    for (std::size_t i = 0; i < r_.s.size(); ++i) names_.emplace(r_.state_names[i], r_.s[i]);
    if (document_.joints) make_joints();
    rotations_.emplace(document_.rotations, r_);
    for (const auto& [name, value] : rotations_->names()) names_.insert_or_assign(name, value);
    make_multipliers();
    Definitions definitions;
    for (const NamedText& x : document_.definitions) definitions.add(x);
    for (const NamedText& x : document_.definitions) try {
        definitions.read(x.name, names_);
      } catch (const NoValue& cause) {
        if (!serves_the_start(x.name)) throw;
        failed_.emplace(x.name, cause);
      }
  }
  // Whether start values use a definition. Runs that begin elsewhere do without it; others are told why it failed.
  bool serves_the_start(const std::string& name) const {
    Definitions texts;
    for (const auto* list : {&document_.definitions, &document_.start})
      for (const NamedText& x : *list) texts.add(x);
    return std::ranges::any_of(document_.start, [&](const NamedText& x) { return texts.needs(x.name, name); });
  }
  // A failed definition is reported by its cause, not as an unknown name.
  Expression parsed(const ExpressionText& text, const Names& names) const {
    for (const auto& [name, cause] : failed_)
      if (!names.contains(name) && std::ranges::count(names_in(text.text), name) > 0) throw NoValue(cause);
    return daelab::parsed(text, names);
  }

  // Definitions that say how large bodies are, and where, come before the points of bodies, which others may use.
  void make_joints() {
    Definitions definitions;
    for (const NamedText& x : document_.definitions) definitions.add(x);
    joints_.emplace(*document_.joints, r_, [&, definitions](const ExpressionText& text) {
      for (const std::string& name : names_in(text.text)) definitions.read(name, names_);
      const Expression x = parsed(text, names_);
      if (!is_constant(x)) throw InputError(text.where, "is not a constant, made of parameters");
      return x;
    });
    for (const auto& [name, value] : joints_->points()) names_.emplace(name, value);
  }

  // lambda1, lambda2, ... as in trajectories, unless they are names of the document's own. Only used ones are recorded.
  void make_multipliers() {
    const std::set<std::string> used = names_beside_multipliers(document_);
    const auto count =
        (joints_ ? joints_->pin_rows() : 0) + document_.constraints.size() + document_.nonholonomic_constraints.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = "lambda" + std::to_string(i + 1);
      if (used.contains(name) &&
          std::ranges::find(document_.definitions, name, &NamedText::name) == document_.definitions.end())
        names_.emplace(name, r_.multiplier(static_cast<int>(i)));
    }
  }

  // Among coordinates, velocities or states; what a rotation starts with has none.
  struct Place {
    char kind = 's';
    std::size_t index = 0;
  };
  Place place_of(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? Place{'s', r_.s.size()} : found->second;
  }

  // With an error for what must not be in it.
  Expression reading(const ExpressionText& text, std::initializer_list<InputBlock> excluded, const char* what) const {
    return checked(parsed(text, names_), text, excluded, what);
  }
  Expression checked(const Expression& x, const ExpressionText& text, std::initializer_list<InputBlock> excluded,
                     const char* what) const {
    if (!r_.q.empty() && depends_on_multipliers(r_, {&x, 1}))
      throw InputError(text.where, fmt::format("{} must depend on neither multipliers nor algebraic states, which only "
                                               "forces, rates, algebraic equations, observables and events may hold",
                                               what));
    const Dependencies dependencies(r_.graph(), x);
    for (const InputBlock block : excluded)
      if (const std::string* name = dependencies.on(block))
        throw InputError(text.where,
                         fmt::format("{} must not depend on {}: it depends on {}", what, kind_of(block), *name));
    return x;
  }
  Expression equation(const ExpressionText& text) const {
    try {
      return parse_equation(text.text, names_);
    } catch (const InputError& error) {
      throw InputError(text.where, error.what());
    }
  }

  void record_energies() {
    if (document_.joints) record_potential_energy();
    if (!document_.kinetic_energy) return;
    r_.kinetic_energy = reading(*document_.kinetic_energy, {InputBlock::s}, "the kinetic energy");
    r_.potential_energy = document_.potential_energy
                              ? reading(*document_.potential_energy, {InputBlock::v}, "the potential energy")
                              : Expression();
    if (document_.mass.empty()) check_inertia();
  }
  // Beside that of the joints, which write all of Q.
  void record_potential_energy() {
    if (!document_.potential_energy) return;
    r_.potential_energy = reading(*document_.potential_energy, {InputBlock::v, InputBlock::s}, "the potential energy");
    const Expressions slope = gradient(*r_.potential_energy, r_.q);
    for (std::size_t i = 0; i < slope.size(); ++i) r_.force[i] -= slope[i];
  }
  // A coordinate without inertia is likely to be a slip.
  void check_inertia() const {
    const Dependencies dependencies(r_.graph(), *r_.kinetic_energy);
    if (!dependencies.on(InputBlock::v))
      throw InputError(document_.kinetic_energy->where, "the kinetic energy depends on no velocity");
  }
  void record_mass_and_forces() {
    record_matrix(document_.mass, {InputBlock::v, InputBlock::s}, "the mass matrix", r_.mass);
    for (const NamedText& force : document_.forces) {
      const Expression value = parsed(force.value, names_);
      if (!rotations_->add_force(force.name, value)) r_.force[place_of(force.name).index] += value;
    }
  }
  void record_matrix(const std::vector<std::vector<ExpressionText>>& rows, std::initializer_list<InputBlock> excluded,
                     const char* what, ExpressionMatrix& matrix) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows.size(); ++j)
        if (const Expression entry = reading(rows[i][j], excluded, what); !entry.is_zero())
          matrix(static_cast<int>(i), static_cast<int>(j)) = entry;
    if (!rows.empty() && matrix.empty()) throw InputError(rows[0][0].where, fmt::format("{} is zero", what));
  }
  void record_constraints() {
    for (const ExpressionText& text : document_.constraints) {
      const Expression C = checked(equation(text), text, {InputBlock::v, InputBlock::s}, "a constraint");
      if (!Dependencies(r_.graph(), C).on(InputBlock::q))
        throw InputError(text.where, "the constraint depends on no coordinate");
      r_.constraints.push_back(C);
    }
    for (const ExpressionText& text : document_.nonholonomic_constraints) {
      const Expression G = checked(equation(text), text, {InputBlock::s}, "a nonholonomic constraint");
      if (!Dependencies(r_.graph(), G).on(InputBlock::v))
        throw InputError(text.where,
                         "the nonholonomic constraint depends on no velocity; it belongs to \"constraints\"");
      r_.nonholonomic_constraints.push_back(G);
    }
  }
  Expression rate_of(const NamedText& rate, bool is_algebraic) const {
    const Expression result = is_algebraic ? equation(rate.value) : parsed(rate.value, names_);
    if (is_algebraic && !r_.q.empty() && !depends_on_multipliers(r_, {&result, 1}))
      throw InputError(rate.value.where,
                       fmt::format("the equation of {} holds no algebraic state and no multiplier: it "
                                   "belongs to the constraints, or another one is missing",
                                   rate.name));
    return result;
  }

  void record_event(const EventDocument& document) {
    const Expression function = parsed(document.function, names_);
    if (is_constant(function))
      throw InputError(document.function.where, "the function of an event must not be constant");
    check_consequence(document, function);
    Jump& after = r_.event(document.event, function);
    for (const NamedText& x : document.then) unknown(x.name, after.q, after.v, after.s) = parsed(x.value, names_);
  }
  // What it changes leaves its function at zero, and a body that is turned back must not be taken for one that passes.
  void check_consequence(const EventDocument& event, const Expression& function) const {
    if (event.states_consequence || event.then.empty()) return;
    const std::set<std::string> names = unknowns_in(function);
    const bool moves = std::ranges::any_of(event.then, [&](const NamedText& x) { return names.contains(x.name); });
    if (names.empty() || moves) return;
    throw InputError(
        event.where + "/consequence",
        "is missing, and \"then\" leaves the function at zero: \"impact\" for a contact, whose function stays "
        "at zero or above, \"jump\" for a change in passing");
  }
  std::set<std::string> unknowns_in(const Expression& x) const {
    std::set<std::string> names;
    for (const Node node : dependencies(r_.graph(), {&x, 1}))
      if (r_.graph()[node].operation == Operation::input &&
          r_.graph().input_of(node).block != static_cast<int>(InputBlock::time))
        names.insert(r_.graph().input_of(node).name);
    return names;
  }
  Expression& unknown(const std::string& name, Expressions& q, Expressions& v, Expressions& s) const {
    const Place place = place_of(name);
    return (place.kind == 'q' ? q : place.kind == 'v' ? v : s)[place.index];
  }

  // ----- constants: the start and the end time -----

  Expression start_time() const {
    return document_.start_time ? parsed(*document_.start_time, parameters_) : Expression();
  }

  // Start values may use each other and definitions, in which coordinates and states have their start values
  // then. Names are read as they are needed.
  struct StartScope {
    Definitions definitions;
    Names names;
    Names& with(const std::string& name) {
      definitions.read(name, names);
      return names;
    }
  };
  StartScope start_scope() const {
    StartScope scope;
    auto& [definitions, names] = scope;
    for (const NamedText& x : document_.definitions) definitions.add(x);
    for (const NamedText& x : document_.start) definitions.add(x);
    names = parameters_;
    names.emplace("t", start_time());
    for (const auto& [name, value] : start_of_rotations_) names.insert_or_assign(name, value);
    std::unordered_set<std::string_view> given;
    for (const NamedText& x : document_.start) given.insert(x.name);
    const auto is_given = [&](const std::string& name) { return given.contains(name); };
    for (const std::vector<std::string>* list : {&document_.coordinates, &std::as_const(r_.state_names)})
      for (const std::string& name : *list) {
        if (!is_given(name)) names.emplace(name, Expression());
        if (list == &document_.coordinates && !is_given(name + "'")) names.emplace(name + "'", Expression());
      }
    for (const RotationDocument& rotation : document_.rotations)
      for (const std::string& name : rotation.start_names())
        if (!is_given(name)) names.emplace(name, Expression());
    return scope;
  }
  Expression in_start_scope(const ExpressionText& text) const {
    StartScope scope = start_scope();
    for (const std::string& name : names_in(text.text)) scope.with(name);
    return parsed(text, scope.names);
  }
  Expression constant_in_start_scope(const ExpressionText& text) const {
    const Expression x = in_start_scope(text);
    if (!is_constant(x)) throw InputError(text.where, "is not a constant, made of parameters and start values");
    return x;
  }
  void record_start() {
    r_.start_t = start_time();
    rotations_->start([this](const ExpressionText& text) { return constant_in_start_scope(text); },
                      start_of_rotations_);
    StartScope scope = start_scope();
    for (const NamedText& x : document_.start) try {
        const Expression value = scope.with(x.name).at(x.name);
        if (!rotations_->start_with(x.name, value)) unknown(x.name, r_.start_q, r_.start_v, r_.start_s) = value;
      } catch (const NoValue& cause) {
        const Place place = place_of(x.name);
        r_.missing_starts.push_back({place.kind, place.index, cause});
      }
  }

  const ProblemDocument& document_;
  Recording& r_;
  bool names_parameters_;
  std::unordered_map<std::string, Place> places_;
  Names names_, parameters_, named_, start_of_rotations_;
  std::map<std::string, NoValue> failed_;  // definitions that start values alone need
  std::optional<DocumentJoints> joints_;
  std::optional<DocumentRotations> rotations_;
};

}  // namespace

void record_document(const ProblemDocument& document, Recording& recording) {
  DocumentRecorder(document, recording).record();
}

void record_with_parameter_names(const ProblemDocument& document, Recording& recording) {
  DocumentRecorder(document, recording, true).record();
}

void draw_document(const ProblemDocument& document, Recording& recording, Outline& outline) {
  DocumentRecorder(document, recording).draw(outline);
}

Exact constant_above(const Real100& bound, const ExpressionText& text, const ProblemDocument& document) {
  Graph graph;
  const RecordingScope scope(graph);
  Recording recording(graph, 0);
  return DocumentRecorder(document, recording).above(bound, text);
}

}  // namespace daelab
