// The battery finds the order of a method that fails a single rooted tree, for each tree with up to six nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/audit_subjects.hpp"
#include "core/solvers/dense.hpp"
#include "lab/measured_audit.hpp"
#include "lab/project.hpp"
#include "tests/input_error_support.hpp"

namespace daelab {
namespace TEST_FILE {

using testing::HasSubstr;
using testing::Not;

// A rooted tree as the trees that are left when its root is cut off.
struct Tree {
  std::vector<Tree> children;
  bool operator==(const Tree&) const = default;
  friend bool operator<(const Tree& a, const Tree& b) {
    return std::lexicographical_compare(a.children.begin(), a.children.end(), b.children.begin(), b.children.end());
  }

  int nodes() const {
    int count = 1;
    for (const Tree& child : children) count += child.nodes();
    return count;
  }
  int gamma() const {
    int product = nodes();
    for (const Tree& child : children) product *= child.gamma();
    return product;
  }
  Vector<Real100> weights(const Matrix<Real100>& A) const {
    Vector<Real100> product = Vector<Real100>::Ones(A.rows());
    for (const Tree& child : children) product = product.cwiseProduct(A * child.weights(A)).eval();
    return product;
  }
};

// Each tree with one node more is another one with a leaf put on one of its nodes.
void grow(const Tree& tree, std::vector<Tree>& grown) {
  Tree with_leaf = tree;
  with_leaf.children.push_back({});
  std::sort(with_leaf.children.begin(), with_leaf.children.end());
  grown.push_back(with_leaf);
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    std::vector<Tree> of_child;
    grow(tree.children[i], of_child);
    for (Tree& child : of_child) {
      Tree one = tree;
      one.children[i] = std::move(child);
      std::sort(one.children.begin(), one.children.end());
      grown.push_back(std::move(one));
    }
  }
}

std::vector<Tree> trees(int most) {
  std::vector<Tree> all{{}}, last = all;
  for (int n = 2; n <= most; ++n) {
    std::vector<Tree> next;
    for (const Tree& tree : last) grow(tree, next);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    all.insert(all.end(), next.begin(), next.end());
    last = std::move(next);
  }
  return all;
}

// An explicit method with nodes in (0, 1) and as many stages as make all conditions independent.
Matrix<Real100> coefficients() {
  constexpr int stages = 40;
  std::mt19937 generator(7);
  const auto draw = [&] { return static_cast<int>(generator() % 1001); };
  Matrix<Real100> A = Matrix<Real100>::Zero(stages, stages);
  for (int i = 1; i < stages; ++i) {
    for (int j = 1; j < i; ++j) A(i, j) = Real100(draw() - 500) / (400 * i);
    A(i, 0) = Real100(draw()) / 1000 - A.row(i).sum();
  }
  return A;
}

// All conditions hold up to six nodes, but that of the tree `failing`, which is twice what it must be; -1: none fails.
class Methods {
 public:
  Methods() : all_(trees(6)), A_(coefficients()), Phi_(static_cast<Index>(all_.size()), A_.rows()) {
    for (std::size_t k = 0; k < all_.size(); ++k) Phi_.row(static_cast<Index>(k)) = all_[k].weights(A_).transpose();
  }
  const std::vector<Tree>& trees_up_to_six() const { return all_; }
  int order(int failing) const { return failing < 0 ? 6 : all_[static_cast<std::size_t>(failing)].nodes() - 1; }
  Json document(int failing) const {
    Vector<Real100> right(Phi_.rows());
    for (Index k = 0; k < right.size(); ++k)
      right[k] = Real100(k == failing ? 2 : 1) / all_[static_cast<std::size_t>(k)].gamma();
    const Vector<Real100> b = Phi_.transpose() * dense::solve(Matrix<Real100>(Phi_ * Phi_.transpose()), right);
    Json rows = Json::array();
    for (Index i = 0; i < A_.rows(); ++i) rows.push_back(texts(A_.row(i).transpose()));
    return {{"name", "failing-" + std::to_string(failing)},
            {"order", std::max(order(failing), 1)},
            {"A", rows},
            {"b", texts(b)}};
  }

 private:
  // To 60 decimals.
  static Json texts(const Vector<Real100>& x) {
    Json list = Json::array();
    for (const Real100& one : x)
      list.push_back(one == 0 ? "0" : to_text(one, 61 + static_cast<int>(floor(log10(abs(one))))));
    return list;
  }
  std::vector<Tree> all_;
  Matrix<Real100> A_, Phi_;
};

class Batteries : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_project(); }
};

const BatteryMeasurement& on_item(const BatteryResult& result, const std::string& item) {
  for (const BatteryMeasurement& found : result.measurements)
    if (found.item == item) return found;
  ADD_FAILURE() << "nothing is measured on " << item;
  return result.measurements.front();
}
int order(const BatteryMeasurement& found, const std::string& variable) {
  for (const BatteryOrder& one : found.orders)
    if (one.variable == variable) return whole_order(one.estimate).value_or(-1);
  return -2;
}

TEST(Trees, AreAsManyAsThereAre) {  // 1, 1, 2, 4, 9, 20
  EXPECT_EQ(trees(4).size(), 8U);
  EXPECT_EQ(trees(6).size(), 37U);
}

void expect_each_is_found(const Json& steps, const std::string& t_end, const std::string& scalar, int most_nodes,
                          int stride) {
  const Methods methods;
  std::vector<int> failing{-1};
  for (int k = 1; k < static_cast<int>(methods.trees_up_to_six().size()); k += stride)
    if (methods.order(k) < most_nodes) failing.push_back(k);
  Json documents = Json::array();
  for (const int k : failing) documents.push_back(methods.document(k));
  const BatteryResult found =
      measured_orders({{"method", documents}, {"h", steps}, {"t_end", t_end}, {"scalar", scalar}}, {"autonomous"});
  ASSERT_EQ(found.measurements.size(), failing.size());
  for (std::size_t i = 0; i < failing.size(); ++i)
    EXPECT_EQ(order(found.measurements[i], "y"), methods.order(failing[i]))
        << "tree " << failing[i] << ": " << found.measurements[i].cause
        << (found.measurements[i].ok() ? found.measurements[i].orders.front().estimate.statement : "");
}

#ifndef DAELAB_DOUBLE_ONLY
TEST_F(Batteries, FindTheTreeThatAloneFails) {
  expect_each_is_found({"1/128", "1/192", "1/256", "1/384", "1/512"}, "1/16", "real50", 6, 1);
}
#endif
TEST_F(Batteries, FindItInDouble) {
  expect_each_is_found({"1/6", "1/8", "1/12", "1/16", "1/24", "1/32", "1/48"}, "1", "double", 5, 3);
}

TEST_F(Batteries, MeasureWhatTheoryProves) {  // Hairer, Wanner 1996, Sec. VII.4, tables 4.1 and 4.2
  const BatteryResult found = measured_orders({{"method", "radau-iia:s=2"}, {"scalar", "double"}});
  for (const char* item : {"order", "autonomous", "quadrature"}) EXPECT_EQ(order(on_item(found, item), "y"), 3) << item;
  for (const char* item : {"free", "so3", "redundant"}) EXPECT_EQ(order(on_item(found, item), "v"), 3) << item;
  EXPECT_EQ(order(on_item(found, "dae-1"), "z"), 3);
  EXPECT_EQ(order(on_item(found, "dae-2"), "y"), 3);
  EXPECT_EQ(order(on_item(found, "dae-2"), "z"), 2);
  EXPECT_EQ(order(on_item(found, "index-2"), "lambda"), 2);
  EXPECT_EQ(order(on_item(found, "stiff"), "y"), 2);  // the stage order
}

TEST_F(Batteries, SayWhereAMethodDoesNotApply) {
  const BatteryResult found = measured_orders({{"method", "rattle"}, {"scalar", "double"}}, {"order", "index-3"});
  EXPECT_EQ(on_item(found, "order").status, StatusCode::not_applicable);
  EXPECT_FALSE(on_item(found, "order").cause.empty());
}

TEST_F(Batteries, RefuseWhatTheirItemsSay) {
  EXPECT_THAT(
      [] {
        measured_orders({{"method", "heun"}, {"problem", "pendulum"}});
      },
      throws_input_error("/runs/problem", "items"));
  EXPECT_THAT(
      [] {
        measured_orders({{"method", "heun"}}, {"quadratur"});
      },
      throws_input_error("/items/0", "did you mean 'quadrature'"));
}

const AuditRow& row(const Audit& audit, const std::string& property) {
  for (const AuditRow& one : audit.rows)
    if (one.fact.property == &audit_property(property, "")) return one;
  ADD_FAILURE() << "nothing is said of " << property;
  return audit.rows.front();
}
AuditSubject subject_of(const Json& method, const Json& claims) {
  return audit_list(Json::array({{{"method", method}, {"claims", claims}}}), "", "list").front();
}

AuditSubject subject_of_document() {
  return audit_subject(Json::parse(R"({"name": "mine", "A": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"]})"), "");
}

TEST_F(Batteries, BecomeFactsOfAudits) {
  const AuditSubject subject =
      subject_of("taylor:order=3", {{"order", 4}, {"quadrature order", 2}, {"index-3 order of y", 2}});
  const Audit found = audit(subject, Measure::without_coefficients);
  EXPECT_EQ(row(found, "order").verdict, AuditVerdict::refuted);
  EXPECT_EQ(row(found, "quadrature order").verdict, AuditVerdict::understated);
  EXPECT_EQ(row(found, "index-3 order of y").verdict, AuditVerdict::undecided);
  EXPECT_THAT(row(found, "index-3 order of y").fact.proof, HasSubstr("index-3: not-applicable"));
  EXPECT_EQ(std::get<int>(row(found, "autonomous order").fact.value), 3);
  EXPECT_THAT(row(found, "autonomous order").fact.proof, HasSubstr("measured: all-trees:clock=0, y: p = "));
  EXPECT_FALSE(row(audit(subject, Measure::never), "order").fact.is_known());
}

TEST_F(Batteries, LeaveWhatCoefficientsProve) {
  const AuditSubject heun = subject_of("heun", {{"order", 2}});
  const AuditFact proved = row(audit(heun, Measure::without_coefficients), "order").fact;
  EXPECT_THAT(proved.proof, Not(HasSubstr("measured")));
  const AuditFact both = row(audit(heun, Measure::always), "order").fact;
  EXPECT_EQ(both.value, proved.value);
  EXPECT_THAT(both.proof, testing::AllOf(HasSubstr(proved.proof), HasSubstr("; measured: all-trees, y")));
  EXPECT_THAT([] { audit(subject_of_document(), Measure::always); }, throws_input_error("mine", "cannot be measured"));
}

}  // namespace TEST_FILE
}  // namespace daelab
