#include "methods/nystrom/nystrom_conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "core/base/exact.hpp"

namespace daelab {
namespace {

enum class Branching { time, position, velocity };

struct Branch {
  Branching kind;
  std::size_t tree;  // among those of its order; of time: none
  int tree_order, order;
};

struct Tree {
  std::vector<Branch> branches;
  Real100 exact;  // times theta^(order - 1)
  int order;
};

// Trees of every order up to one, with branches of some kinds.
class Trees {
 public:
  Trees(int highest, std::vector<Branching> kinds) : kinds_(std::move(kinds)) {
    for (int order = 1; order <= highest; ++order) {
      trees_.emplace_back();
      std::vector<Branch> chosen;
      add(order, order - 1, branches_below(order), 0, chosen);
    }
  }
  const std::vector<Tree>& of(int order) const { return trees_[static_cast<std::size_t>(order - 1)]; }
  const Tree& at(const Branch& branch) const { return of(branch.tree_order)[branch.tree]; }

 private:
  // All with an order below that of the tree, which are known by then.
  std::vector<Branch> branches_below(int order) const {
    std::vector<Branch> all;
    for (const Branching kind : kinds_) {
      if (kind == Branching::time) {
        all.push_back({kind, 0, 0, 1});
        continue;
      }
      const int more = kind == Branching::position ? 1 : 0;
      for (int below = 1; below + more < order; ++below)
        for (std::size_t i = 0; i < of(below).size(); ++i) all.push_back({kind, i, below, below + more});
    }
    return all;
  }
  // Multisets of them whose orders sum up to `rest`.
  void add(int order, int rest, const std::vector<Branch>& all, std::size_t first, std::vector<Branch>& chosen) {
    if (rest == 0) trees_.back().push_back({chosen, exact(chosen), order});
    for (std::size_t i = first; i < all.size(); ++i) {
      if (all[i].order > rest) continue;
      chosen.push_back(all[i]);
      add(order, rest - all[i].order, all, i, chosen);
      chosen.pop_back();
    }
  }
  Real100 exact(const std::vector<Branch>& branches) const {
    Real100 product(1);
    for (const Branch& branch : branches) {
      const Real100 order(branch.tree_order);
      if (branch.kind != Branching::time) product *= at(branch).exact / order;
      if (branch.kind == Branching::position) product /= order + 1;
    }
    return product;
  }

  std::vector<Branching> kinds_;
  std::vector<std::vector<Tree>> trees_;
};

struct Named {
  const Matrix<Real100>* matrix;
  std::string name;
};

// Weights of trees at the stages, and how they are written. What a branch multiplies by depends on the colour of its
// root; where colours do not alternate both are the same.
class StageWeights {
 public:
  StageWeights(const Trees& trees, const Vector<Real100>& c, Named position, std::array<Named, 2> velocity)
      : trees_(trees), c_(c), position_(std::move(position)), velocity_(std::move(velocity)) {}

  Vector<Real100> of(const Tree& tree, int colour) {
    Vector<Real100> product = Vector<Real100>::Ones(c_.size());
    for (const Branch& branch : tree.branches)
      product = product.cwiseProduct(branch.kind == Branching::time ? c_ : of_branch(branch, colour)).eval();
    return product;
  }
  std::string text(const Tree& tree, int colour) const {
    if (tree.branches.empty()) return "1";
    std::vector<std::string> factors;
    for (const Branch& branch : tree.branches)
      factors.push_back(branch.kind == Branching::time
                            ? "c"
                            : fmt::format("({} {})", matrix(branch, colour).name, text(trees_.at(branch), 1 - colour)));
    return factors.size() == 1 ? factors.front() : fmt::format("({})", fmt::join(factors, " "));
  }

 private:
  const Named& matrix(const Branch& branch, int colour) const {
    return branch.kind == Branching::position ? position_ : velocity_[static_cast<std::size_t>(colour)];
  }
  // Trees share their branches.
  const Vector<Real100>& of_branch(const Branch& branch, int colour) {
    const auto key = std::tuple(branch.kind, branch.tree_order, branch.tree, colour);
    if (const auto known = branches_.find(key); known != branches_.end()) return known->second;
    return branches_[key] = *matrix(branch, colour).matrix * of(trees_.at(branch), 1 - colour);
  }

  const Trees& trees_;
  const Vector<Real100>& c_;
  Named position_;
  std::array<Named, 2> velocity_;
  std::map<std::tuple<Branching, int, std::size_t, int>, Vector<Real100>> branches_;
};

struct Weights {
  const Vector<Real100>* b;
  std::string name;
};

// b^T weights = exact.
struct Condition {
  const Tree& tree;
  int colour;
  const Weights& weights;
  Real100 exact;
  int order;

  Real100 residual(StageWeights& stages) const { return weights.b->dot(stages.of(tree, colour)) - exact; }
  std::string text(const StageWeights& stages) const {
    return fmt::format("{} {} = {}", weights.name, stages.text(tree, colour), fraction_or_decimal(exact));
  }
};

// Calls action(condition, stages) by increasing order, until it is false at the end of one.
void for_conditions(const NystromTableau& t, int highest, bool velocities, NystromWeights which, const auto& action) {
  std::vector<Branching> kinds{Branching::time, Branching::position};
  if (velocities) kinds.push_back(Branching::velocity);
  const Trees trees(highest, kinds);
  const bool embedded = which == NystromWeights::embedded;
  const char* suffix = embedded ? "_embedded" : "";
  const Weights v{embedded ? &t.b_embedded : &t.b, t.pair ? "b_hat^T" : fmt::format("b{}^T", suffix)},
      q{embedded ? &t.b_bar_embedded : &t.b_bar, t.pair ? "b^T A_hat" : fmt::format("b_bar{}^T", suffix)};
  const Named of_velocities{&t.A, t.pair ? "A_hat" : "A"};
  StageWeights stages(trees, t.c, {&t.A_bar, t.pair ? "A A_hat" : "A_bar"}, {of_velocities, of_velocities});
  bool goes_on = true;
  for (int order = 1; order <= highest && goes_on; ++order) {
    for (const Tree& tree : trees.of(order)) goes_on = action({tree, 0, v, tree.exact / order, order}, stages);
    if (order == 1) continue;
    for (const Tree& tree : trees.of(order - 1))
      goes_on = action({tree, 0, q, tree.exact / ((order - 1) * order), order}, stages);
  }
}

void for_separable_conditions(const NystromTableau& t, int highest, const auto& action) {
  const PartitionedPair& pair = t.pair.value();
  const Trees trees(highest, {Branching::velocity});
  StageWeights stages(trees, t.c, {nullptr, ""}, {Named{&pair.A_hat, "A_hat"}, Named{&pair.A, "A"}});
  const Weights p{&pair.b, "b^T"}, q{&pair.b_hat, "b_hat^T"};
  bool goes_on = true;
  for (int order = 1; order <= highest && goes_on; ++order)
    for (const Tree& tree : trees.of(order)) {
      goes_on = action({tree, 0, p, tree.exact / order, order}, stages);
      goes_on = action({tree, 1, q, tree.exact / order, order}, stages);
    }
}

// Takes the condition that is off by more, and ends with its order.
class Worst {
 public:
  explicit Worst(const Real100& zero) : zero_(zero) {}
  bool operator()(const Condition& condition, StageWeights& stages) {
    const Real100 residual = condition.residual(stages);
    if (abs(residual) > zero_ && abs(residual) > abs(defect.residual))
      defect = {condition.order, condition.text(stages), residual};
    return defect.order == 0;
  }
  NystromDefect defect;

 private:
  const Real100& zero_;
};

bool holds(const Real100& x, const NystromTableau& t) { return abs(x) <= t.error; }

std::string off(const char* what, Index i, Index j, const Real100& residual) {
  return fmt::format("{} is off for i = {}, j = {} by {}", what, i, j, to_text(residual, 3));
}

}  // namespace

NystromDefect nystrom_defect(const NystromTableau& t, int highest, bool velocities, NystromWeights which) {
  Worst worst(t.error);
  for_conditions(t, highest, velocities, which,
                 [&](const Condition& condition, StageWeights& stages) { return worst(condition, stages); });
  return worst.defect;
}

NystromDefect separable_defect(const NystromTableau& t, int highest) {
  Worst worst(t.error);
  for_separable_conditions(t, highest,
                           [&](const Condition& condition, StageWeights& stages) { return worst(condition, stages); });
  return worst.defect;
}

std::vector<Real100> nystrom_residuals(const NystromTableau& t, int highest, bool velocities, NystromWeights which) {
  std::vector<Real100> all;
  for_conditions(t, highest, velocities, which, [&](const Condition& condition, StageWeights& stages) {
    all.push_back(condition.residual(stages));
    return true;
  });
  return all;
}

std::vector<Real100> separable_residuals(const NystromTableau& t, int highest) {
  std::vector<Real100> all;
  for_separable_conditions(t, highest, [&](const Condition& condition, StageWeights& stages) {
    all.push_back(condition.residual(stages));
    return true;
  });
  return all;
}

Real100 positions_off(const NystromTableau& t) {
  const Real100 off = t.pair ? Real100(t.pair->b.sum() - 1) : Real100(0);
  return abs(off) > t.error ? off : Real100(0);
}

void take_pair(const PartitionedPair& pair, NystromTableau& t) {
  t.c = pair.A.rowwise().sum(), t.A_bar = pair.A * pair.A_hat, t.A = pair.A_hat;
  t.b = pair.b_hat, t.b_bar = pair.A_hat.transpose() * pair.b;
}

std::string symplectic_defect(const NystromTableau& t) {
  for (Index i = 0; i < t.stages(); ++i) {
    for (Index j = 0; j < t.stages(); ++j) {
      Real100 residual;
      if (t.pair)
        residual =
            t.pair->b[i] * t.pair->A_hat(i, j) + t.pair->b_hat[j] * t.pair->A(j, i) - t.pair->b[i] * t.pair->b_hat[j];
      else
        residual = t.b[i] * (t.b_bar[j] - t.A_bar(i, j)) - t.b[j] * (t.b_bar[i] - t.A_bar(j, i));
      if (!holds(residual, t))
        return off(t.pair ? "b_i A_hat_ij + b_hat_j A_ji = b_i b_hat_j"
                          : "b_i (b_bar_j - A_bar_ij) = b_j (b_bar_i - A_bar_ji)",
                   i, j, residual);
    }
    const Real100 residual = t.b_bar[i] - t.b[i] * (1 - t.c[i]);
    if (!t.pair && !holds(residual, t)) return off("b_bar_i = b_i (1 - c_i)", i, i, residual);
  }
  return "";
}

std::string symmetry_defect(const NystromTableau& t) {
  const Index last = t.stages() - 1;
  for (Index i = 0; i <= last; ++i) {
    const Real100 node = t.c[i] + t.c[last - i] - 1, weight = t.b[i] - t.b[last - i],
                  of_q = t.b_bar[i] + t.b_bar[last - i] - t.b[i];
    if (!holds(node, t)) return off("c_i + c_j = 1", i, last - i, node);
    if (!holds(weight, t)) return off(t.pair ? "b_hat_i = b_hat_j" : "b_i = b_j", i, last - i, weight);
    if (!holds(of_q, t)) return off("b_bar_i + b_bar_j = b_i", i, last - i, of_q);
    for (Index j = 0; j <= last; ++j) {
      const Real100 residual = t.A_bar(last - i, last - j) - t.A_bar(i, j) + t.b_bar[j] - (1 - t.c[i]) * t.b[j];
      if (!holds(residual, t)) return off("A_bar is that of the adjoint method: row i, column j", i, j, residual);
      if (!t.takes_velocities) continue;
      const Real100 of_v = t.A(last - i, last - j) + t.A(i, j) - t.b[j];
      if (!holds(of_v, t)) return off("A of velocities is that of the adjoint method: row i, column j", i, j, of_v);
    }
  }
  return "";
}

}  // namespace daelab
