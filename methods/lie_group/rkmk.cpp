// Runge-Kutta-Munthe-Kaas methods [MK98]: an explicit tableau on coordinates w of the group about the start of the
// step, g = g_n r(w), w' = (d r)^-1(w) v, by the exponential map or by Cayley's. The order is that of the tableau.
//
//   exponential:  w' = T^-1(w) v = v + hat(w) v/2 + hat(w)^2 v/12 - hat(w)^4 v/720 + ...
//
// Truncated, the series ends with the power of hat that a method of order p needs, p - 2: w is of order h.
//
// [MK98] Munthe-Kaas, Runge-Kutta methods on Lie groups, BIT 38(1), 1998, 92-111.
#include <fmt/format.h>

#include "core/integration/constrained_method.hpp"
#include "core/integration/tableau.hpp"
#include "methods/lie_group/explicit_group_stepper.hpp"
#include "methods/lie_group/lie_scheme.hpp"
#include "methods/lie_group/ordered_trees.hpp"

namespace daelab {

namespace lie {
std::vector<std::string> names_of(Retraction) { return {"exponential", "cayley"}; }
}  // namespace lie

namespace {

enum class InverseTangent { exact, truncated };
std::vector<std::string> names_of(InverseTangent) { return {"exact", "truncated"}; }

struct RkmkOptions {
  static constexpr const char* name = "rkmk";
  static constexpr const char* summary =
      "Runge-Kutta-Munthe-Kaas: an explicit tableau on coordinates of the group about the start of each step.";
  static constexpr const char* source = "Munthe-Kaas 1998";

  std::string tableau = "rk4-classical";
  lie::Retraction retraction = lie::Retraction::exponential;
  InverseTangent inverse_tangent = InverseTangent::exact;

  Options options() {
    return {
        option("tableau", tableau,
               "name of an explicit tableau of the project (NAME.json below methods/), or @file.json"),
        option("retraction", retraction,
               "exponential: g_n exp(w); cayley: rotations by Cayley's map, motions by a rational one like it"),
        option("inverse_tangent", inverse_tangent,
               "of the exponential map; exact: in closed form; truncated: its series as far as the order needs it")};
  }
  void validate(const std::string& where) const {
    if (retraction == lie::Retraction::cayley && inverse_tangent == InverseTangent::truncated)
      throw InputError(where + "/inverse_tangent", "truncated is for retraction = exponential; allowed here: exact");
  }
};

template <class T>
class Rkmk final : public ExplicitGroupStepper<T> {
 public:
  Rkmk(const Tableau& tableau, const RkmkOptions& options, System<T>& system, MechanicalModel<T>& model)
      : ExplicitGroupStepper<T>(system, model, tableau.claimed_order, tableau.stages()),
        A_(tableau.A.cast<T>()),
        b_(tableau.b.cast<T>()),
        c_(tableau.c.cast<T>()),
        retraction_(options.retraction),
        rates_(this->v_),
        gain_(this->v0_),
        power_(this->v0_) {
    if (options.inverse_tangent == InverseTangent::exact) return;
    truncated_ = true;
    for (const Real100& c : inverse_tangent_series(tableau.claimed_order - 2)) series_.push_back(static_cast<T>(c));
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    {
      const typename LeftModel<T>::Visit visit(this->left_);
      if (const Status status = this->start_stages(from, h); !status.ok()) return status;
      rates_[0] = this->v_[0];
      for (Index i = 1; i < b_.size(); ++i)
        if (const Status status = stage(from, h, i); !status.ok()) return status;
      sum(
          h, [this](Index j) -> const T& { return b_[j]; }, b_.size());
      move();
      this->end_stages(from, this->displacement_, gain_);
    }
    return this->finish(from, h, this->increment_, to);
  }

 private:
  Status stage(const State<T>& from, const T& h, Index i) {
    sum(
        h, [this, i](Index j) -> const T& { return A_(i, j); }, i);
    move();
    this->v_[this->at(i)] = this->v0_ + gain_;
    if (const Status status = this->slope_of(i, from.t + c_[i] * h); !status.ok()) return status;
    rates_[this->at(i)] = this->v_[this->at(i)];
    to_rate(this->displacement_, rates_[this->at(i)]);
    return {};
  }
  // What w and v gain by the first stages with these weights.
  void sum(const T& h, const auto& weight, Index count) {
    this->displacement_.setZero(), gain_.setZero();
    for (Index j = 0; j < count; ++j) {
      const T factor = h * weight(j);
      this->displacement_ += factor * rates_[this->at(j)], gain_ += factor * this->a_[this->at(j)];
    }
  }
  void move() {
    this->g_.q = this->g0_.q, this->g_.held = this->g0_.held;
    this->left_.space.move(retraction_, this->displacement_, this->g_);
  }
  // x := w' of a left velocity x.
  void to_rate(const Vector<T>& w, Vector<T>& x) {
    const ConfigurationSpace<T>& space = this->left_.space;
    if (retraction_ == lie::Retraction::cayley) return space.inverse_chart_tangent(w, x, power_);
    if (!truncated_) return space.inverse_tangent(w, x);
    power_ = x;
    for (const T& c : series_) {
      space.bracket(w, power_);
      x += c * power_;
    }
  }

  Matrix<T> A_;
  Vector<T> b_, c_;
  lie::Retraction retraction_;
  bool truncated_ = false;
  std::vector<T> series_;         // of powers 1, 2, ... of hat(w), where it is truncated
  std::vector<Vector<T>> rates_;  // w' of the stages
  Vector<T> gain_, power_;
};

class RkmkMethod final : public ConstrainedMethod, public LieGroupMethod {
 public:
  RkmkMethod(const RkmkOptions& options, const std::string& where)
      : options_(options), tableau_(tableau_by_name(options.tableau, where + "/tableau")) {
    options.validate(where);
    if (!tableau_.is_explicit())
      throw InputError(where + "/tableau", tableau_.name + " is implicit; allowed are explicit tableaus");
    if (options.inverse_tangent == InverseTangent::truncated && tableau_.claimed_order == 0)
      throw InputError(where + "/inverse_tangent",
                       fmt::format("the tableau {} claims no order, which says how far the series goes; allowed: exact",
                                   tableau_.name));
  }
  /// In R^n.
  MethodForm form() const override { return tableau_; }
  LieScheme lie_scheme() const override {
    return munthe_kaas_scheme(tableau_, options_.inverse_tangent == InverseTangent::truncated
                                            ? std::max(tableau_.claimed_order - 2, 0)
                                            : LieScheme::closed_form);
  }

 private:
  const char* needs() const override { return "the method needs a mechanical system, whose velocities move points"; }
#define DAELAB_DEFINE(T)                                                                                          \
  std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& /*newton*/) \
      const override {                                                                                            \
    return std::make_unique<Rkmk<T>>(tableau_, options_, system, model);                                          \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE

  RkmkOptions options_;
  Tableau tableau_;
};
const MethodEntry<RkmkOptions, RkmkMethod> rkmk_entry;

}  // namespace
}  // namespace daelab
