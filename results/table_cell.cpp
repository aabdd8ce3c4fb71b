#include "results/table_cell.hpp"

#include <cmath>

#include "core/base/scalar.hpp"

namespace daelab {

TableCell::TableCell() = default;
TableCell::TableCell(const TableCell&) = default;
TableCell::TableCell(TableCell&&) noexcept = default;
TableCell& TableCell::operator=(const TableCell&) = default;
TableCell& TableCell::operator=(TableCell&&) noexcept = default;
TableCell::~TableCell() = default;

TableCell::TableCell(std::nullptr_t) {}
TableCell::TableCell(std::string text) : value_(std::move(text)) {}
TableCell::TableCell(const char* text) : value_(std::string(text)) {}

TableCell::TableCell(double x) {
  if (std::isfinite(x)) value_ = x;
}

TableCell::TableCell(const Real50& x) {
  if (isfinite(x)) value_ = to_text(x);
}

Json TableCell::json() const {
  if (real()) return *real();
  if (whole()) return *whole();
  return text() ? Json(*text()) : Json();
}

TableCell TableCell::of(const Json& json) {
  if (json.is_null()) return {};
  if (json.is_string()) return json.get<std::string>();
  // Counts fit; what does not was no count.
  if (json.is_number_integer() && json.get<double>() < 0x1p63) return json.get<std::int64_t>();
  return json.get<double>();
}

}  // namespace daelab
