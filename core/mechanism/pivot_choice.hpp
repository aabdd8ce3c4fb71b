// Pivots of the accelerations of a mechanism: chosen from the values of the entries around its start.
#pragma once

#include <vector>

#include "core/elimination/elimination.hpp"
#include "core/mechanism/mechanical_forms.hpp"

namespace daelab {

/// [ M J^T; J 0 ], of M the lower triangle.
SaddlePointExpressions saddle_point(const MechanicalForms& forms);

/// Values of the entries at points around the start, at other times; points at which not all are finite are left out.
/// Nothing if the start is one of those.
std::vector<std::vector<double>> sample(const Recording& recording,
                                        const std::vector<SparseExpressions::Entry>& entries);

/// Generated code of a factorisation with more operations than this is read from memory once a call: loops do as well.
std::size_t most_operations(std::size_t rows);

/// One or two sequences, the cheaper one first.
std::vector<ChosenPivots> pivot_sequences(const Recording& recording, const SaddlePointExpressions& system);

}  // namespace daelab
