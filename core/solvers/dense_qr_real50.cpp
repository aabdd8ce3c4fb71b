#include "core/solvers/dense_qr.hpp"

#ifndef DAELAB_DOUBLE_ONLY
template class daelab::dense::ColumnPivotedQr<daelab::Real50>;
#endif
