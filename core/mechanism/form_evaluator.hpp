// The forms of the mode that a model is in, evaluated.
#pragma once

#include <fmt/format.h>

#include <array>

#include "core/mechanism/forms.hpp"

namespace daelab {

/// Holds the mode, the outputs of discrete-time blocks, and work space of its own.
template <class T>
class FormEvaluator {
 public:
  explicit FormEvaluator(std::shared_ptr<RecordedProblem> problem)
      : problem_(std::move(problem)), mode_(problem_->start_mode()), forms_(&problem_->mode(mode_)) {
    held = constants(recording().start_held);
  }

  Forms& forms() const { return *forms_; }
  const Recording& recording() const { return forms_->recording(); }
  int mode() const { return mode_; }
  void enter(int mode) {
    if (mode == mode_) return;
    mode_ = mode;
    forms_ = &problem_->mode(mode);
    for (auto& layout : entries_)
      for (auto& entries : layout) entries.clear();
  }

  Vector<T> constants(const Expressions& expressions) const {
    Vector<T> values(static_cast<Index>(expressions.size()));
    forms_->values(expressions, [&values](std::size_t i, const Real100& exact) {
      values[static_cast<Index>(i)] = static_cast<T>(exact);
    });
    return values;
  }

  struct Entry {
    FormKey key = {};
    const Program<T>* program = nullptr;
    const std::vector<std::shared_ptr<const SparsePattern>>* patterns = nullptr;  // of the sparse layout
  };
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

  const Entry& dense(FormKind kind, int detail = 0) { return entry_of(kind, detail, PartLayout::dense); }
  const Entry& sparse(FormKind kind, int detail = 0) { return entry_of(kind, detail, PartLayout::sparse); }

  /// Places that the parts of a form are written to.
  using Outputs = std::array<T*, 11>;

  /// v: with the first-order states at its end; of a model without coordinates, those alone. lambda: with the algebraic
  /// states of a mechanism at its end; null: zeros.
  void run(const Entry& form, const T& t, const T* q, const T* v, const Outputs& outputs, const T* a = nullptr,
           const T* lambda = nullptr) {
    inputs_ = {&t, q, v, v + forms_->facts().coordinates, held.data(), a, lambda};
    if (!forms_->facts().has_linear_equations) gather_multipliers(lambda);
    form.program->run(inputs_.data(), outputs.data(), work_.data());
    if (seeks_domain_error_) look_for_domain_error(form.key, inputs_.data());
  }

  void run(const Entry& form, const T& t, const Vector<T>& q, const Vector<T>& v, const Outputs& outputs,
           const Vector<T>* a = nullptr, const Vector<T>* lambda = nullptr) {
    run(form, t, q.data(), v.data(), outputs, a != nullptr ? a->data() : nullptr,
        lambda != nullptr ? lambda->data() : nullptr);
  }
  /// The dense layout.
  void run(FormKind kind, int detail, const T& t, const Vector<T>& q, const Vector<T>& v, const Outputs& outputs,
           const Vector<T>* a = nullptr, const Vector<T>* lambda = nullptr) {
    run(dense(kind, detail), t, q, v, outputs, a, lambda);
  }
  /// Runs it at y, which is (q, v), or the states of a model without coordinates.
  void run(FormKind kind, int detail, const T& t, const Vector<T>& y, const Outputs& outputs) {
    run(dense(kind, detail), t, y.data(), y.data() + forms_->facts().extended, outputs);
  }

  void seek_domain_error() { seeks_domain_error_ = true, domain_error_.clear(); }
  bool seeks_domain_error() const { return seeks_domain_error_; }
  /// Looks through a form that was evaluated, unless an error was found before.
  void look_for_domain_error(const FormKey& key, const T* const* inputs) {
    if (!domain_error_.empty()) return;
    domain_error_ = forms_->domain_error<T>(key, inputs);
    if (!domain_error_.empty()) domain_error_ += fmt::format(" at t = {:.6g}", static_cast<double>(*inputs[0]));
  }
  const std::string& domain_error() {
    seeks_domain_error_ = false;
    return domain_error_;
  }

  Vector<T> held;  // outputs of discrete-time blocks

 private:
  // Programs are given the states in one row.
  void gather_multipliers(const T* lambda) {
    const Index k = forms_->facts().differential_states, l = forms_->facts().multipliers,
                m = forms_->facts().constraints;
    states_.setZero(k + l - m), multipliers_.setZero(l);
    if (lambda != nullptr) multipliers_ = Eigen::Map<const Vector<T>>(lambda, l);
    states_.head(k) = Eigen::Map<const Vector<T>>(inputs_[static_cast<std::size_t>(InputBlock::s)], k);
    states_.tail(l - m) = multipliers_.tail(l - m);
    inputs_[static_cast<std::size_t>(InputBlock::s)] = states_.data();
    inputs_[static_cast<std::size_t>(InputBlock::lambda)] = multipliers_.data();
  }

  static constexpr std::size_t block_count = static_cast<std::size_t>(InputBlock::lambda) + 1;

  std::shared_ptr<RecordedProblem> problem_;
  int mode_;
  Forms* forms_;                                // of the present mode
  std::array<const T*, block_count> inputs_{};  // as InputBlock has them
  std::array<std::array<std::vector<Entry>, static_cast<std::size_t>(FormKind::observables) + 1>, 2> entries_;
  std::vector<T> work_;
  Vector<T> states_, multipliers_;  // of equations of motion that are not linear
  bool seeks_domain_error_ = false;
  std::string domain_error_;
};

}  // namespace daelab
