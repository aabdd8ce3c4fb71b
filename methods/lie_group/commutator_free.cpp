// Commutator-free methods as JSON documents {"name", "exponentials", "step", ...}, and the engine that carries them
// out. methods/lie_group/commutator_free_tableau.hpp has equations and sources.
#include <cmath>

#include "core/base/coefficient_document.hpp"
#include "core/integration/constrained_method.hpp"
#include "core/integration/method_documents.hpp"
#include "methods/lie_group/commutator_free_tableau.hpp"
#include "methods/lie_group/explicit_group_stepper.hpp"

namespace daelab {
namespace {

template <class T>
class CommutatorFree final : public ExplicitGroupStepper<T> {
 public:
  CommutatorFree(const CommutatorFreeTableau& tableau, System<T>& system, MechanicalModel<T>& model)
      : ExplicitGroupStepper<T>(system, model, tableau.order, static_cast<Index>(tableau.stages.size())),
        step_(rounded(tableau.step)),
        factor_(this->v0_),
        gain_(this->v0_) {
    for (const ExponentialProduct& stage : tableau.stages) stages_.push_back(rounded(stage));
    c_ = tableau.tableau().c.template cast<T>();
  }

  Status step(const State<T>& from, const T& h, State<T>& to) override {
    {
      const typename LeftModel<T>::Visit visit(this->left_);
      if (const Status status = this->start_stages(from, h); !status.ok()) return status;
      for (std::size_t i = 1; i < stages_.size(); ++i) {
        move(h, stages_[i], i);
        this->v_[i] = this->v0_ + gain_;
        const Index stage = static_cast<Index>(i);
        if (const Status status = this->slope_of(stage, from.t + c_[stage] * h); !status.ok()) return status;
      }
      move(h, step_, stages_.size());
      this->end_stages(from, this->displacement_, gain_);
    }
    return this->finish(from, h, this->increment_, to);
  }

 private:
  using Product = std::vector<Vector<T>>;
  static Product rounded(const ExponentialProduct& product) {
    Product rows;
    for (const Vector<Real100>& row : product) rows.push_back(row.cast<T>());
    return rows;
  }

  // From the start by a product of exponentials of the first slopes.
  void move(const T& h, const Product& product, std::size_t slopes) {
    this->g_.q = this->g0_.q, this->g_.held = this->g0_.held;
    this->displacement_.setZero(), gain_.setZero();
    for (const Vector<T>& row : product) {
      factor_.setZero();
      for (std::size_t j = 0; j < slopes; ++j) {
        const T weight = h * row[static_cast<Index>(j)];
        if (weight == T(0)) continue;
        factor_ += weight * this->v_[j], gain_ += weight * this->a_[j];
      }
      this->left_.space.move(lie::Retraction::exponential, factor_, this->g_);
      this->displacement_ += factor_;
    }
  }

  std::vector<Product> stages_;
  Product step_;
  Vector<T> c_, factor_, gain_;
};

class CommutatorFreeMethod final : public ConstrainedMethod, public LieGroupMethod {
 public:
  explicit CommutatorFreeMethod(CommutatorFreeTableau tableau) : tableau_(std::move(tableau)) {}
  /// In R^n.
  MethodForm form() const override { return tableau_.tableau(); }
  LieScheme lie_scheme() const override { return lie_scheme_of(tableau_); }

 private:
  const char* needs() const override { return "the method needs a mechanical system, whose velocities move points"; }
#define DAELAB_DEFINE(T)                                                                                          \
  std::unique_ptr<Stepper<T>> bind(System<T>& system, MechanicalModel<T>& model, const NewtonOptions& /*newton*/) \
      const override {                                                                                            \
    auto stepper = std::make_unique<CommutatorFree<T>>(tableau_, system, model);                                  \
    warn_of_digits(*stepper);                                                                                     \
    return stepper;                                                                                               \
  }
  DAELAB_FOR_SCALARS(DAELAB_DEFINE)
#undef DAELAB_DEFINE
  template <class T>
  void warn_of_digits(Stepper<T>& stepper) const {
    const auto digits = std::lround(-std::log10(static_cast<double>(epsilon<T>())));
    const std::string text = coefficient_warning(tableau_.tableau(), static_cast<int>(digits));
    if (!text.empty()) stepper.warn("coefficient-digits", text);
  }

  CommutatorFreeTableau tableau_;
};

const bool commutator_free_documents_are_methods = [] {
  accept_method_documents(holds<CoefficientKind::exponentials>,
                          method_of_document<CommutatorFreeMethod, commutator_free_from_json>);
  return true;
}();

}  // namespace
}  // namespace daelab
