// Up to four mechanisms whose equations differ in numbers alone, evaluated together, four numbers per instruction. All
// results have the bits of the models evaluated one by one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/model/evaluated_ahead.hpp"
#include "core/model/forms.hpp"

namespace daelab {

/// Forms of a model as one tape, so that what they share is evaluated once.
struct JoinedForms {
  JoinedForms(Forms& all, std::vector<FormKey> keys);
  /// The constants of the tape as another model has them; nothing where its expressions are others.
  std::optional<std::vector<double>> constants_of(Forms& other) const;

  struct Form {
    FormKey key;
    std::vector<Output> outputs;           // those of its own program
    std::vector<Tape::Place> inputs;       // that it reads
    std::size_t first_block, block_count;  // of outputs, in the tape
  };
  /// All that the tape is made from but constants: operations and operands, by their places in this list, and outputs.
  struct Shape {
    std::vector<std::array<std::uint32_t, 4>> nodes;
    std::vector<std::array<std::uint32_t, 3>> outputs;
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  std::vector<Form> forms;
  std::vector<int> sizes;  // of blocks of outputs
  Tape tape;
  Shape shape;
  std::vector<std::size_t> constants;  // of the tape: which one, wherever the shape has a constant
};

/// What evaluates a mechanism along with others: its accelerations by the first elimination that is written out; these
/// with its constraints and their Jacobian, as a guard asks for them at the end of a step; and its invariants, which
/// hang on accelerations that are known then.
struct MechanismTapes {
  /// Null where there is no elimination, where there are discrete-time blocks, and for large mechanisms.
  static std::shared_ptr<const MechanismTapes> of(MechanicalModel<double>& model);

  JoinedForms accelerations, step_end, invariants;
};

/// Numbers of four: that of a lane is number 4 index + lane.
class FourModels {
 public:
  static constexpr std::size_t lanes = 4;
  using Lanes = std::array<double, lanes>;
  using Trust = std::array<bool, lanes>;

  explicit FourModels(std::shared_ptr<const MechanismTapes> tapes);
  ~FourModels();
  /// The next lane. False where the equations of the model differ in more than numbers; then it is not taken.
  bool add(MechanicalModel<double>& model);
  /// After the last model, before anything is evaluated. Lanes that are left repeat the first.
  void begin();

  std::size_t count() const { return members_.size(); }
  std::size_t coordinates() const { return n_; }  // n
  std::size_t constraints() const { return m_; }  // m
  /// Whether a model is still in the mode that it was in at first.
  bool has_its_mode(std::size_t lane) const;

  /// y: q (n) and v (n) of four, a (n) of four. Takes away the trust of lanes whose pivots are not trusted.
  void accelerations(const Lanes& t, const double* y, double* a, Trust& trust);
  /// The same at the end of a step, with what its observers will ask for. lambda: (m) of four. What is passed stays
  /// where it is as long as they ask.
  void accelerations_at_end(const Lanes& t, const double* y, double* a, double* lambda, Trust& trust);
  /// What a model has been evaluated for at the end of a step.
  const EvaluatedAhead& ahead(std::size_t lane) const;

 private:
  struct Member;
  class JoinedProgram;
  using Inputs = std::array<const double*, static_cast<std::size_t>(InputBlock::lambda) + 1>;

  Inputs inputs(const Lanes& t, const double* y, const double* a = nullptr) const;
  void check_pivots(const double* pivots, Trust& trust) const;

  std::shared_ptr<const MechanismTapes> tapes_;
  std::vector<std::unique_ptr<Member>> members_;
  std::size_t n_ = 0, m_ = 0, states_ = 0;
  std::unique_ptr<JoinedProgram> accelerations_, step_end_, invariants_;
};

}  // namespace daelab
