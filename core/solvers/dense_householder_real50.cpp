#include "core/solvers/dense_householder.hpp"

#ifndef DAELAB_DOUBLE_ONLY
DAELAB_BLOCK_HOUSEHOLDER(daelab::Real50)
#endif
