#include "core/model/four_models.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/expressions/four_tapes.hpp"
#include "core/model/consistent_start.hpp"

namespace daelab {
namespace {

constexpr std::size_t lanes = FourModels::lanes;

std::size_t place_of(int index, std::size_t lane) { return lanes * static_cast<std::size_t>(index) + lane; }

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::vector<Node> nodes_of(const Graph& graph, const std::vector<Output>& outputs) {
  Expressions values;
  for (const Output& output : outputs) values.push_back(output.expression);
  return dependencies(graph, values);
}

std::vector<Tape::Place> inputs_of(const Graph& graph, const std::vector<Output>& outputs) {
  std::vector<Tape::Place> places;
  for (const Node node : nodes_of(graph, outputs))
    if (graph[node].operation == Operation::input) {
      const Input& input = graph.input_of(node);
      places.push_back({input.block, input.index});
    }
  return places;
}

constexpr std::uint32_t a_constant = ~std::uint32_t(0);

// What outputs are made of, and the constants in it, as often as they occur.
struct Anatomy {
  JoinedForms::Shape shape;
  std::vector<Node> constants;
};

// The operands; of sums and products, whose order hangs on which was there first, a constant comes last.
std::array<Node, 3> constant_last(const Graph& graph, const NodeContents& contents) {
  const bool commutes = contents.operation == Operation::add || contents.operation == Operation::multiply;
  if (commutes && graph.is_constant(contents.a)) return {contents.b, contents.a, contents.c};
  return operands(contents);
}

Anatomy anatomy_of(const Graph& graph, const std::vector<Output>& outputs) {
  Anatomy found;
  std::vector<std::uint32_t> places(graph.size());
  const auto place_of = [&](Node node) {
    if (!graph.is_constant(node)) return places[node];
    found.constants.push_back(node);
    return a_constant;
  };
  for (const Node node : nodes_of(graph, outputs)) {
    const NodeContents& contents = graph[node];
    if (contents.operation == Operation::constant) continue;
    std::array<std::uint32_t, 4> entry{static_cast<std::uint32_t>(contents.operation)};
    if (contents.operation == Operation::input) {
      entry[1] = static_cast<std::uint32_t>(graph.input_of(node).block);
      entry[2] = static_cast<std::uint32_t>(graph.input_of(node).index);
    }
    const std::array<Node, 3> all = constant_last(graph, contents);
    for (std::size_t k = 0; k < static_cast<std::size_t>(operand_count(contents.operation)); ++k)
      entry[k + 1] = place_of(all[k]);
    places[node] = static_cast<std::uint32_t>(found.shape.nodes.size());
    found.shape.nodes.push_back(entry);
  }
  for (const auto& [value, block, index] : outputs)
    found.shape.outputs.push_back(
        {place_of(value.node()), static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(index)});
  return found;
}

// For each of some constants its number in the tape of the outputs, where they ascend.
std::vector<std::size_t> numbers_in_tape(const Graph& graph, const std::vector<Output>& outputs,
                                         const std::vector<Node>& constants) {
  std::vector<Node> ascending;
  for (const Node node : nodes_of(graph, outputs))
    if (graph.is_constant(node)) ascending.push_back(node);
  std::vector<std::size_t> numbers;
  for (const Node node : constants)
    numbers.push_back(static_cast<std::size_t>(std::ranges::lower_bound(ascending, node) - ascending.begin()));
  return numbers;
}

// Of accelerations, empty ones included.
constexpr std::size_t blocks_of_accelerations = 3;

}  // namespace

JoinedForms::JoinedForms(Forms& all, std::vector<FormKey> keys) {
  for (const FormKey& key : keys) {
    all.program<double>(key);
    Form& form = forms.emplace_back(Form{key, all.outputs(key), {}, sizes.size(), 0});
    if (key.kind == FormKind::accelerations) form.block_count = blocks_of_accelerations;
    for (const Output& output : form.outputs)
      form.block_count = std::max(form.block_count, static_cast<std::size_t>(output.block) + 1);
    sizes.resize(form.first_block + form.block_count, 0);
    for (const Output& output : form.outputs) {
      int& size = sizes[form.first_block + static_cast<std::size_t>(output.block)];
      size = std::max(size, output.index + 1);
    }
  }
  all.derive([&](const Recording& recording) {
    const Graph& graph = recording.graph();
    std::vector<Output> outputs;
    for (Form& form : forms) {
      form.inputs = inputs_of(graph, form.outputs);
      for (const auto& [value, block, index] : form.outputs)
        outputs.push_back({value, static_cast<int>(form.first_block) + block, index});
    }
    tape = make_tape(graph, outputs);
    Anatomy anatomy = anatomy_of(graph, outputs);
    shape = std::move(anatomy.shape);
    constants = numbers_in_tape(graph, outputs, anatomy.constants);
  });
}

std::optional<std::vector<double>> JoinedForms::constants_of(Forms& other) const {
  std::vector<Output> outputs;
  for (const Form& form : forms) {
    other.program<double>(form.key);
    for (const auto& [value, block, index] : other.outputs(form.key))
      outputs.push_back({value, static_cast<int>(form.first_block) + block, index});
  }
  return other.derive([&](const Recording& recording) -> std::optional<std::vector<double>> {
    const Anatomy anatomy = anatomy_of(recording.graph(), outputs);
    if (anatomy.shape != shape) return {};
    std::vector<std::optional<double>> values(tape.constants.size());
    for (std::size_t k = 0; k < constants.size(); ++k) {
      const auto value = static_cast<double>(recording.graph().constant_value(anatomy.constants[k]));
      std::optional<double>& known = values[constants[k]];
      if (known && !same_bits(*known, value)) return {};  // here they are two
      known = value;
    }
    std::vector<double> all;
    for (const std::optional<double>& value : values) all.push_back(value.value());
    return all;
  });
}

std::shared_ptr<const MechanismTapes> MechanismTapes::of(MechanicalModel<double>& model) {
  Forms& forms = model.forms();
  if (!model.has_linear_balance() || !forms.recording().start_held.empty()) return nullptr;
  if (model.coordinates() + model.constraints() > largest_dense_mechanism || forms.written_out().empty())
    return nullptr;
  const FormKey accelerations{FormKind::accelerations};
  return std::make_shared<const MechanismTapes>(MechanismTapes{
      {forms, {accelerations}}, {forms, {accelerations, {FormKind::constraint}}}, {forms, {{FormKind::invariants}}}});
}

/// A model, and what of it alone is evaluated.
struct FourModels::Member final : EvaluatedAhead {
  struct Part {
    std::vector<double> constants;
    std::vector<const Program<double>*> programs;  // of the forms, each alone
  };
  Member(const FourModels& four, MechanicalModel<double>& model, std::size_t lane)
      : four(four), model(model), forms(model.forms()), elimination(forms.written_out().front()), lane(lane) {}

  std::optional<Part> part_of(const JoinedForms& joined) const {
    auto constants = joined.constants_of(forms);
    if (!constants) return {};
    Part part{std::move(*constants), {}};
    for (const JoinedForms::Form& form : joined.forms) part.programs.push_back(&forms.program<double>(form.key));
    return part;
  }
  bool give(const Program<double>& program, const double* const* inputs, double* const* outputs) const override;

  const FourModels& four;
  MechanicalModel<double>& model;
  Forms& forms;  // of the mode that it was in at first
  const WrittenOutAccelerations& elimination;
  std::size_t lane;
  Part accelerations, step_end, invariants;
};

/// Joined forms of four as one program, and where its numbers go.
class FourModels::JoinedProgram {
 public:
  JoinedProgram(const JoinedForms& joined, const std::vector<std::unique_ptr<Member>>& members,
                Member::Part Member::*of)
      : joined_(joined) {
    ConstantsOfFour constants;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      constants[lane] = (members[lane < members.size() ? lane : 0].get()->*of).constants;
    program_ = make_program_of_four(joined.tape, constants);
    work_.resize(program_->work_size());
    for (const int size : joined.sizes) blocks_.emplace_back(lanes * static_cast<std::size_t>(size));
    for (std::vector<double>& block : blocks_) outputs_.push_back(block.data());
  }

  /// Where a block of outputs goes from here on.
  void send(std::size_t block, double* to) { outputs_[block] = to; }
  const double* results(std::size_t block) const { return outputs_[block]; }
  void run(const Inputs& inputs) {
    inputs_ = inputs;
    program_->run(inputs_.data(), outputs_.data(), work_.data());
  }

  /// The results of one form in a lane, where its inputs are those of the last run.
  bool give(std::size_t form_number, std::size_t lane, const double* const* inputs, double* const* outputs) const {
    const JoinedForms::Form& form = joined_.forms[form_number];
    if (inputs_[0] == nullptr) return false;
    for (const auto& [block, index] : form.inputs)
      if (!same_bits(inputs[block][index], inputs_[static_cast<std::size_t>(block)][place_of(index, lane)]))
        return false;
    double* const* const first = outputs_.data() + form.first_block;
    for (const auto& [value, block, index] : form.outputs) outputs[block][index] = first[block][place_of(index, lane)];
    return true;
  }

 private:
  const JoinedForms& joined_;
  std::unique_ptr<Program<double>> program_;
  Inputs inputs_{};
  std::vector<double*> outputs_;
  std::vector<std::vector<double>> blocks_;
  std::vector<double> work_;
};

bool FourModels::Member::give(const Program<double>& program, const double* const* inputs,
                              double* const* outputs) const {
  for (std::size_t form = 0; form < step_end.programs.size(); ++form)
    if (step_end.programs[form] == &program) return four.step_end_->give(form, lane, inputs, outputs);
  return invariants.programs[0] == &program && four.invariants_->give(0, lane, inputs, outputs);
}

FourModels::FourModels(std::shared_ptr<const MechanismTapes> tapes) : tapes_(std::move(tapes)) {}
FourModels::~FourModels() = default;

bool FourModels::add(MechanicalModel<double>& model) {
  if (members_.size() == lanes || model.forms().written_out().empty()) return false;
  auto member = std::make_unique<Member>(*this, model, members_.size());
  for (const auto& [joined, part] : {std::pair(&tapes_->accelerations, &member->accelerations),
                                     {&tapes_->step_end, &member->step_end},
                                     {&tapes_->invariants, &member->invariants}}) {
    auto found = member->part_of(*joined);
    if (!found) return false;
    *part = std::move(*found);
  }
  n_ = static_cast<std::size_t>(model.coordinates()), m_ = static_cast<std::size_t>(model.constraints());
  states_ = static_cast<std::size_t>(model.integrated_states());
  members_.push_back(std::move(member));
  return true;
}

void FourModels::begin() {
  accelerations_ = std::make_unique<JoinedProgram>(tapes_->accelerations, members_, &Member::accelerations);
  step_end_ = std::make_unique<JoinedProgram>(tapes_->step_end, members_, &Member::step_end);
  invariants_ = std::make_unique<JoinedProgram>(tapes_->invariants, members_, &Member::invariants);
}

bool FourModels::has_its_mode(std::size_t lane) const {
  return &members_[lane]->model.forms() == &members_[lane]->forms;
}

const EvaluatedAhead& FourModels::ahead(std::size_t lane) const { return *members_[lane]; }

void FourModels::accelerations(const Lanes& t, const double* y, double* a, Trust& trust) {
  accelerations_->send(0, a);
  accelerations_->run(inputs(t, y));
  check_pivots(accelerations_->results(2), trust);
}

void FourModels::accelerations_at_end(const Lanes& t, const double* y, double* a, double* lambda, Trust& trust) {
  step_end_->send(0, a);
  step_end_->send(1, lambda);
  step_end_->run(inputs(t, y));
  check_pivots(step_end_->results(2), trust);
  invariants_->run(inputs(t, y, a));
}

FourModels::Inputs FourModels::inputs(const Lanes& t, const double* y, const double* a) const {
  const double* const v = y + lanes * n_;
  return {t.data(), y, v, v + lanes * (n_ - states_), nullptr, a, nullptr};
}

void FourModels::check_pivots(const double* pivots, Trust& trust) const {
  for (const auto& member : members_) {
    const WrittenOutAccelerations& x = member->elimination;
    bool all = true;
    for (std::size_t i = 0; i < x.least.size(); ++i) all &= x.trusts(i, pivots[lanes * i + member->lane]);
    trust[member->lane] &= all;
  }
}

}  // namespace daelab
