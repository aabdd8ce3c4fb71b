// Eigen's product of a block of Householder reflections with a matrix. Decompositions of more than 48 rows form it, and
// it is over half of what they take to compile: compiled once per scalar, in core/dense_householder*.cpp.
#pragma once

#include <Eigen/Householder>

#include "core/base/scalar.hpp"

#define DAELAB_BLOCK_HOUSEHOLDER(T)                                             \
  template void Eigen::internal::apply_block_householder_on_the_left(           \
      Eigen::Block<daelab::Matrix<T>>&, const Eigen::Block<daelab::Matrix<T>>&, \
      const Eigen::VectorBlock<const daelab::Vector<T>>&, bool);

extern DAELAB_BLOCK_HOUSEHOLDER(double)
#ifndef DAELAB_DOUBLE_ONLY
    extern DAELAB_BLOCK_HOUSEHOLDER(daelab::Real50)
#endif
