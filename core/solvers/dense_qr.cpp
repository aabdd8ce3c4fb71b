#include "core/solvers/dense_qr.hpp"

template class daelab::dense::ColumnPivotedQr<double>;
