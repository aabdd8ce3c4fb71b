// A cell of a table.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/real.hpp"

namespace daelab {

/// Nothing, a whole number, a real, or text. A number of more digits than a double has is text; one that is not finite
/// is nothing.
class TableCell {
 public:
  using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

  TableCell();
  TableCell(const TableCell& other);
  TableCell(TableCell&& other) noexcept;
  TableCell& operator=(const TableCell& other);
  TableCell& operator=(TableCell&& other) noexcept;
  ~TableCell();
  TableCell(std::nullptr_t);  // NOLINT: values convert to cells on purpose, here and below
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>) TableCell(T n) : TableCell() {  // NOLINT
    value_ = static_cast<std::int64_t>(n);
  }
  TableCell(double x);          // NOLINT
  TableCell(const Real50& x);   // NOLINT
  TableCell(std::string text);  // NOLINT
  TableCell(const char* text);  // NOLINT
  template <class T>
  TableCell(const std::optional<T>& x) : TableCell(x ? TableCell(*x) : TableCell()) {}  // NOLINT

  const Value& value() const { return value_; }
  bool empty() const { return std::holds_alternative<std::monostate>(value_); }
  /// Null for other cells.
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const double* real() const { return std::get_if<double>(&value_); }
  const std::int64_t* whole() const { return std::get_if<std::int64_t>(&value_); }
  Json json() const;
  static TableCell of(const Json& json);

  bool operator==(const TableCell&) const = default;

  // Members of the class alone, since values of other types convert to cells.
  friend void to_json(Json& json, const TableCell& cell) { json = cell.json(); }
  /// Throws Json::exception for values of other kinds.
  friend void from_json(const Json& json, TableCell& cell) { cell = of(json); }

 private:
  Value value_;
};

using TableRow = std::vector<TableCell>;

}  // namespace daelab
