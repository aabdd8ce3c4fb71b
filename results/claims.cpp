#include "results/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "core/base/interval_text.hpp"
#include "core/base/json_kind.hpp"
#include "results/claim_format.hpp"
#include "results/store.hpp"

namespace daelab {
namespace {

// ----- finding values -----

// What `pointer` points to in `json`; null when there is nothing.
Json at_pointer(const Json& json, const std::string& pointer) {
  try {
    const Json::json_pointer at(pointer);
    return json.contains(at) ? json[at] : Json();
  } catch (const Json::exception&) {
    return {};  // an index that no list can have
  }
}

// The pointers at which the specifications of two items differ.
std::string differing_settings(const Json& a, const Json& b) {
  std::vector<std::string> pointers;
  for (const Json& change : Json::diff(a["spec"].sorted(), b["spec"].sorted())) pointers.push_back(change["path"]);
  return fmt::format("{}", fmt::join(pointers, ", "));
}

// A value, or why there is none.
struct Found {
  Json value;
  std::string problem;
};

// Reads values from result sets; each set is looked up once.
class ValueReader {
 public:
  explicit ValueReader(const ResultLookup& lookup) : lookup_(lookup) {}

  /// `failed_too`: values of failed runs count as well.
  Found read(const Json& reference, const std::string& claim_id, bool failed_too = false) {
    const std::string name = reference["set"];
    const std::optional<ResultSet>& set = set_named(name);
    if (!set) return {{}, fmt::format("there are no results of '{}' by this code", name)};
    if (reference.contains("result"))
      return point(set->analysis, reference["result"], "the analysis of '" + name + "'");

    const bool run = reference.contains("run");
    const Json& selectors = reference[run ? "run" : "series"];
    const Json series = set->analysis.is_object() ? set->analysis.value("series", Json::array()) : Json::array();
    const std::vector<Json> items = run ? set->runs : std::vector<Json>(series.begin(), series.end());
    const std::string what = fmt::format("{} of '{}' with {}", run ? "run" : "series", name, selector_text(selectors));
    return select(items, selectors, reference["pointer"], what, claim_id, failed_too);
  }

 private:
  const std::optional<ResultSet>& set_named(const std::string& name) {
    const auto known = sets_.find(name);
    return known != sets_.end() ? known->second : sets_.emplace(name, lookup_(name)).first->second;
  }

  static Found point(const Json& json, const std::string& pointer, const std::string& what) {
    const Json value = at_pointer(json, pointer);
    if (value.is_null()) return {{}, fmt::format("{} has no {}", what, pointer)};
    return {value, ""};
  }

  static Found select(const std::vector<Json>& items, const Json& selectors, const std::string& pointer,
                      const std::string& what, const std::string& claim_id, bool failed_too) {
    const Json* match = nullptr;
    for (const Json& item : items) {
      if (!selects(selectors, item.value("spec", Json::object()))) continue;
      if (match)
        throw InputError(claim_id, fmt::format("there is more than one {}; they differ in {}", what,
                                               differing_settings(*match, item)));
      match = &item;
    }
    if (!match) return {{}, fmt::format("there is no {}", what)};
    if (const std::string status = match->value("status", "ok"); status != "ok" && !failed_too) {
      const std::string cause = match->value("cause", "");
      return {{}, fmt::format("the run failed: {}{}", status, cause.empty() ? "" : ", " + cause)};
    }
    return point(*match, pointer, "the " + what);
  }

  const ResultLookup& lookup_;
  std::map<std::string, std::optional<ResultSet>> sets_;
};

// ----- judging -----

// A JSON number, or the text of one (50 digits).
std::optional<double> as_double(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  const std::string text = json;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' ? std::optional(value) : std::nullopt;
}

// A number, or the order of an estimate with its half-width.
struct Measured {
  double value = 0, half_width = 0;
  double differs_beyond = 0;  // the distance of a claim that is refuted
  bool is_order = false;
};

std::optional<Measured> as_measured(const Json& json) {
  if (!json.is_object()) {
    const std::optional<double> value = as_double(json);
    return value ? std::optional(Measured{*value}) : std::nullopt;
  }
  const std::optional<double> order = as_double(json.value("order", Json()));
  const std::optional<double> width = as_double(json.value("half_width", Json()));
  if (json.value("decided", Json()) != Json(true) || !order || !width) return std::nullopt;
  // Estimates that are fits alone, without local orders, differ outside their interval; null is infinite.
  const std::optional<double> beyond = as_double(json.value("differs_beyond", Json(*width)));
  return Measured{*order, *width, beyond.value_or(HUGE_VAL), true};
}

std::string text_of(const Measured& measured) {
  return measured.is_order ? interval_text(measured.value, measured.half_width) : fmt::format("{:.5g}", measured.value);
}

// "7.0007E-5": one digit before the point, no padding of the exponent.
std::string scientific(double x, int digits) {
  const std::string text = fmt::format("{:.{}E}", x, digits - 1);
  const std::size_t e = text.find('E');
  return fmt::format("{}E{}", text.substr(0, e), std::atoi(text.c_str() + e + 1));
}

std::string join_sentences(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + ". " + b;
}

void leave_undecided(Judgement& judgement, const Found& found, const std::string& cause) {
  judgement.verdict = verdict::undecided;
  judgement.reason = join_sentences(judgement.reason, found.problem.empty() ? cause : found.problem);
}

void judge_cell(const Json& claim, ValueReader& reader, Judgement& judgement) {
  const std::string kind = claim_kind(claim);
  const Found found = reader.read(claim["value"], judgement.id);
  const std::optional<double> ours = as_double(found.value);
  if (ours) judgement.ours = print_alike(*ours, judgement.printed);
  if (kind == "time") {
    if (ours) judgement.ours = fmt::format("{:.4f}", *ours);  // seconds, however far from the paper's
    judgement.verdict = verdict::not_reproducible;
    return;
  }
  if (!ours) {
    judgement.verdict = verdict::differs;
    judgement.reason = found.problem.empty() ? "our value is not a number: " + found.value.dump() : found.problem;
    return;
  }
  judgement.verdict = judge_number(*ours, judgement.printed);
  if (kind == "magnitude" && judgement.verdict != verdict::differs) judgement.verdict = verdict::same_order;
}

void judge_order(const Json& claim, ValueReader& reader, Judgement& judgement) {
  const Found found = reader.read(claim["value"], judgement.id);
  const std::optional<Measured> measured = as_measured(found.value);
  if (!measured && found.value.is_object())
    return leave_undecided(judgement, found, found.value.value("statement", "the order is undecided"));
  if (!measured) return leave_undecided(judgement, found, "the value is not a number");
  const double claimed = claim["claimed"], p = measured->value;
  const std::string kind = claim_kind(claim);
  const double excess = kind == "order" ? std::abs(p - claimed) : kind == "at-least" ? claimed - p : p - claimed;
  const bool holds = excess <= 0 || (measured->is_order && printed_interval_includes(p, measured->half_width, claimed));
  judgement.ours = text_of(*measured);
  if (!holds && excess <= measured->differs_beyond)
    return leave_undecided(judgement, found, "the local orders have not settled");
  judgement.verdict = holds ? verdict::confirmed : verdict::refuted;
}

void judge_status(const Json& claim, ValueReader& reader, Judgement& judgement) {
  const Found found = reader.read(claim["value"], judgement.id, true);
  if (!found.value.is_string()) return leave_undecided(judgement, found, "the value is not text");
  judgement.ours = found.value;
  const bool holds = judgement.ours.find(claim["claimed"].get<std::string>()) != std::string::npos;
  judgement.verdict = holds ? verdict::confirmed : verdict::refuted;
}

void judge_truth(const Json& claim, ValueReader& reader, Judgement& judgement) {
  const Found found = reader.read(claim["value"], judgement.id);
  if (!found.value.is_boolean()) return leave_undecided(judgement, found, "the value is neither true nor false");
  judgement.ours = found.value.get<bool>() ? "holds" : "does not hold";
  judgement.verdict = found.value == claim["claimed"] ? verdict::confirmed : verdict::refuted;
}

// "5.5074E-11 < 8.8078E-7 < 7.0007E-5"; where the claim fails, the sign that does hold.
void judge_less(const Json& claim, ValueReader& reader, Judgement& judgement) {
  std::string ours;
  bool holds = true;
  std::optional<double> before;
  for (const Json& reference : claim["values"]) {
    const Found found = reader.read(reference, judgement.id);
    const std::optional<double> value = as_double(found.value);
    if (!value || std::isnan(*value)) return leave_undecided(judgement, found, "a value is not a number");
    if (before) ours += *before < *value ? " < " : *before > *value ? " > " : " = ";
    holds = holds && (!before || *before < *value);
    ours += scientific(*value, 5);
    before = value;
  }
  judgement.ours = ours;
  judgement.verdict = holds ? verdict::confirmed : verdict::refuted;
}

void add_true_value(const Json& claim, ValueReader& reader, Judgement& judgement) {
  if (!claim.contains("true_value")) return;
  const Found found = reader.read(claim["true_value"], judgement.id);
  if (is_cell(claim_kind(claim))) {
    if (const std::optional<double> value = as_double(found.value))
      judgement.true_value = print_alike(*value, judgement.printed);
  } else if (const std::optional<Measured> measured = as_measured(found.value)) {
    judgement.true_value = text_of(*measured);
  }
}

Judgement judge_claim(const Json& claim, ValueReader& reader) {
  Judgement judgement;
  judgement.id = claim["id"];
  judgement.location = claim["location"];
  judgement.table = claim.value("table", "");
  judgement.row = claim.value("row", "");
  judgement.column = claim.value("column", "");
  judgement.printed = claim["printed"];
  judgement.expected = claim["expected"];
  judgement.reason = claim.value("reason", "");
  judgement.ours = "-";
  const std::string kind = claim_kind(claim);
  if (is_cell(kind))
    judge_cell(claim, reader, judgement);
  else if (kind == "less")
    judge_less(claim, reader, judgement);
  else if (kind == "status")
    judge_status(claim, reader, judgement);
  else if (kind == "holds")
    judge_truth(claim, reader, judgement);
  else
    judge_order(claim, reader, judgement);
  add_true_value(claim, reader, judgement);
  return judgement;
}

// The decimals of "7.0007E-5" are 4.
int decimals(const std::string& printed) {
  const std::size_t point = printed.find('.');
  if (point == std::string::npos) return 0;
  const std::size_t end = printed.find_first_of("eE", point);
  return static_cast<int>(std::min(end, printed.size()) - point) - 1;
}

}  // namespace

std::string verdict::digits(int k) { return fmt::format("{} digit{}", k, k == 1 ? "" : "s"); }

ResultLookup stored_results(const std::string& out_dir) {
  return [out_dir](const std::string& set) -> std::optional<ResultSet> {
    const std::string dir = out_dir + "/" + set;
    if (!std::filesystem::is_directory(dir) || !is_of_this_code(dir)) return std::nullopt;
    return ResultSet{read_runs(dir), read_analysis(dir)};
  };
}

std::vector<Judgement> judge(const Json& claims, const ResultLookup& lookup) {
  check_claims(claims);
  return judge_list(claims["claims"], lookup);
}

std::vector<Judgement> judge_list(const Json& list, const ResultLookup& lookup) {
  ValueReader reader(lookup);
  std::vector<Judgement> judgements;
  for (const Json& claim : list) try {
      judgements.push_back(judge_claim(claim, reader));
    } catch (const Json::exception& error) {
      throw InputError(claim["id"].get<std::string>(),
                       fmt::format("the stored results are not as they were written ({})", plain_message(error)));
    }
  return judgements;
}

int significant_digits(const std::string& printed) {
  int count = 0;
  for (const char c : printed.substr(0, printed.find_first_of("eE"))) {
    if (c < '0' || c > '9') continue;
    if (count > 0 || c != '0') ++count;
  }
  return std::max(count, 1);
}

std::string print_alike(double ours, const std::string& printed) {
  if (!std::isfinite(ours)) return fmt::format("{}", ours);
  if (printed.find_first_of("eE") != std::string::npos) return scientific(ours, significant_digits(printed));
  const double theirs = std::strtod(printed.c_str(), nullptr);
  const bool comparable = std::abs(ours) <= 10 * std::abs(theirs) && 10 * std::abs(ours) >= std::abs(theirs);
  return comparable ? fmt::format("{:.{}f}", ours, decimals(printed)) : scientific(ours, significant_digits(printed));
}

std::string judge_number(double ours, const std::string& printed) {
  const double theirs = std::strtod(printed.c_str(), nullptr);
  const int digits = significant_digits(printed);
  if (!std::isfinite(ours)) return verdict::differs;
  if (fmt::format("{:.{}e}", ours, digits - 1) == fmt::format("{:.{}e}", theirs, digits - 1))
    return verdict::all_digits;
  if (ours == 0 || theirs == 0 || std::signbit(ours) != std::signbit(theirs)) return verdict::differs;

  const double relative_difference = std::abs(ours - theirs) / std::abs(theirs);
  const double agreeing = std::floor(-std::log10(relative_difference));
  if (const int k = static_cast<int>(std::min<double>(agreeing, digits - 1)); k >= 2) return verdict::digits(k);
  const double ratio = ours / theirs;
  return ratio <= 10 && ratio >= 0.1 ? verdict::same_order : verdict::differs;
}

}  // namespace daelab
