// Steps of an explicit Runge-Kutta method for up to four runs at once, whose models differ in numbers alone. The
// operations are those of ExplicitRungeKutta::step, in its order, on four numbers each: the same bits.
#pragma once

#include "core/integration/lockstep.hpp"
#include "core/model/four_models.hpp"
#include "methods/runge_kutta/stage_sums.hpp"

namespace daelab {

class ExplicitLockstep final : public Lockstep {
 public:
  ExplicitLockstep(std::shared_ptr<const PreparedTableau> prepared, std::shared_ptr<const MechanismTapes> tapes);

  /// The lane of the model; nothing where it has none here.
  std::optional<std::size_t> add(MechanicalModel<double>& model);
  void begin() override;
  void compute(double h, std::span<const State<double>* const> from) override;
  const EvaluatedAhead& ahead(std::size_t lane) const override { return models_.ahead(lane); }

  /// Writes the step of a lane where it was computed from this state, with this h; at most once. `to` is then what the
  /// stepper of that lane would have made.
  bool take(std::size_t lane, const State<double>& from, double h, State<double>& to);

 private:
  using Lanes = FourModels::Lanes;

  void gather(std::span<const State<double>* const> from);
  void gather(std::size_t lane, const State<double>& state);
  void finish(double h);

  std::shared_ptr<const PreparedTableau> prepared_;
  const RoundedTableau<double>& coefficients_;
  FourModels models_;
  Index stages_;             // evaluated
  std::size_t numbers_ = 0;  // of (q, v), four times
  double h_ = 0;
  std::array<const State<double>*, most> from_{};  // that a step is ready from; null: none is
  FourModels::Trust trust_{};
  Lanes t_{}, t_stage_{}, t_end_{};
  std::vector<double> start_, compensation_;         // of the states
  std::vector<double> y_;                            // of a stage, and the increment
  std::vector<double> end_, lost_, slope_, lambda_;  // at the end of the step
  std::vector<std::vector<double>> slopes_;          // of the stages
  std::optional<StageSums<double>> sums_;
};

}  // namespace daelab
