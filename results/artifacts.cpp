#include "results/artifacts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/base/json_kind.hpp"
#include "core/base/options.hpp"
#include "core/base/utf8.hpp"

namespace daelab {
namespace {

// A type and its JSON keys, listed once for reading and writing.
template <class T>
struct Fields;

template <>
struct Fields<Column> {
  static constexpr auto list =
      std::make_tuple(std::pair("label", &Column::label), std::pair("tex", &Column::tex),
                      std::pair("format", &Column::format), std::pair("digits", &Column::digits));
};
template <>
struct Fields<CellPlace> {
  static constexpr auto list =
      std::make_tuple(std::pair("row", &CellPlace::row), std::pair("column", &CellPlace::column));
};
template <>
struct Fields<Table> {
  static constexpr auto list = std::make_tuple(std::pair("id", &Table::id), std::pair("caption", &Table::caption),
                                               std::pair("columns", &Table::columns), std::pair("rows", &Table::rows),
                                               std::pair("best", &Table::best));
};
template <>
struct Fields<Series> {
  static constexpr auto list = std::make_tuple(
      std::pair("label", &Series::label), std::pair("x", &Series::x), std::pair("y", &Series::y),
      std::pair("file", &Series::file), std::pair("x_column", &Series::x_column),
      std::pair("y_column", &Series::y_column), std::pair("style", &Series::style),
      std::pair("factors", &Series::factors), std::pair("fit", &Series::fit), std::pair("floor", &Series::floor));
};
template <>
struct Fields<Factor> {
  static constexpr auto list = std::make_tuple(std::pair("name", &Factor::name), std::pair("value", &Factor::value));
};
template <>
struct Fields<Fit> {
  static constexpr auto list = std::make_tuple(
      std::pair("slope", &Fit::slope), std::pair("half_width", &Fit::half_width), std::pair("points", &Fit::points));
};
template <>
struct Fields<Panel> {
  static constexpr auto list = std::make_tuple(
      std::pair("x_label", &Panel::x_label), std::pair("y_label", &Panel::y_label), std::pair("log_x", &Panel::log_x),
      std::pair("log_y", &Panel::log_y), std::pair("equal_axes", &Panel::equal_axes),
      std::pair("zero_axes", &Panel::zero_axes), std::pair("x_range", &Panel::x_range),
      std::pair("y_range", &Panel::y_range), std::pair("series", &Panel::series));
};
template <>
struct Fields<Figure> {
  static constexpr auto list =
      std::make_tuple(std::pair("id", &Figure::id), std::pair("caption", &Figure::caption),
                      std::pair("panels", &Figure::panels), std::pair("sketch", &Figure::sketch));
};
template <>
struct Fields<DrawnShape> {
  static constexpr auto list =
      std::make_tuple(std::pair("kind", &DrawnShape::kind), std::pair("points", &DrawnShape::points),
                      std::pair("radius", &DrawnShape::radius), std::pair("side", &DrawnShape::side),
                      std::pair("name", &DrawnShape::name));
};
template <>
struct Fields<TerminalText> {
  static constexpr auto list =
      std::make_tuple(std::pair("tables", &TerminalText::tables), std::pair("faults", &TerminalText::faults),
                      std::pair("remarks", &TerminalText::remarks));
};
template <>
struct Fields<Card> {
  static constexpr auto list = std::make_tuple(std::pair("title", &Card::title), std::pair("problem", &Card::problem),
                                               std::pair("line", &Card::line), std::pair("facts", &Card::facts),
                                               std::pair("figures", &Card::figures));
};
template <>
struct Fields<Artifacts> {
  static constexpr auto list =
      std::make_tuple(std::pair("name", &Artifacts::name), std::pair("experiment", &Artifacts::experiment),
                      std::pair("title", &Artifacts::title), std::pair("command", &Artifacts::command),
                      std::pair("tables", &Artifacts::tables), std::pair("figures", &Artifacts::figures),
                      std::pair("notes", &Artifacts::notes), std::pair("terminal", &Artifacts::terminal),
                      std::pair("cards", &Artifacts::cards));
};
template <>
struct Fields<Judgement> {
  static constexpr auto list = std::make_tuple(
      std::pair("kind", &Judgement::kind), std::pair("id", &Judgement::id), std::pair("location", &Judgement::location),
      std::pair("table", &Judgement::table), std::pair("row", &Judgement::row), std::pair("column", &Judgement::column),
      std::pair("source", &Judgement::source), std::pair("printed", &Judgement::printed),
      std::pair("judged_by", &Judgement::judged_by), std::pair("statement", &Judgement::statement),
      std::pair("recorded", &Judgement::recorded), std::pair("ours", &Judgement::ours),
      std::pair("number", &Judgement::number), std::pair("true_value", &Judgement::true_value),
      std::pair("verdict", &Judgement::verdict), std::pair("expected", &Judgement::expected),
      std::pair("reason", &Judgement::reason));
};

constexpr std::pair<CellFormat, const char*> format_names[] = {
    {CellFormat::text, "text"},   {CellFormat::integer, "integer"}, {CellFormat::scientific, "scientific"},
    {CellFormat::fixed, "fixed"}, {CellFormat::seconds, "seconds"}, {CellFormat::exact, "exact"}};

template <class T>
Json to_value(const T& value);

Json to_value(CellFormat format) {
  for (const auto& [known, name] : format_names)
    if (known == format) return name;
  throw std::logic_error("CellFormat without a name");
}

Json to_value(EntryKind kind) { return entry_name(kind); }
Json to_value(CurveStyle style) { return name_of(style); }
Json to_value(ShapeKind kind) { return name_of(kind); }

// JSON has no NaN or infinity: such points are stored as null.
Json to_value(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_value(const std::array<double, 2>& values) { return {values[0], values[1]}; }

template <class T>
Json to_value(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(to_value(value));
  return json;
}

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

// Absent in a file: what is not set, a curve without factors, a table without best cells, and missing cards.
template <class T>
bool is_absent(const T& member) {
  if constexpr (is_optional<T>) return !member;
  if constexpr (std::is_same_v<T, std::vector<Factor>> || std::is_same_v<T, std::vector<CellPlace>> ||
                std::is_same_v<T, std::vector<Card>>)
    return member.empty();
  return false;
}

template <class T>
Json to_value(const T& value) {
  if constexpr (requires { Fields<T>::list; }) {
    Json json = Json::object();
    const auto add = [&](const auto& field) {
      const auto& member = value.*field.second;
      if (is_absent(member)) return;
      if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>)
        json[field.first] = to_value(*member);
      else
        json[field.first] = to_value(member);
    };
    std::apply([&](const auto&... field) { (add(field), ...); }, Fields<T>::list);
    return json;
  } else {
    return Json(value);
  }
}

template <class T>
void from_value(const Json& json, T& value, const std::string& where);

void from_value(const Json& json, CellFormat& format, const std::string& where) {
  std::string allowed;
  for (const auto& [known, name] : format_names) {
    if (json == name) {
      format = known;
      return;
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(name);
  }
  throw InputError(where, "no cell format " + json.dump() + "; known: " + allowed);
}

void from_value(const Json& json, EntryKind& kind, const std::string& where) {
  const std::string name = require(JsonKind::text, json, where);
  const std::optional<EntryKind> known = entry_kind_named(name);
  if (!known)
    throw InputError(where, fmt::format("no kind of entry '{}'{} (known: {})", name, did_you_mean(name, entry_names()),
                                        fmt::join(entry_names(), ", ")));
  kind = *known;
}

void from_value(const Json& json, ShapeKind& kind, const std::string& where) {
  kind = static_cast<ShapeKind>(read_choice(json, where, one_of(names_of(kind))));
}

void from_value(const Json& json, CurveStyle& style, const std::string& where) {
  style = static_cast<CurveStyle>(read_choice(json, where, one_of(names_of(style))));
}

void from_value(const Json& json, double& value, const std::string& where) {
  value =
      json.is_null() ? std::numeric_limits<double>::quiet_NaN() : require(JsonKind::number, json, where).get<double>();
}

// Digits of numbers, the only whole numbers of artifacts.
void from_value(const Json& json, int& digits, const std::string& where) {
  constexpr int most = 100;
  if (!json.is_number_integer() || json.get<double>() < 0 || json.get<double>() > most)
    throw InputError(where, fmt::format("must be a whole number from 0 to {}, not {}", most, json.dump()));
  digits = json.get<int>();
}

// The number of a point.
void from_value(const Json& json, std::size_t& number, const std::string& where) {
  if (!json.is_number_integer() || json.get<double>() < 0)
    throw InputError(where, fmt::format("must be a whole number from 0, not {}", json.dump()));
  number = json.get<std::size_t>();
}

void from_value(const Json& json, std::array<double, 2>& values, const std::string& where) {
  if (require(JsonKind::list, json, where).size() != values.size()) throw InputError(where, "must be two numbers");
  for (std::size_t i = 0; i < values.size(); ++i) from_value(json[i], values[i], where + "/" + std::to_string(i));
}

// Stored text goes to typesetters and plotting programs, which control characters stop.
void from_value(const Json& json, std::string& text, const std::string& where) {
  text = with_visible_controls(require(JsonKind::text, json, where));
}

void from_value(const Json& json, TableCell& cell, const std::string& where) {
  if (json.is_array() || json.is_object() || json.is_boolean())
    throw InputError(where, "a cell must be a number, a text or null, not " + json.dump());
  cell = json.is_string() ? TableCell(with_visible_controls(json)) : json.get<TableCell>();
}

template <class T>
void from_value(const Json& json, std::vector<T>& values, const std::string& where) {
  values.assign(require(JsonKind::list, json, where).size(), T());
  for (std::size_t i = 0; i < json.size(); ++i) from_value(json[i], values[i], where + "/" + std::to_string(i));
}

template <class T>
void from_value(const Json& json, std::optional<T>& value, const std::string& where) {
  from_value(json, value.emplace(), where);
}

// A missing key keeps the default, so that result sets of an older version stay readable.
template <class T>
void from_value(const Json& json, T& value, const std::string& where) {
  if constexpr (requires { Fields<T>::list; }) {
    require(JsonKind::object, json, where);
    const auto read = [&](const auto& field) {
      if (const Json* found = json.find(field.first))
        from_value(*found, value.*field.second, where + "/" + field.first);
    };
    std::apply([&](const auto&... field) { (read(field), ...); }, Fields<T>::list);
  } else {
    try {
      json.get_to(value);
    } catch (const Json::exception& error) {
      throw InputError(where, error.what());
    }
  }
}

}  // namespace

const std::vector<std::string>& names_of(CurveStyle) {
  static const std::vector<std::string> names = {"line", "points", "line-points", "reference",
                                                 "thin", "filled", "circle",      "star"};
  return names;
}

void to_json(Json& json, const Factor& factor) { json = to_value(factor); }
void from_json(const Json& json, Factor& factor) { from_value(json, factor, ""); }

void to_json(Json& json, const DrawnShape& shape) { json = to_value(shape); }
void from_json(const Json& json, DrawnShape& shape) { from_value(json, shape, ""); }

void to_json(Json& json, const Artifacts& artifacts) { json = to_value(artifacts); }
void from_json(const Json& json, Artifacts& artifacts) { from_value(json, artifacts, ""); }

void to_json(Json& json, const Judgement& judgement) { json = to_value(judgement); }
void from_json(const Json& json, Judgement& judgement) { from_value(json, judgement, ""); }

}  // namespace daelab
