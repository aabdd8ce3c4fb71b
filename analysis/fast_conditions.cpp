#include "analysis/fast_conditions.hpp"

#include <cmath>
#include <map>

namespace daelab {
namespace {

// Rooted trees: those of index 2 in which no algebraic vertex is a child.
class RootedTrees {
 public:
  explicit RootedTrees(int order) : forest_(2, [this](std::size_t i) { return forest_[i].root == Vertex::y; }) {
    forest_.grow_to(order);
  }
  const DaeForest& forest() const { return forest_; }

 private:
  DaeForest forest_;
};

}  // namespace

FastConditions::FastConditions(int order, double tolerance) : order_(order), tolerance_(tolerance) {
  const RootedTrees rooted(order);
  const DaeForest& forest = rooted.forest();
  std::map<std::size_t, std::size_t> places;
  for (int k = 1; k <= order; ++k)
    for (const std::size_t place : forest.of(Vertex::y, k)) {
      places[place] = trees_.size();
      Tree tree{k, static_cast<double>(1 / forest[place].gamma), forest[place].gamma, {}};
      for (const std::size_t child : forest[place].children) tree.children.push_back(places.at(child));
      trees_.push_back(std::move(tree));
    }
}

bool FastConditions::hold(const Matrix<double>& A, const Vector<double>& b) const {
  Matrix<double> A_Phi(b.size(), static_cast<Index>(trees_.size()));
  Vector<double> Phi(b.size());
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    Phi.setOnes();
    for (const std::size_t child : trees_[i].children) Phi.array() *= A_Phi.col(static_cast<Index>(child)).array();
    const double size = b.cwiseAbs().dot(Phi.cwiseAbs());
    if (!(std::abs(b.dot(Phi) - trees_[i].value) <= tolerance_ * (1 + size))) return false;
    if (trees_[i].order < order_) A_Phi.col(static_cast<Index>(i)).noalias() = A * Phi;
  }
  return true;
}

Vector<double> FastConditions::residuals(const Matrix<double>& A, const Vector<double>& b, int up_to) const {
  std::vector<double> found;
  Matrix<double> A_Phi(b.size(), static_cast<Index>(trees_.size()));
  Vector<double> Phi(b.size());
  for (std::size_t i = 0; i < trees_.size() && trees_[i].order <= up_to; ++i) {
    Phi.setOnes();
    for (const std::size_t child : trees_[i].children) Phi.array() *= A_Phi.col(static_cast<Index>(child)).array();
    found.push_back(b.dot(Phi) - trees_[i].value);
    A_Phi.col(static_cast<Index>(i)).noalias() = A * Phi;
  }
  return Eigen::Map<Vector<double>>(found.data(), static_cast<Index>(found.size()));
}

Vector<Real100> FastConditions::weight(std::size_t tree, const Matrix<Real100>& A) const {
  Vector<Real100> Phi = Vector<Real100>::Ones(A.rows());
  for (const std::size_t child : trees_[tree].children) Phi = Phi.cwiseProduct(A.lazyProduct(weight(child, A))).eval();
  return Phi;
}

std::vector<Real100> FastConditions::residuals(const Matrix<Real100>& alone, const Matrix<Real100>& beside,
                                               const Vector<Real100>& b, int up_to) const {
  std::vector<Real100> found;
  std::vector<Vector<Real100>> weights;
  for (const Tree& tree : trees_) {
    if (tree.order > up_to) break;
    const Matrix<Real100>& M = tree.children.size() == 1 ? alone : beside;
    Vector<Real100> Phi = Vector<Real100>::Ones(b.size());
    for (const std::size_t child : tree.children) Phi = Phi.cwiseProduct(M.lazyProduct(weights[child])).eval();
    found.push_back(b.dot(Phi) - 1 / tree.gamma);
    weights.push_back(std::move(Phi));
  }
  return found;
}

Real100 FastConditions::residual(std::size_t tree, const Matrix<Real100>& A, const Vector<Real100>& b) const {
  return b.dot(weight(tree, A)) - 1 / trees_[tree].gamma;
}

}  // namespace daelab
