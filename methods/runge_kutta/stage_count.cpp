#include "methods/runge_kutta/stage_count.hpp"

#include "methods/runge_kutta/variable_order.hpp"

#include <fmt/format.h>

namespace daelab {
namespace {

constexpr const char* by_error_control = "auto";

const OptionType stage_count_type = {
    [](void* /*member*/, const Allowed& allowed) {
      int number = 0;
      return Json{
          {"anyOf", {option("", number, "", allowed).schema(), {{"type", "string"}, {"enum", {by_error_control}}}}}};
    },
    [](void* member, const Json& value, const std::string& where, const Allowed& allowed) {
      auto& count = *static_cast<StageCount*>(member);
      if (value == Json(by_error_control)) {
        count.reset();
        return;
      }
      if (!value.is_number_integer())
        throw InputError(where, fmt::format("expected an integer ({}) or {}, got {}", allowed.text(), by_error_control,
                                            value.dump()));
      int number = 0;
      option("", number, "", allowed).read(value, where);
      count = number;
    },
    [](void* member) {
      const auto& count = *static_cast<StageCount*>(member);
      return count ? Json(*count) : Json(by_error_control);
    }};

}  // namespace

Option stage_count_option(std::string name, StageCount& count, std::string doc, Allowed allowed) {
  return {std::move(name), &count, stage_count_type, std::move(doc), std::move(allowed)};
}

TableauFamily family_of(std::vector<Tableau> tableaus) {
  TableauFamily family;
  for (Tableau& tableau : tableaus) family.tableaus.push_back(std::make_shared<PreparedTableau>(std::move(tableau)));
  if (family.tableaus.size() > 1) family.coefficients = std::make_shared<FamilyCoefficients>(family.tableaus);
  return family;
}

}  // namespace daelab
