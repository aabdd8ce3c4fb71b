// Derivatives of expressions, as expressions of the same graph.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/expressions/expression.hpp"

namespace daelab {

/// A matrix: its entries that are not zero by structure, column by column, rows ascending.
struct SparseExpressions {
  struct Entry {
    std::uint32_t row, column;
    Expression value;
  };
  std::size_t rows = 0, columns = 0;
  std::vector<Entry> entries;
};

/// df_i/dx_j. The x are inputs. Forward accumulation, each node with the derivatives it has; where a few f depend on
/// many x, by their gradients.
SparseExpressions jacobian(std::span<const Expression> f, std::span<const Expression> x);

/// df/dx_j for one f: reverse accumulation, at the cost of a few evaluations of f.
Expressions gradient(const Expression& f, std::span<const Expression> x);

/// sum_j df_i/dx_j dx_j, derivatives along a direction; the x are inputs.
Expressions along(std::span<const Expression> f, std::span<const Expression> x, std::span<const Expression> dx);

/// f with expressions in the place of inputs x.
Expressions substitute(std::span<const Expression> f, std::span<const Expression> x, std::span<const Expression> y);

}  // namespace daelab
