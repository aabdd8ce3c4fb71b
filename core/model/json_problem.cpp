#include "core/model/json_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "core/expressions/constant_text.hpp"
#include "core/expressions/parse.hpp"
#include "core/model/drawn_outline.hpp"
#include "core/model/energy_balance.hpp"
#include "core/model/model_checks.hpp"
#include "core/model/problem_document.hpp"

namespace daelab {
namespace {

// ----- texts to expressions -----

Expression parsed(const ExpressionText& text, const Names& names) {
  try {
    return parse_expression(text.text, names);
  } catch (const InputError& error) {
    throw InputError(text.where, error.what());
  }
}

// Named texts that use each other, in any order: each is read after all it needs.
class Definitions {
 public:
  void add(const NamedText& text) { texts_.emplace(text.name, text.value); }

  /// Adds this name, and what it needs, to `names`. Throws InputError that names a cycle.
  void read(const std::string& wanted, Names& names) const {
    std::vector<Open> way;
    std::set<std::string> on_way;
    open(wanted, names, way, on_way);
    while (!way.empty()) {
      Open& last = way.back();
      if (last.next < last.needs.size()) {
        const std::string need = last.needs[last.next++];
        open(need, names, way, on_way);
      } else {
        names.insert_or_assign(last.name, parsed(texts_.at(last.name), names));
        on_way.erase(last.name);
        way.pop_back();
      }
    }
  }

 private:
  struct Open {
    std::string name;
    std::vector<std::string> needs;
    std::size_t next = 0;
  };
  void open(const std::string& name, const Names& names, std::vector<Open>& way, std::set<std::string>& on_way) const {
    const auto text = texts_.find(name);
    if (text == texts_.end() || names.contains(name)) return;
    if (!on_way.insert(name).second) {
      constexpr std::ptrdiff_t most_named = 10;
      std::string cycle;
      const auto begin = std::ranges::find(way, name, &Open::name);
      for (auto at = begin; at != way.end() && at - begin < most_named; ++at) cycle += at->name + " -> ";
      if (way.end() - begin > most_named) cycle += "... -> ";
      throw InputError(text->second.where, fmt::format("definitions in a cycle: {}{}", cycle, name));
    }
    way.push_back({name, names_in(text->second.text)});
  }

  std::map<std::string, ExpressionText> texts_;
};

// ----- what an expression may depend on -----

class Dependencies {
 public:
  Dependencies(const Graph& graph, const Expression& x) {
    for (const Node node : dependencies(graph, {&x, 1}))
      if (graph[node].operation == Operation::input)
        names_.emplace(graph.input_of(node).block, graph.input_of(node).name);
  }
  /// One of them; null: none.
  const std::string* on(InputBlock block) const {
    const auto found = names_.find(static_cast<int>(block));
    return found == names_.end() ? nullptr : &found->second;
  }

 private:
  std::map<int, std::string> names_;
};

const char* kind_of(InputBlock block) {
  switch (block) {
    case InputBlock::time:
      return "the time";
    case InputBlock::q:
      return "a coordinate";
    case InputBlock::v:
      return "a velocity";
    default:
      return "a state";
  }
}

// ----- the recording -----

class DocumentRecorder {
 public:
  DocumentRecorder(const ProblemDocument& document, Recording& recording) : document_(document), r_(recording) {}

  void record() {
    make_unknowns();
    make_names();
    record_energies();
    record_mass_and_forces();
    record_constraints();
    for (const std::vector<NamedText>* list : {&document_.states, &document_.algebraic})
      for (const NamedText& rate : *list)
        r_.rates[place_of_state(rate.name)] = rate_of(rate, list == &document_.algebraic);
    for (const NamedText& x : document_.observables) r_.observe(x.name, parsed(x.value, names_));
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

  /// Above zero, of constants: parameters, and definitions and start values that come to numbers.
  Exact positive(const ExpressionText& text) {
    make_unknowns();
    make_parameters();
    const Expression x = in_start_scope(text);
    if (constant_value(x) <= 0)
      throw InputError(text.where,
                       fmt::format("{} is not allowed; allowed: above 0", constant_text(constant_value(x))));
    return Exact(constant_text(constant_value(x)));
  }

 private:
  void make_unknowns() {
    if (!document_.coordinates.empty()) r_.coordinates(document_.coordinates);
    std::vector<std::string> states;
    for (const NamedText& x : document_.states) states.push_back(x.name);
    for (const NamedText& x : document_.algebraic) states.push_back(x.name);
    if (!states.empty()) r_.states(states);
    r_.algebraic_states = static_cast<int>(document_.algebraic.size());
  }
  void make_parameters() {
    for (const auto& [name, value] : document_.parameters) parameters_.emplace(name, value);
  }
  void make_names() {
    make_parameters();
    names_ = parameters_;
    names_.emplace("t", r_.t);
    for (std::size_t i = 0; i < r_.q.size(); ++i) {
      names_.emplace(r_.coordinate_names[i], r_.q[i]);
      names_.emplace(r_.coordinate_names[i] + "'", r_.v[i]);
    }
    for (std::size_t i = 0; i < r_.s.size(); ++i) names_.emplace(r_.state_names[i], r_.s[i]);
    Definitions definitions;
    for (const NamedText& x : document_.definitions) definitions.add(x);
    for (const NamedText& x : document_.definitions) definitions.read(x.name, names_);
  }

  std::size_t place_of_state(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(r_.state_names, name) - r_.state_names.begin());
  }
  std::size_t place_of_coordinate(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(r_.coordinate_names, name) - r_.coordinate_names.begin());
  }

  // With an error for what must not be in it.
  Expression reading(const ExpressionText& text, std::initializer_list<InputBlock> excluded, const char* what) const {
    return checked(parsed(text, names_), text, excluded, what);
  }
  Expression checked(const Expression& x, const ExpressionText& text, std::initializer_list<InputBlock> excluded,
                     const char* what) const {
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
    if (!document_.kinetic_energy) return;
    r_.kinetic_energy = reading(*document_.kinetic_energy, {InputBlock::s}, "the kinetic energy");
    r_.potential_energy = document_.potential_energy
                              ? reading(*document_.potential_energy, {InputBlock::v}, "the potential energy")
                              : Expression();
    if (document_.mass.empty()) check_inertia();
  }
  // A coordinate without inertia is likely to be a slip.
  void check_inertia() const {
    const Dependencies dependencies(r_.graph(), *r_.kinetic_energy);
    if (!dependencies.on(InputBlock::v))
      throw InputError(document_.kinetic_energy->where, "the kinetic energy depends on no velocity");
  }
  void record_mass_and_forces() {
    for (std::size_t i = 0; i < document_.mass.size(); ++i)
      for (std::size_t j = 0; j < document_.mass.size(); ++j)
        if (const Expression entry = reading(document_.mass[i][j], {InputBlock::v, InputBlock::s}, "the mass matrix");
            !entry.is_zero())
          r_.mass(static_cast<int>(i), static_cast<int>(j)) = entry;
    for (const NamedText& force : document_.forces)
      r_.force[place_of_coordinate(force.name)] = parsed(force.value, names_);
    if (!document_.mass.empty() && r_.mass.empty())
      throw InputError(document_.mass[0][0].where, "the mass matrix is zero");
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
    return is_algebraic ? equation(rate.value) : parsed(rate.value, names_);
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
    if (name.ends_with('\'')) return v[place_of_coordinate(name.substr(0, name.size() - 1))];
    const std::size_t i = place_of_coordinate(name);
    return i < q.size() ? q[i] : s[place_of_state(name)];
  }

  // ----- constants: the start and the end time -----

  // Start values may use each other and definitions, in which coordinates and states have their start values
  // then.
  Names start_scope(const std::vector<std::string>& wanted) const {
    Definitions definitions;
    for (const NamedText& x : document_.definitions) definitions.add(x);
    for (const NamedText& x : document_.start) definitions.add(x);
    Names names = parameters_;
    names.emplace("t", Expression());
    const auto is_given = [&](const std::string& name) {
      return std::ranges::find(document_.start, name, &NamedText::name) != document_.start.end();
    };
    for (const std::vector<std::string>* list : {&r_.coordinate_names, &r_.state_names})
      for (const std::string& name : *list) {
        if (!is_given(name)) names.emplace(name, Expression());
        if (list == &r_.coordinate_names && !is_given(name + "'")) names.emplace(name + "'", Expression());
      }
    for (const NamedText& x : document_.start) definitions.read(x.name, names);
    for (const std::string& name : wanted) definitions.read(name, names);
    return names;
  }
  Expression in_start_scope(const ExpressionText& text) const { return parsed(text, start_scope(names_in(text.text))); }
  void record_start() {
    const Names names = start_scope({});
    for (const NamedText& x : document_.start) unknown(x.name, r_.start_q, r_.start_v, r_.start_s) = names.at(x.name);
  }

  const ProblemDocument& document_;
  Recording& r_;
  Names names_, parameters_;
};

// ----- the problem -----

class JsonProblem final : public Problem {
 public:
  JsonProblem(const Json& json, const std::string& where)
      : document_(std::make_shared<const ProblemDocument>(read_problem_document(json, where))), key_(json.dump()) {
    set_spec(json);
    end_time_ = positive(document_->end_time);
    if (!document_->outline.shapes.empty()) OutlineMotion(*this);  // throws InputError for what cannot be drawn
    const auto model = this->model(As<double>{});
    if (MechanicalModel<double>* const mechanism = model->mechanical()) {
      check_mass(*mechanism, where + (document_->mass.empty() ? "/kinetic_energy" : "/mass"));
      check_energies(*mechanism, where);
    }
    least_size_ =
        document_->least_size ? positive(*document_->least_size) : size_of_start(*model, end_time_.as<double>());
  }

  std::function<void(Recording&)> recorder() const override {
    return [document = document_](Recording& recording) { DocumentRecorder(*document, recording).record(); };
  }
  std::string recording_key() const override { return key_; }
  void draw(Recording& recording, Outline& outline) const override {
    DocumentRecorder(*document_, recording).draw(outline);
  }
  std::vector<ConstantTable> constants() const override { return {}; }
  Exact end_time() const override { return end_time_; }
  Exact least_size() const override { return least_size_; }
  std::optional<Motion> independent_solution(const Real50&, int) const override { return {}; }
  std::optional<std::vector<ExactEvent>> exact_events(const Real50&, int) const override { return {}; }
  std::string independent_route() const override { return ""; }
  Json smaller_problem() const override { return {}; }
  Motion from_smaller(const Motion& motion) const override { return motion; }
  bool conserves_energy() const override { return conserves_energy_; }
  Index redundant_constraints() const override { return 0; }

 private:
  Exact positive(const ExpressionText& text) const {
    Graph graph;
    const RecordingScope scope(graph);
    Recording recording(graph, 0);
    return DocumentRecorder(*document_, recording).positive(text);
  }
  void check_energies(MechanicalModel<double>& model, const std::string& where) {
    if (!model.has_energy()) return;
    const EnergyBalance balance = try_energy_balance(recorder(), model);
    const bool may_change = document_->energy_changes;
    if (!may_change && !balance.contradiction.empty())
      throw InputError(
          where + "/kinetic_energy",
          fmt::format("{}; {} write \"energy\": \"changes\"", balance.contradiction,
                      document_->mass.empty() ? "is it quadratic in the velocities? Where it is meant not to be,"
                                              : "where forces dissipate or drive,"));
    const bool jumps = std::ranges::any_of(document_->events, [](const EventDocument& x) { return !x.then.empty(); });
    conserves_energy_ = !may_change && balance.conserved && !jumps;
  }

  std::shared_ptr<const ProblemDocument> document_;
  std::string key_;
  Exact end_time_, least_size_;
  bool conserves_energy_ = false;
};

// ----- the registry -----

Json parameter_options(const RegistryEntry& entry) {
  Json options = Json::object();
  const Json parameters = entry.content.value("parameters", Json::object());
  for (const auto& [name, value] : parameters.items())
    options[name] = {{"anyOf", {{{"type", "number"}}, {{"type", "string"}}}}, {"description", ""}, {"default", value}};
  options["end_time"] = {{"anyOf", {{{"type", "number"}}, {{"type", "string"}}}},
                         {"description", "[s]"},
                         {"default", entry.content.value("end_time", Json())}};
  return options;
}

std::string text_member(const Json& json, const char* key, const std::string& otherwise) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : otherwise;
}

const bool documents_are_problems = [] {
  Registry<Problem>::instance().accept_documents(
      is_problem_document, [](const Json& document, const std::string& where) -> std::shared_ptr<Component> {
        return make_json_problem(document, where);
      });
  return true;
}();

}  // namespace

std::shared_ptr<Problem> make_json_problem(const Json& document, const std::string& where) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<Problem>> problems;
  constexpr std::size_t most = 64;
  const std::string key = document.dump();
  const std::lock_guard lock(mutex);
  if (const auto known = problems.find(key); known != problems.end()) return known->second;
  if (problems.size() >= most) problems.clear();
  return problems[key] = std::make_shared<JsonProblem>(document, where);
}

void load_problem_files(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) return;
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".json") files.push_back(file.path());
  std::ranges::sort(files);
  auto& registry = Registry<Problem>::instance();
  for (const auto& file : files) {
    const Json json = read_json_file(file.string());
    const std::string name = text_member(json, "name", file.stem().string());
    if (const RegistryEntry* other = registry.look_up(name))
      throw InputError(file.string(),
                       fmt::format("/name: '{}' is the name of a problem already, in {}", name, other->file));
    registry.add(
        {name, text_member(json, "summary", "Problem from " + file.filename().string() + "."),
         text_member(json, "source", ""), file.string(), parameter_options,
         [](const RegistryEntry& entry, const Json& spec, const std::string& where) -> std::shared_ptr<Component> {
           const Json document = with_parameters(entry.content, spec, where);
           return make_json_problem(document, entry.file + ": ");
         },
         json});
  }
}

}  // namespace daelab
