#include "core/documents/outline_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/json_kind.hpp"

namespace daelab {
namespace {

class OutlineReader {
 public:
  using Bindings = DocumentTexts::Bindings;
  explicit OutlineReader(const DocumentTexts& texts) : texts_(texts) {}

  OutlineDocument outline(const Json& json, const std::string& where) {
    require(JsonKind::list, json, where);
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string own = fmt::format("{}/{}", where, i);
      std::string loop;
      if (require(JsonKind::object, json[i], own).contains("for"))
        loop = "for " + require_member(JsonKind::text, json[i], "for", own).get<std::string>();
      for (const Bindings& bindings : texts_.loops(loop, own + "/for").bindings)
        result_.shapes.push_back(read_shape(json[i], own, bindings));
    }
    return std::move(result_);
  }

 private:
  ShapeDocument read_shape(const Json& json, const std::string& where, const Bindings& bindings) {
    const std::vector<std::string>& kinds = names_of(ShapeKind{});
    std::vector<std::string> keys = kinds;
    keys.insert(keys.end(), {"name", "side", "for"});
    check_keys(json, keys, where, "shape");
    const auto is_given = [&](const std::string& kind) { return json.contains(kind); };
    const auto kind = std::ranges::find_if(kinds, is_given);
    if (std::ranges::count_if(kinds, is_given) != 1)
      throw InputError(where, fmt::format("a shape is one of {}, with its points: {{\"line\": [[x, y], ...]}}",
                                          fmt::join(kinds, ", ")));
    ShapeDocument shape;
    shape.kind = static_cast<ShapeKind>(kind - kinds.begin());
    if (json.contains("name"))
      shape.name = texts_.expanded(require_member(JsonKind::text, json, "name", where), where + "/name", bindings);
    if (json.contains("side")) shape.side = require_member(JsonKind::number, json, "side", where).get<double>();
    read_points(json[*kind], where + "/" + *kind, bindings, shape);
    return shape;
  }
  // One point alone needs no list of points; the radius of a circle is behind its centre.
  void read_points(const Json& json, const std::string& where, const Bindings& bindings, ShapeDocument& shape) {
    const auto [least, most] = point_counts(shape.kind);
    require(JsonKind::list, json, where);
    if (most == 1) {
      shape.points.push_back(texts_.list(json, where, bindings));
      if (shape.kind == ShapeKind::circle) take_radius(shape, where);
      return check_last_point(shape, where);
    }
    if (json.size() < least || json.size() > most)
      throw InputError(where, fmt::format("{} points given, {}{} needed", json.size(), least,
                                          least == most ? "" : fmt::format(" to {}", most)));
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string own = fmt::format("{}/{}", where, i);
      shape.points.push_back(texts_.list(json[i], own, bindings));
      check_last_point(shape, own);
    }
  }
  static void take_radius(ShapeDocument& shape, const std::string& where) {
    std::vector<ExpressionText>& numbers = shape.points.back();
    if (numbers.size() != 3 && numbers.size() != 4)
      throw InputError(where, fmt::format("{} expressions given, 3 needed: x, y, radius", numbers.size()));
    shape.radius = numbers.back();
    numbers.pop_back();
  }
  // All points have two coordinates, or all have three: the first one decides.
  void check_last_point(const ShapeDocument& shape, const std::string& where) {
    const std::vector<ExpressionText>& point = shape.points.back();
    const bool is_first = result_.shapes.empty() && shape.points.size() == 1;
    if (is_first) result_.is_spatial = point.size() == 3;
    const std::size_t needed = result_.is_spatial ? 3 : 2;
    if (point.size() != needed)
      throw InputError(where, fmt::format("{} expressions given, {} needed: {}", point.size(), needed,
                                          needed == 2 ? "x, y" : "x, y, z as in the first shape"));
  }

  const DocumentTexts& texts_;
  OutlineDocument result_;
};

}  // namespace

OutlineDocument read_outline(const Json& json, const std::string& where, const DocumentTexts& texts) {
  return OutlineReader(texts).outline(json, where);
}

}  // namespace daelab
