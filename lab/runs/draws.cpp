#include "lab/runs/draws.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>
#include <utility>

#include "core/base/in_parallel.hpp"

namespace daelab {
namespace {

// The shortest decimal text.
Json decimal(double x) { return fmt::format("{}", x); }

}  // namespace

/// A distribution by its name and two numbers. Computed in 100 digits and rounded once, so that the bits do not depend
/// on the library of a machine, as those of std::normal_distribution do.
struct Distribution {
  const char* name;
  const char* allowed;  // of the two numbers
  bool (*allows)(const Real100& a, const Real100& b);
  Real100 (*value)(const Real100& a, const Real100& b, const Real100& u, const Real100& w);  // u, w uniform in (0, 1)
};

namespace {

// Standard normal.                                                        [Box, Muller, Ann. Math. Stat. 29, 1958]
Real100 normal(const Real100& u, const Real100& w) {
  Real100 sine, cosine;
  sincos(Real100(2 * pi<Real100>() * w), sine, cosine);
  return sqrt(Real100(-2 * log(u))) * cosine;
}

constexpr Distribution distributions[] = {
    {"uniform", "[least, largest], the first below the second",
     [](const Real100& a, const Real100& b) { return a < b; },
     [](const Real100& a, const Real100& b, const Real100& u, const Real100&) { return Real100(a + (b - a) * u); }},
    {"log-uniform", "[least, largest], both above 0, the first below the second",
     [](const Real100& a, const Real100& b) { return a > 0 && a < b; },
     [](const Real100& a, const Real100& b, const Real100& u, const Real100&) {
       return Real100(a * exp(Real100(u * log(Real100(b / a)))));
     }},
    {"normal", "[mean, standard deviation], the second above 0", [](const Real100&, const Real100& b) { return b > 0; },
     [](const Real100& a, const Real100& b, const Real100& u, const Real100& w) {
       return Real100(a + b * normal(u, w));
     }}};

std::vector<std::string> distribution_names() {
  std::vector<std::string> names;
  for (const Distribution& x : distributions) names.emplace_back(x.name);
  return names;
}

}  // namespace

/// What is drawn at one place of runs.
class DrawnValue {
 public:
  DrawnValue(std::string place, const Json& given, int seed, const std::string& where)
      : place_(std::move(place)), path_(path_of(place_, where)), generator_(generator_of(seed, place_)) {
    if (!given.is_object() || given.size() != 1)
      throw InputError(where, fmt::format("must be a distribution, {{NAME: [A, B]}}; allowed: {}",
                                          fmt::join(distribution_names(), ", ")));
    const auto& [name, numbers] = *given.items().begin();
    const auto* const known =
        std::ranges::find_if(distributions, [&name = name](const Distribution& x) { return name == x.name; });
    if (known == std::end(distributions))
      throw InputError(where,
                       fmt::format("unknown distribution '{}'{} (allowed: {})", name,
                                   did_you_mean(name, distribution_names()), fmt::join(distribution_names(), ", ")));
    distribution_ = known;
    const std::string at = where + "/" + name;
    if (!numbers.is_array() || numbers.size() != 2) throw InputError(at, fmt::format("must be {}", known->allowed));
    a_ = exact_from_json(numbers[0], at + "/0").value(), b_ = exact_from_json(numbers[1], at + "/1").value();
    if (!known->allows(a_, b_)) throw InputError(at, fmt::format("must be {}", known->allowed));
  }

  const std::string& place() const { return place_; }
  const std::vector<std::string>& path() const { return path_; }
  double next() {
    const Real100 u = uniform(), w = uniform();
    return static_cast<double>(distribution_->value(a_, b_, u, w));
  }

 private:
  static std::vector<std::string> path_of(const std::string& place, const std::string& where) {
    std::vector<std::string> path;
    try {
      path = Json::json_pointer(place).tokens;
    } catch (const Json::exception&) {
    }
    if (path.size() < 2)
      throw InputError(where,
                       fmt::format("must be a place in a run such as /problem/mass or /start/q/q1, not '{}'", place));
    return path;
  }
  // The standard says what seed_seq and the generator give, number by number.
  static std::mt19937_64 generator_of(int seed, const std::string& place) {
    std::vector<unsigned> words{static_cast<unsigned>(seed)};
    for (const char c : place) words.push_back(static_cast<unsigned char>(c));
    std::seed_seq sequence(words.begin(), words.end());
    return std::mt19937_64(sequence);
  }
  // The middle of one of 2^53 intervals.
  Real100 uniform() {
    return (Real100(static_cast<double>(generator_() >> 11)) + Real100(0.5)) / Real100(9007199254740992.0);
  }

  std::string place_;
  std::vector<std::string> path_;
  std::mt19937_64 generator_;
  const Distribution* distribution_ = nullptr;
  Real100 a_, b_;
};

namespace {

// Of "draws" that are given at `where`.
std::string place_in(const std::string& where, const std::string& place) {
  return (Json::json_pointer(where + "/values") / place).to_string();
}

// Components may be texts, "pendulum:mass=2", which take one option more; "start" may be the analysis alone.
void set(Json& run, const DrawnValue& drawn, const Json& value, const std::string& where) {
  const std::vector<std::string>& path = drawn.path();
  const auto refuse = [&] {
    throw InputError(place_in(where, drawn.place()),
                     fmt::format("no run has a place {}: its \"{}\" is given otherwise", drawn.place(), path[0]));
  };
  Json& part = run[path[0]];
  if (part.is_string() && path[0] == "start") part = Json{{"analysis", part}};
  if (part.is_string()) {
    if (path.size() != 2) refuse();
    const std::string text = part;
    const bool has_options = text.find(':') != std::string::npos;
    part = fmt::format("{}{}{}={}", text, has_options ? "," : ":", path[1], value.get<std::string>());
    return;
  }
  Json* at = &part;
  for (std::size_t k = 1; k < path.size(); ++k) {
    if (!at->is_null() && !at->is_object()) refuse();
    at = &(*at)[path[k]];
  }
  if (!at->is_null())
    throw InputError(place_in(where, drawn.place()), fmt::format("{} is given in the run, too", drawn.place()));
  *at = value;
}

}  // namespace

std::vector<std::string> names_of(Spacing) { return {"linear", "log"}; }

bool ValueRange::is_meant(const Json& value) {
  return value.is_object() && value.contains("from") && value.contains("to") && value.contains("count");
}

Options ValueRange::options() {
  return {option("from", from, "first value"), option("to", to, "last value"),
          option("count", count, "how many, both ends among them", at_least(2)),
          option("spacing", spacing, "equal differences, or equal ratios")};
}

std::vector<Json> ValueRange::values(const std::string& where) const {
  const Real100 &a = from.value(), &b = to.value();
  if (a == b) throw InputError(where + "/to", "is the same as \"from\"");
  if (spacing == Spacing::log && !(a > 0 && b > 0)) throw InputError(where + "/spacing", "log is for values above 0");
  std::vector<Json> values;
  for (int k = 0; k < count; ++k) {
    const Real100 part = Real100(k) / (count - 1);
    values.push_back(decimal(static_cast<double>(spacing == Spacing::linear
                                                     ? Real100(a + (b - a) * part)
                                                     : Real100(a * exp(Real100(part * log(Real100(b / a))))))));
  }
  return values;
}

Options Draws::options() {
  Json distribution = Json::object();
  for (const std::string& name : distribution_names())
    distribution[name] = {{"type", "array"}, {"minItems", 2}, {"maxItems", 2}};
  const Json of_place = {{"type", "object"}, {"properties", distribution}, {"additionalProperties", false}};
  return {option("count", count, "runs of each combination of the other keys", at_least(1)),
          option("seed", seed, "draws of another seed are others", at_least(0)),
          option("values", values, "what is drawn: places in a run such as /problem/mass, and distributions",
                 {{"type", "object"}, {"additionalProperties", of_place}})};
}

DrawnRuns::DrawnRuns(std::vector<Json> grid) : grid_(std::move(grid)) {}

DrawnRuns::DrawnRuns(std::vector<Json> grid, std::vector<DrawnValue> drawn, std::size_t count, std::string where)
    : grid_(std::move(grid)), drawn_(std::move(drawn)), table_(drawn_.size()), count_(count), where_(std::move(where)) {
  in_parallel(drawn_.size(), [&](std::size_t i) {
    table_[i].reserve(count_);
    for (std::size_t k = 0; k < count_; ++k) table_[i].push_back(drawn_[i].next());
  });
}

DrawnRuns::~DrawnRuns() = default;
DrawnRuns::DrawnRuns(DrawnRuns&&) noexcept = default;
DrawnRuns& DrawnRuns::operator=(DrawnRuns&&) noexcept = default;

Json DrawnRuns::operator[](std::size_t i) const {
  Json run = grid_[i / count_];
  for (std::size_t d = 0; d < drawn_.size(); ++d) set(run, drawn_[d], decimal(table_[d][i % count_]), where_);
  return run;
}

DrawnRuns Draws::applied(std::vector<Json> grid, const std::string& where) const {
  if (count < 1) throw InputError(where + "/count", "is missing: how many draws");
  if (!values.is_object() || values.empty())
    throw InputError(where + "/values", "is missing: places in a run, and how they are distributed");
  std::vector<DrawnValue> drawn;
  for (const auto& [place, distribution] : values.items())
    drawn.emplace_back(place, distribution, seed, place_in(where, place));
  return {std::move(grid), std::move(drawn), static_cast<std::size_t>(count), where};
}

Json range_schema() {
  Json schema = object_schema(ValueRange{}.options());
  schema["required"] = {"from", "to", "count"};
  return schema;
}

Json draws_schema() {
  Json schema = object_schema(Draws{}.options());
  schema["required"] = {"count", "values"};
  schema["description"] = "values drawn at random: a run for each draw";
  return schema;
}

}  // namespace daelab
