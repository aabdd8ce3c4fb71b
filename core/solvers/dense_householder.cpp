#include "core/solvers/dense_householder.hpp"

DAELAB_BLOCK_HOUSEHOLDER(double)
