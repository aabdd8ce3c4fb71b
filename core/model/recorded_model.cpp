#include "core/model/recorded_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>

#include "core/model/forms.hpp"

namespace daelab {

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

std::shared_ptr<RecordedProblem> record_problem(std::function<void(Recording&)> record, int start_mode) {
  return std::make_shared<RecordedProblem>(std::move(record), start_mode);
}

namespace {

constexpr std::size_t block_count = static_cast<std::size_t>(InputBlock::lambda) + 1;

template <class T>
class RecordedModel final : public MechanicalModel<T> {
 public:
  explicit RecordedModel(std::shared_ptr<RecordedProblem> problem)
      : problem_(std::move(problem)), forms_(&problem_->mode(problem_->start_mode())), mode_(problem_->start_mode()) {
    const Recording& r = recording();
    held_ = constants(r.start_held);
    jumped_q_.setZero(n()), jumped_v_.setZero(n()), jumped_a_.setZero(n()), jumped_held_.setZero(held_.size());
    zero_.setZero(n());
  }

  Index coordinates() const override { return forms_->extended(); }
  Index constraints() const override { return forms_->constraints(); }
  Index nonholonomic() const override { return forms_->nonholonomic(); }
  Index integrated_states() const override { return forms_->is_mechanical() ? forms_->states() : 0; }
  Vector<T> initial_q() const override {
    Vector<T> q = Vector<T>::Zero(n());
    q.head(forms_->coordinates()) = constants(recording().start_q);
    return q;
  }
  Vector<T> initial_v() const override {
    Vector<T> v(n());
    v.head(forms_->coordinates()) = constants(recording().start_v);
    if (forms_->is_mechanical()) v.tail(forms_->states()) = constants(recording().start_s);
    return v;
  }

  bool constant_mass() const override { return forms_->constant_mass(); }
  void mass(const T& t, const Vector<T>& q, Matrix<T>& M) override {
    M.setZero();
    run(FormKind::mass, 0, t, q, zero_, {M.data()});
  }
  void force(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& Q) override {
    run(FormKind::force, 0, t, q, v, {Q.data()});
  }
  void constraint(const T& t, const Vector<T>& q, Vector<T>& C, Matrix<T>& C_q) override {
    C_q.topRows(forms_->holonomic()).setZero();
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
    if (written_out_ == nullptr) find_written_out();
    for (std::size_t k = 0; k < written_out_->size(); ++k) {
      run(FormKind::accelerations, static_cast<int>(k), t, q, v, {a.data(), lambda.data(), pivots_.data()});
      if (are_trusted((*written_out_)[k])) return WrittenOut::trusted;
    }
    return written_out_->empty() ? WrittenOut::absent : WrittenOut::distrusted;
  }
  std::string distrusted_pivot() const override {
    if (written_out_ == nullptr || written_out_->empty()) return "";
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
    run(entry_of(FormKind::residual, static_cast<int>(level), PartLayout::dense), t, q, v, {balance, row}, a, lambda);
  }
  void blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
              const Vector<T>& lambda, MechanicalBlocks<T>& x) override {
    for (Matrix<T>* block : {&x.M, &x.K, &x.D, &x.J, &x.R_q, &x.R_v, &x.R_a}) block->setZero();
    run(FormKind::blocks, static_cast<int>(level), t, q, v,
        {x.M.data(), x.K.data(), x.D.data(), x.J.data(), x.R_q.data(), x.R_v.data(), x.R_a.data()}, &a, &lambda);
  }
  void data(const T& t, const Vector<T>& q, const Vector<T>& v, SparseData<T>& x) override {
    const Entry& form = entry_of(FormKind::data, 0, PartLayout::sparse);
    x.M.take((*form.patterns)[0]), x.J.take((*form.patterns)[2]);
    x.Q.resize(n()), x.h.resize(constraints());
    run(form, t, q, v, {x.M.values.data(), x.Q.data(), x.J.values.data(), x.h.data()});
  }
  void blocks(Level level, const T& t, const Vector<T>& q, const Vector<T>& v, const Vector<T>& a,
              const Vector<T>& lambda, SparseBlocks<T>& x) override {
    const Entry& form = entry_of(FormKind::blocks, static_cast<int>(level), PartLayout::sparse);
    std::array<T*, 7> outputs;
    std::size_t part = 0;
    for (SparseMatrix<T>* block : {&x.M, &x.K, &x.D, &x.J, &x.R_q, &x.R_v, &x.R_a}) {
      block->take((*form.patterns)[part]);
      outputs[part++] = block->values.data();
    }
    run(form, t, q, v, outputs, &a, &lambda);
  }

  Index states() const override { return forms_->is_mechanical() ? 0 : forms_->states(); }
  Index algebraic_states() const override { return recording().algebraic_states; }
  Vector<T> initial_s() const override { return constants(recording().start_s); }
  void rates(const T& t, const Vector<T>& q, const Vector<T>& /*v*/, const Vector<T>& s, Vector<T>& r) override {
    run(FormKind::rates, 0, t, q, s, {r.data()});
  }
  void rates_s(const T& t, const Vector<T>& q, const Vector<T>& /*v*/, const Vector<T>& s, Matrix<T>& R_s) override {
    R_s.setZero();
    run(FormKind::rates_s, 0, t, q, s, {R_s.data()});
  }
  void rates_s(const T& t, const Vector<T>& q, const Vector<T>& /*v*/, const Vector<T>& s,
               SparseMatrix<T>& R_s) override {
    const Entry& form = entry_of(FormKind::rates_s, 0, PartLayout::sparse);
    R_s.take(form.patterns->front());
    run(form, t, q, s, {R_s.values.data()});
  }

  std::vector<Event> events() const override {
    std::vector<Event> list;
    for (const RecordedEvent& event : recording().events) list.push_back(event.event);
    return list;
  }
  void event_functions(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& g) override {
    run(FormKind::event_functions, 0, t, q, v, {g.data()});
  }
  void carry_out(Index event, const T& t, Vector<T>& q, Vector<T>& v) override {
    T next;
    run(FormKind::jump, static_cast<int>(event), t, q, v,
        {jumped_q_.data(), jumped_v_.data(), jumped_held_.data(), &next});
    q = jumped_q_, v = jumped_v_, held_ = jumped_held_;
    enter(static_cast<int>(std::lround(static_cast<double>(next))));
  }
  T sampling_period() const override { return static_cast<T>(forms_->value(recording().sampling_period)); }
  void sample(const T& t, const Vector<T>& q, const Vector<T>& v) override {
    run(FormKind::sampled, 0, t, q, v, {jumped_held_.data()});
    held_ = jumped_held_;
  }

  Index charts() const override { return recording().charts; }
  Index chart() const override { return charts() > 1 ? mode_ : 0; }
  void set_chart(Index chart) override {
    if (charts() > 1) enter(static_cast<int>(chart));
  }
  void to_chart(Index chart, const Vector<T>& near, Vector<T>& q, Vector<T>& v, Vector<T>& a) override {
    using std::round;
    if (charts() == 1) return;
    run(FormKind::to_chart, static_cast<int>(chart), t_, q, v, {jumped_q_.data(), jumped_v_.data(), jumped_a_.data()},
        &a);
    q = jumped_q_, v = jumped_v_, a = jumped_a_;
    const Vector<T> periods = constants(recording().periods[static_cast<std::size_t>(chart)]);
    for (Index i = 0; i < periods.size(); ++i)
      if (periods[i] > T(0)) q[i] += periods[i] * round(T((near[i] - q[i]) / periods[i]));
  }

  void seek_domain_error() override { seeks_domain_error_ = true, domain_error_.clear(); }
  std::string domain_error() override {
    seeks_domain_error_ = false;
    return domain_error_;
  }

  bool has_energy() const override { return recording().kinetic_energy.has_value(); }
  Energy<T> energy(const T& t, const Vector<T>& q, const Vector<T>& v) override {
    if (!has_energy()) return {};
    T both[2];
    run(FormKind::energy, 0, t, q, v, {both});
    return {both[0], both[1]};
  }
  std::vector<std::string> observable_names() const override { return recording().observable_names; }
  void observables(const T& t, const Vector<T>& q, const Vector<T>& v, Vector<T>& out) override {
    run(FormKind::observables, 0, t, q, v, {out.data()});
  }

 private:
  const Recording& recording() const { return forms_->recording(); }
  Index n() const { return forms_->extended(); }

  Vector<T> constants(const Expressions& expressions) const {
    Vector<T> values(static_cast<Index>(expressions.size()));
    for (Index i = 0; i < values.size(); ++i)
      values[i] = static_cast<T>(forms_->value(expressions[static_cast<std::size_t>(i)]));
    return values;
  }

  struct Entry {
    FormKey key = {};
    const Program<T>* program = nullptr;
    const std::vector<std::shared_ptr<const SparsePattern>>* patterns = nullptr;  // of the sparse layout
  };
  // v: with the first-order states at its end; of a model without coordinates, those alone.
  void run(FormKind kind, int detail, const T& t, const Vector<T>& q, const Vector<T>& v,
           const std::array<T*, 7>& outputs, const Vector<T>* a = nullptr, const Vector<T>* lambda = nullptr) {
    run(entry_of(kind, detail, PartLayout::dense), t, q, v, outputs, a, lambda);
  }
  void run(const Entry& form, const T& t, const Vector<T>& q, const Vector<T>& v, const std::array<T*, 7>& outputs,
           const Vector<T>* a = nullptr, const Vector<T>* lambda = nullptr) {
    run(form, t, q.data(), v.data(), outputs, a != nullptr ? a->data() : nullptr,
        lambda != nullptr ? lambda->data() : nullptr);
  }
  void run(const Entry& form, const T& t, const T* q, const T* v, const std::array<T*, 7>& outputs, const T* a,
           const T* lambda) {
    inputs_ = {&t, q, v, v + forms_->coordinates(), held_.data(), a, lambda};
    form.program->run(inputs_.data(), outputs.data(), work_.data());
    if (seeks_domain_error_ && domain_error_.empty()) look_for_domain_error(form.key, t);
  }

  const Entry& entry_of(FormKind kind, int detail, PartLayout layout) {
    std::vector<Entry>& entries = entries_[static_cast<std::size_t>(layout)][static_cast<std::size_t>(kind)];
    if (entries.size() <= static_cast<std::size_t>(detail)) entries.resize(static_cast<std::size_t>(detail) + 1);
    Entry& entry = entries[static_cast<std::size_t>(detail)];
    if (entry.program == nullptr) {
      entry.key = {kind, detail, layout};
      entry.program = &forms_->program<T>(entry.key);
      if (layout == PartLayout::sparse) entry.patterns = &forms_->patterns(kind, detail);
      if (work_.size() < entry.program->work_size()) work_.resize(entry.program->work_size());
    }
    return entry;
  }

  void look_for_domain_error(const FormKey& key, const T& t) {
    const bool eliminates = key.kind == FormKind::accelerations;  // named is what it eliminates in
    domain_error_ = forms_->domain_error<T>(eliminates ? FormKey{FormKind::data} : key, inputs_.data());
    if (!domain_error_.empty()) domain_error_ += fmt::format(" at t = {:.6g}", static_cast<double>(t));
  }

  void find_written_out() {
    written_out_ = &forms_->written_out();
    std::size_t most = 0;
    for (const WrittenOutAccelerations& x : *written_out_) most = std::max(most, x.pivots.size());
    pivots_.resize(most);
  }
  // False of what is no number. Larger than any number is nothing that a step could go on from.
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

  void enter(int mode) {
    if (mode == mode_) return;
    mode_ = mode;
    written_out_ = nullptr;
    forms_ = &problem_->mode(mode);
    for (auto& layout : entries_)
      for (auto& entries : layout) entries.clear();
  }

  std::shared_ptr<RecordedProblem> problem_;
  Forms* forms_;  // of the present mode
  int mode_;
  T t_{0};
  Vector<T> held_, jumped_q_, jumped_v_, jumped_a_, jumped_held_, zero_;
  std::array<const T*, block_count> inputs_{};  // as InputBlock has them
  std::array<std::array<std::vector<Entry>, static_cast<std::size_t>(FormKind::observables) + 1>, 2> entries_;
  std::vector<T> work_;
  bool seeks_domain_error_ = false;
  std::string domain_error_;
  const std::vector<WrittenOutAccelerations>* written_out_ = nullptr;  // of the present mode, when asked for
  std::vector<T> pivots_;
};

}  // namespace

template <class T>
std::unique_ptr<MechanicalModel<T>> make_model(std::shared_ptr<RecordedProblem> problem) {
  return std::make_unique<RecordedModel<T>>(std::move(problem));
}

#define DAELAB_INSTANTIATE(T) \
  template std::unique_ptr<MechanicalModel<T>> make_model<T>(std::shared_ptr<RecordedProblem>);
DAELAB_FOR_SCALARS(DAELAB_INSTANTIATE)
#undef DAELAB_INSTANTIATE

}  // namespace daelab
