#include "core/model/recorded_model.hpp"

#include <cmath>

#include "core/model/form_evaluator.hpp"

namespace daelab {

std::shared_ptr<RecordedProblem> record_problem(std::function<void(Recording&)> record, int start_mode) {
  return std::make_shared<RecordedProblem>(std::move(record), start_mode);
}

namespace {

// What both kinds of models take from a recording in the same way. Kind: MechanicalModel<T> or OrdinaryModel<T>.
template <class T, class Kind>
class RecordedModel : public Kind, public SampledModel<T> {
 public:
  explicit RecordedModel(std::shared_ptr<RecordedProblem> problem)
      : evaluator_(std::move(problem)), jumped_held_(evaluator_.held) {}

  Forms& forms() const override { return evaluator_.forms(); }

  T initial_t() const override { return static_cast<T>(forms().value(recording().start_t)); }

  SampledModel<T>* sampled() override { return sampling_period() > T(0) ? this : nullptr; }
  T sampling_period() const override { return static_cast<T>(forms().value(recording().sampling_period)); }
  void sample(const T& t, const Vector<T>& y) override {
    run(FormKind::sampled, 0, t, y, {jumped_held_.data()});
    evaluator_.held = jumped_held_;
  }

  std::vector<Event> events() const override {
    std::vector<Event> list;
    for (const RecordedEvent& event : recording().events) list.push_back(event.event);
    return list;
  }
  void event_functions(const T& t, const Vector<T>& y, Vector<T>& g) override {
    run(FormKind::event_functions, 0, t, y, {g.data()});
  }
  void carry_out(Index event, const T& t, Vector<T>& y) override {
    T next;
    run(FormKind::jump, static_cast<int>(event), t, y,
        {jumped_.data(), jumped_.data() + n(), jumped_held_.data(), &next});
    y.head(jumped_.size()) = jumped_, evaluator_.held = jumped_held_;
    evaluator_.enter(static_cast<int>(std::lround(static_cast<double>(next))));
  }

  void seek_domain_error() override { evaluator_.seek_domain_error(); }
  std::string domain_error() override { return evaluator_.domain_error(); }

  std::vector<std::string> observable_names() const override { return recording().observable_names; }
  void observables(const T& t, const Vector<T>& y, Vector<T>& out) override {
    run(FormKind::observables, 0, t, y, {out.data()});
  }

 protected:
  using Entry = typename FormEvaluator<T>::Entry;
  using Outputs = typename FormEvaluator<T>::Outputs;

  FormEvaluator<T>& evaluator() { return evaluator_; }
  const FormEvaluator<T>& evaluator() const { return evaluator_; }
  const Recording& recording() const { return evaluator_.recording(); }
  Vector<T> constants(const Expressions& expressions) const { return evaluator_.constants(expressions); }
  /// 0 of ordinary models: the states then are at the beginning of y.
  Index n() const { return evaluator_.forms().extended(); }

  void run(FormKind kind, int detail, const T& t, const Vector<T>& y, const Outputs& outputs) {
    evaluator_.run(dense(kind, detail), t, y.data(), y.data() + n(), outputs);
  }
  const Entry& dense(FormKind kind, int detail = 0) { return evaluator_.entry_of(kind, detail, PartLayout::dense); }
  const Entry& sparse(FormKind kind, int detail = 0) { return evaluator_.entry_of(kind, detail, PartLayout::sparse); }

  /// y after an event; what no event sets stays zero.
  void set_size_of_y(Index size) { jumped_.setZero(size); }

 private:
  FormEvaluator<T> evaluator_;
  Vector<T> jumped_, jumped_held_;
};

template <class T>
class RecordedOrdinaryModel final : public RecordedModel<T, OrdinaryModel<T>> {
 public:
  using Base = RecordedModel<T, OrdinaryModel<T>>;
  explicit RecordedOrdinaryModel(std::shared_ptr<RecordedProblem> problem) : Base(std::move(problem)) {
    this->set_size_of_y(states());
  }

  Index states() const override { return this->forms().states(); }
  Index algebraic_states() const override { return this->recording().algebraic_states; }
  Vector<T> initial_y() const override { return this->constants(this->recording().start_s); }
  int index() const override { return this->forms().index(); }
  std::string algebraic_equations() const override { return this->forms().algebraic_equations(); }
  void rates(const T& t, const Vector<T>& s, int differentiations, Vector<T>& r) override {
    this->run(FormKind::rates, differentiations, t, s, {r.data()});
  }
  void rates_s(const T& t, const Vector<T>& s, int differentiations, Matrix<T>& R_s) override {
    R_s.setZero();
    this->run(FormKind::rates_s, differentiations, t, s, {R_s.data()});
  }
  void rates_s(const T& t, const Vector<T>& s, int differentiations, SparseMatrix<T>& R_s) override {
    const auto& form = this->sparse(FormKind::rates_s, differentiations);
    R_s.take(form.patterns->front());
    this->evaluator().run(form, t, nullptr, s.data(), {R_s.values.data()});
  }
  bool is_linearly_implicit() const override { return this->forms().is_linearly_implicit(); }
  const std::vector<int>& constraint_rows() const override { return this->forms().constraint_rows(); }
  void rates_mass(const T& t, const Vector<T>& s, SparseMatrix<T>& M) override {
    const auto& form = this->sparse(FormKind::rates_mass);
    M.take(form.patterns->front());
    this->evaluator().run(form, t, nullptr, s.data(), {M.values.data()});
  }
  void rates_mass_s(const T& t, const Vector<T>& s, const Vector<T>& sdot, SparseMatrix<T>& K) override {
    const auto& form = this->sparse(FormKind::rates_mass_s);
    K.take(form.patterns->front());
    this->evaluator().run(form, t, nullptr, s.data(), {K.values.data()}, sdot.data());
  }
  void implicit_rates(const T& t, const Vector<T>& s, SparseMatrix<T>& W, Vector<T>& b) override {
    const auto& form = this->sparse(FormKind::implicit_rates);
    W.take(form.patterns->front());
    this->evaluator().run(form, t, nullptr, s.data(), {W.values.data(), b.data()});
  }
  Index hidden_constraints() const override { return this->forms().hidden_constraints(); }
  std::string hidden_constraint(Index i) const override { return this->forms().hidden_constraint(i); }
  void hidden_constraints(const T& t, const Vector<T>& s, Vector<T>& H, Matrix<T>& H_s) override {
    H_s.setZero();
    this->run(FormKind::hidden_constraints, 0, t, s, {H.data(), H_s.data()});
  }
};

template <class T>
class RecordedMechanicalModel final : public RecordedModel<T, MechanicalModel<T>>, public ChartedModel<T> {
 public:
  using Base = RecordedModel<T, MechanicalModel<T>>;
  explicit RecordedMechanicalModel(std::shared_ptr<RecordedProblem> problem) : Base(std::move(problem)) {
    this->set_size_of_y(2 * n());
    zero_.setZero(n());
  }

  using Base::forms;

  Index coordinates() const override { return n(); }
  Index constraints() const override { return forms().constraints(); }
  Index nonholonomic() const override { return forms().nonholonomic(); }
  Index integrated_states() const override { return forms().differential_states(); }
  Index algebraic_states() const override { return forms().algebraic_states(); }
  bool has_linear_balance() const override { return forms().has_linear_balance(); }
  Vector<T> initial_multipliers() const override {
    Vector<T> multipliers = Vector<T>::Zero(this->multipliers());
    multipliers.tail(algebraic_states()) = constants(recording().start_s).tail(algebraic_states());
    return multipliers;
  }
  Vector<T> initial_q() const override {
    Vector<T> q = Vector<T>::Zero(n());
    q.head(forms().coordinates()) = constants(recording().start_q);
    return q;
  }
  Vector<T> initial_v() const override {
    Vector<T> v(n());
    v.head(forms().coordinates()) = constants(recording().start_v);
    v.tail(integrated_states()) = constants(recording().start_s).head(integrated_states());
    return v;
  }

  bool constant_mass() const override { return forms().constant_mass(); }
  void mass(const T& t, const Vector<T>& q, Matrix<T>& M) override {
    M.setZero();
    run(FormKind::mass, 0, t, q, zero_, {M.data()});
  }
  void force(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& Q) override {
    run(FormKind::force, 0, t, q, v, {Q.data()});
  }
  void constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) override {
    C_q.topRows(forms().holonomic()).setZero();
    run(FormKind::constraint, 0, t, q, zero_, {C.data(), C_q.data()});
  }
  void velocity_constraint(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& G, Matrix<T>& G_v) override {
    if (nonholonomic() == 0) return;
    G_v.bottomRows(nonholonomic()).setZero();
    run(FormKind::velocity_constraint, 0, t, q, v, {G.data(), G_v.data()});
  }
  void constraint_level(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                        Vector<T>& r) override {
    run(FormKind::level, static_cast<int>(level), t, q, v, {r.data()}, &a);
  }
  void curvature(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& h) override {
    run(FormKind::curvature, 0, t, q, v, {h.data()});
  }
  void constraint_level_q(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                          Matrix<T>& R_q) override {
    R_q.setZero();
    run(FormKind::level_q, static_cast<int>(level), t, q, v, {R_q.data()}, &a);
  }
  void acceleration_level_v(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                            Matrix<T>& R_v) override {
    R_v.setZero();
    run(FormKind::acceleration_level_v, 0, t, q, v, {R_v.data()}, &a);
  }
  void balance_jacobians(const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
                         const Vector<T>& lambda, Matrix<T>& K, Matrix<T>& D) override {
    K.setZero(), D.setZero();
    run(FormKind::balance_jacobians, 0, t, q, v, {K.data(), D.data()}, &a, &lambda);
  }
  void data(const T& t, const Vector<T>& q, const Vector<T>& v, Matrix<T>& M, Vector<T>& Q, Matrix<T>& J,
            Vector<T>& h) override {
    M.setZero(), J.setZero();
    run(FormKind::data, 0, t, q, v, {M.data(), Q.data(), J.data(), h.data()});
  }
  WrittenOut accelerations(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& a,
                           Vector<T>& lambda) override {
    if (written_out_of_ != &forms()) find_written_out();
    for (std::size_t k = 0; k < written_out_->size(); ++k) {
      run(FormKind::accelerations, static_cast<int>(k), t, q, v, {a.data(), lambda.data(), pivots_.data()});
      if (are_trusted((*written_out_)[k])) return WrittenOut::trusted;
    }
    return written_out_->empty() ? WrittenOut::absent : WrittenOut::distrusted;
  }
  std::string distrusted_pivot() const override {
    if (written_out_of_ != &forms() || written_out_->empty()) return "";
    const WrittenOutAccelerations& last = written_out_->back();
    for (std::size_t i = 0; i < last.least.size(); ++i)
      if (!is_trusted(last, i))
        return "the pivot of " + last.rows[i] + ", " + to_text(static_cast<double>(pivots_[i])) +
               " and below the least trusted of " + to_text(last.least[i]);
    return "";
  }
  using MechanicalModel<T>::residual;
  void residual(Level level, const T& t, const T* q, const T* v, const T* a, const T* lambda, T* balance,
                T* row) override {
    evaluator().run(dense(FormKind::residual, static_cast<int>(level)), t, q, v, {balance, row}, a, lambda);
  }
  void blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
              const Vector<T>& lambda, MechanicalBlocks<T>& x) override {
    for (Matrix<T>* block : {&x.M, &x.K, &x.D, &x.J, &x.R_q, &x.R_v, &x.R_a, &x.Q_mu, &x.g_q, &x.g_v, &x.g_mu})
      block->setZero();
    run(FormKind::blocks, static_cast<int>(level), t, q, v,
        {x.M.data(), x.K.data(), x.D.data(), x.J.data(), x.R_q.data(), x.R_v.data(), x.R_a.data(), x.Q_mu.data(),
         x.g_q.data(), x.g_v.data(), x.g_mu.data()},
        &a, &lambda);
  }
  void data(const T& t, const Vector<T>& q, const Vector<T>& v, SparseData<T>& x) override {
    const Entry& form = sparse(FormKind::data);
    x.M.take((*form.patterns)[0]), x.J.take((*form.patterns)[2]);
    x.Q.resize(n()), x.h.resize(constraints());
    run(form, t, q, v, {x.M.values.data(), x.Q.data(), x.J.values.data(), x.h.data()});
  }
  void blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
              const Vector<T>& lambda, SparseBlocks<T>& x) override {
    const Entry& form = sparse(FormKind::blocks, static_cast<int>(level));
    Outputs outputs;
    std::size_t part = 0;
    for (SparseMatrix<T>* block : {&x.M, &x.K, &x.D, &x.J, &x.R_q, &x.R_v, &x.R_a, &x.Q_mu, &x.g_q, &x.g_v, &x.g_mu}) {
      block->take((*form.patterns)[part]);
      outputs[part++] = block->values.data();
    }
    run(form, t, q, v, outputs, &a, &lambda);
  }

  ChartedModel<T>* charted() override { return charts() > 1 ? this : nullptr; }
  Index charts() const override { return recording().charts; }
  Index chart() const override { return evaluator().mode(); }
  void set_chart(Index chart) override { evaluator().enter(static_cast<int>(chart)); }
  void to_chart(Index chart, const Vector<T>& near, Vector<T>& q, Vector<T>& v, Vector<T>& a) override {
    using std::round;
    Vector<T> there_q = zero_, there_v = zero_, there_a = zero_;
    const T t(0);
    run(FormKind::to_chart, static_cast<int>(chart), t, q, v, {there_q.data(), there_v.data(), there_a.data()}, &a);
    q = there_q, v = there_v, a = there_a;
    const Vector<T> periods = constants(recording().periods[static_cast<std::size_t>(chart)]);
    for (Index i = 0; i < periods.size(); ++i)
      if (periods[i] > T(0)) q[i] += periods[i] * round(T((near[i] - q[i]) / periods[i]));
  }

  bool has_energy() const override { return recording().kinetic_energy.has_value(); }
  Energy<T> energy(const T& t, const Vector<T>& q, const Vector<T>& v) override {
    if (!has_energy()) return {};
    T both[2];
    run(FormKind::energy, 0, t, q, v, {both});
    return {both[0], both[1]};
  }

 private:
  using Base::constants, Base::dense, Base::evaluator, Base::n, Base::recording, Base::sparse;
  using typename Base::Entry, typename Base::Outputs;

  void run(FormKind kind, int detail, const T& t, const Vector<T>& q, const Vector<T>& v, const Outputs& outputs,
           const Vector<T>* a = nullptr, const Vector<T>* lambda = nullptr) {
    run(dense(kind, detail), t, q, v, outputs, a, lambda);
  }
  void run(const Entry& form, const T& t, const Vector<T>& q, const Vector<T>& v, const Outputs& outputs,
           const Vector<T>* a = nullptr, const Vector<T>* lambda = nullptr) {
    evaluator().run(form, t, q.data(), v.data(), outputs, a != nullptr ? a->data() : nullptr,
                    lambda != nullptr ? lambda->data() : nullptr);
  }

  void find_written_out() {
    written_out_of_ = &forms();
    written_out_ = &forms().written_out();
    std::size_t most = 0;
    for (const WrittenOutAccelerations& x : *written_out_) most = std::max(most, x.pivots.size());
    pivots_.resize(most);
  }
  // False for NaN and infinity: no step can go on from these.
  bool is_trusted(const WrittenOutAccelerations& x, std::size_t i) const {
    using std::abs;
    const T size = x.rule == PivotRule::definite ? pivots_[i] : T(abs(pivots_[i]));
    return size >= T(x.least[i]) && size <= std::numeric_limits<T>::max();
  }
  bool are_trusted(const WrittenOutAccelerations& x) const {
    bool all = true;
    for (std::size_t i = 0; i < x.least.size(); ++i) all &= is_trusted(x, i);
    return all;
  }

  Vector<T> zero_;
  const Forms* written_out_of_ = nullptr;  // the mode that the next ones belong to
  const std::vector<WrittenOutAccelerations>* written_out_ = nullptr;
  std::vector<T> pivots_;
};

}  // namespace

template <class T>
std::unique_ptr<Model<T>> make_model(std::shared_ptr<RecordedProblem> problem) {
  if (problem->mode(problem->start_mode()).is_mechanical())
    return std::make_unique<RecordedMechanicalModel<T>>(std::move(problem));
  return std::make_unique<RecordedOrdinaryModel<T>>(std::move(problem));
}

#define DAELAB_INSTANTIATE(T) template std::unique_ptr<Model<T>> make_model<T>(std::shared_ptr<RecordedProblem>);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
