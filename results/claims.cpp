#include "results/claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/exact.hpp"
#include "core/base/interval_text.hpp"
#include "core/base/json_kind.hpp"
#include "results/claim_format.hpp"
#include "results/entry_values.hpp"
#include "results/printed_number.hpp"
#include "results/store.hpp"
#include "results/told_numbers.hpp"

namespace daelab {
namespace {

// ----- judging -----

// A number, or the order of an estimate with its half-width.
struct Measured {
  double value = 0, half_width = 0;
  double differs_beyond = 0;  // the distance of a claim that is refuted
  double rises_to = 0;        // up to here a larger one is not refuted
  bool is_order = false;
};

std::optional<Measured> as_measured(const Json& json) {
  if (!json.is_object()) {
    const std::optional<double> value = as_double(json);
    return value ? std::optional(Measured{*value, 0, 0, *value}) : std::nullopt;
  }
  const std::optional<double> order = as_double(json.value("order", Json()));
  const std::optional<double> width = as_double(json.value("half_width", Json()));
  if (json.value("decided", Json()) != Json(true) || !order || !width) return std::nullopt;
  // Estimates that are fits alone, without local orders, differ outside their interval; null is infinite.
  const std::optional<double> beyond = as_double(json.value("differs_beyond", Json(*width)));
  const double rises_to = as_double(json.value("rises_to", Json())).value_or(*order);
  return Measured{*order, *width, beyond.value_or(HUGE_VAL), rises_to, true};
}

std::string text_of(const Measured& measured) {
  return measured.is_order ? interval_text(measured.value, measured.half_width) : fmt::format("{:.5g}", measured.value);
}

std::string join_sentences(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + ". " + b;
}

void leave_undecided(Judgement& judgement, const Found& found, const std::string& cause) {
  judgement.verdict = verdict_words(VerdictKind::undecided);
  judgement.reason = join_sentences(judgement.reason, found.problem.empty() ? cause : found.problem);
}

void confirm(Judgement& judgement, bool holds) {
  judgement.verdict = verdict_words(holds ? VerdictKind::confirmed : VerdictKind::refuted);
}

void judge_cell(const Json& entry, Rule rule, ValueReader& reader, Judgement& judgement) {
  const std::string quoted = quoted_number(judgement.kind, entry);
  const Found found = reader.read(entry["value"], judgement.id);
  const std::optional<double> ours = as_double(found.value);
  if (ours) judgement.number = *ours, judgement.ours = print_alike(*ours, quoted);
  if (rule == Rule::time) {
    if (ours) judgement.ours = fmt::format("{:.4f}", *ours);  // seconds, however far from the paper's
    judgement.verdict = verdict_words(VerdictKind::not_reproducible);
    return;
  }
  if (!ours && judgement.kind == EntryKind::finding) return leave_undecided(judgement, found, "our value is no number");
  if (!ours) {
    judgement.verdict = verdict_words(VerdictKind::differs);
    judgement.reason = found.problem.empty() ? "our value is not a number: " + found.value.dump() : found.problem;
    return;
  }
  judgement.verdict = judge_number(*ours, quoted);
  if (rule == Rule::magnitude && verdict_kind(judgement.verdict) != VerdictKind::differs)
    judgement.verdict = verdict_words(VerdictKind::same_order);
}

// How far a measured value is on the wrong side of the claimed one.
double excess_over(double claimed, double measured, Rule rule) {
  if (rule == Rule::at_least) return claimed - measured;
  if (rule == Rule::at_most) return measured - claimed;
  return std::abs(measured - claimed);
}

void judge_order(const Json& entry, Rule rule, ValueReader& reader, Judgement& judgement) {
  const Found found = reader.read(entry["value"], judgement.id);
  const std::optional<Measured> measured = as_measured(found.value);
  if (!measured && found.value.is_object())
    return leave_undecided(judgement, found, found.value.value("statement", "the order is undecided"));
  if (!measured) return leave_undecided(judgement, found, "the value is not a number");
  const double claimed = entry["claimed"], excess = excess_over(claimed, measured->value, rule);
  const bool holds =
      excess <= 0 || (measured->is_order && printed_interval_includes(measured->value, measured->half_width, claimed));
  judgement.ours = text_of(*measured);
  const bool may_rise = measured->value < claimed && claimed <= measured->rises_to;
  if (!holds && (excess <= measured->differs_beyond || may_rise))
    return leave_undecided(judgement, found, "the local orders have not settled");
  if (!holds && rule == Rule::guarantee && measured->value > claimed)
    judgement.verdict = verdict_words(VerdictKind::understated);
  else
    confirm(judgement, holds);
}

void judge_status(const Json& entry, ValueReader& reader, Judgement& judgement) {
  const Found found = reader.read(entry["value"], judgement.id, true);
  if (!found.value.is_string()) return leave_undecided(judgement, found, "the value is not text");
  judgement.ours = found.value;
  confirm(judgement, judgement.ours.find(entry["claimed"].get<std::string>()) != std::string::npos);
}

void judge_truth(const Json& entry, ValueReader& reader, Judgement& judgement) {
  const Found found = reader.read(entry["value"], judgement.id);
  if (!found.value.is_boolean()) return leave_undecided(judgement, found, "the value is neither true nor false");
  judgement.ours = found.value.get<bool>() ? "holds" : "does not hold";
  confirm(judgement, found.value == entry["claimed"]);
}

// ----- exact constants -----

// A text, or a coefficient with its decimals (analysis/exact_coefficients.hpp).
std::optional<Real100> exact_constant(const Json& json) {
  if (json.is_object() && json.contains("exact")) return exact_constant(json["exact"]);
  if (!json.is_string() && !json.is_number()) return std::nullopt;
  try {
    return exact_from_json(json, "").value();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// The place, as a JSON pointer, of the first constant that is not the claimed one; nothing where all are.
std::optional<std::string> first_difference(const Json& ours, const Json& claimed, const std::string& at = "") {
  if (claimed.is_array()) {
    if (!ours.is_array() || ours.size() != claimed.size()) return at;
    for (std::size_t i = 0; i < claimed.size(); ++i)
      if (const auto place = first_difference(ours[i], claimed[i], fmt::format("{}/{}", at, i))) return place;
    return std::nullopt;
  }
  const std::optional<Real100> x = exact_constant(ours), y = exact_constant(claimed);
  const Real100 tolerance("1e-90");  // both are evaluated in 100 digits
  return x && y && abs(*x - *y) <= tolerance * (1 + abs(*y)) ? std::nullopt : std::optional(at);
}

// "(1, 3)", of a matrix "((1, 2), (3, 4))", as papers print them.
std::string exact_words(const Json& json) {
  if (json.is_object() && json.contains("exact")) return exact_words(json["exact"]);
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_array()) return json.dump();
  std::vector<std::string> entries;
  for (const Json& entry : json) entries.push_back(exact_words(entry));
  return fmt::format("({})", fmt::join(entries, ", "));
}

void judge_exact(const Json& entry, ValueReader& reader, Judgement& judgement) {
  const Found found = reader.read(entry["value"], judgement.id);
  if (found.value.is_null()) return leave_undecided(judgement, found, "there is no value");
  const std::optional<std::string> place = first_difference(found.value, entry["claimed"]);
  const std::string all = exact_words(found.value);
  constexpr std::size_t short_enough = 40;
  judgement.ours = "the same";
  if (place)
    judgement.ours = place->empty() || all.size() <= short_enough
                         ? all
                         : exact_words(at_pointer(found.value, *place)) + " at " + *place;
  confirm(judgement, !place);
}

// ----- several values -----

// "5.5074E-11 < 8.8078E-7 < 7.0007E-5", with the signs that do hold.
std::string comparison_text(const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += values[i - 1] < values[i] ? " < " : values[i - 1] > values[i] ? " > " : " = ";
    text += scientific(values[i], 5);
  }
  return text;
}

// For the verdicts on pairs that follow each other: one refuted pair refutes all.
VerdictKind in_order(const std::vector<double>& values, double margin) {
  VerdictKind verdict = VerdictKind::confirmed;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i - 1] * margin < values[i]) continue;
    if (margin == 1 || values[i - 1] > margin * values[i]) return VerdictKind::refuted;
    verdict = VerdictKind::undecided;
  }
  return verdict;
}

// A paper that says "often" or "usually" is right where half of the cases or more are as it says.
void judge_often(double claimed, Rule rule, const std::vector<double>& values, Judgement& judgement) {
  const Rule side = rule == Rule::often_at_least ? Rule::at_least : Rule::at_most;
  const auto cases =
      std::count_if(values.begin(), values.end(), [&](double x) { return excess_over(claimed, x, side) <= 0; });
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(fmt::format("{:.3g}", value));
  judgement.ours = fmt::format("{} of {}: {}", cases, values.size(), fmt::join(texts, ", "));
  confirm(judgement, 2 * static_cast<std::size_t>(cases) >= values.size());
}

void judge_several(const Json& entry, Rule rule, ValueReader& reader, Judgement& judgement) {
  std::vector<double> values;
  for (const Json& reference : entry["values"]) {
    const Found found = reader.read(reference, judgement.id);
    const std::optional<double> value = as_double(found.value);
    if (!value || std::isnan(*value)) return leave_undecided(judgement, found, "a value is not a number");
    values.push_back(*value);
  }
  if (counts_values(rule)) return judge_often(entry["claimed"], rule, values, judgement);
  judgement.ours = comparison_text(values);
  if (rule == Rule::similar) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return confirm(judgement, *most <= entry["claimed"].get<double>() * *least);
  }
  constexpr double noise_of_times = 1.1;
  const VerdictKind verdict = in_order(values, rule == Rule::faster ? noise_of_times : 1);
  if (verdict == VerdictKind::undecided) return leave_undecided(judgement, {}, "the times are too close to each other");
  judgement.verdict = verdict_words(verdict);
}

// ----- entries -----

void add_true_value(const Json& entry, Rule rule, ValueReader& reader, Judgement& judgement) {
  if (!entry.contains("true_value")) return;
  const Found found = reader.read(entry["true_value"], judgement.id);
  if (judges_a_number(rule)) {
    if (const std::optional<double> value = as_double(found.value))
      judgement.true_value = print_alike(*value, quoted_number(judgement.kind, entry));
  } else if (const std::optional<Measured> measured = as_measured(found.value)) {
    judgement.true_value = text_of(*measured);
  }
}

Judgement described(EntryKind kind, const Json& entry, const Json& file, ValueReader& reader) {
  Judgement judgement;
  judgement.kind = kind;
  judgement.id = entry["id"];
  judgement.location = entry["location"];
  judgement.table = entry.value("table", "");
  judgement.row = entry.value("row", "");
  judgement.column = entry.value("column", "");
  judgement.source = entry.value("source", "");
  judgement.printed = entry.value("printed", "");
  judgement.judged_by = entry.value("judged_by", "");
  judgement.statement = entry.value("statement", "");
  judgement.recorded = entry.value("recorded", "");
  judgement.expected = entry["expected"];
  judgement.reason = told_text(entry, "reason", file, reader, judgement.id);
  judgement.ours = "-";
  return judgement;
}

// The verdict of a claim, in the words of this kind of entry.
std::string in_words_of(EntryKind kind, Rule rule, const std::string& verdict) {
  const VerdictKind of_entry = verdict_of(kind, rule, verdict_kind(verdict));
  return of_entry == VerdictKind::some_digits ? verdict : verdict_words(of_entry);
}

Judgement judge_entry(EntryKind kind, const Json& entry, const Json& file, ValueReader& reader) {
  Judgement judgement = described(kind, entry, file, reader);
  const Rule rule = rule_of(entry);
  if (judges_a_number(rule))
    judge_cell(entry, rule, reader, judgement);
  else if (compares_values(rule))
    judge_several(entry, rule, reader, judgement);
  else if (rule == Rule::status)
    judge_status(entry, reader, judgement);
  else if (rule == Rule::holds)
    judge_truth(entry, reader, judgement);
  else if (rule == Rule::exact)
    judge_exact(entry, reader, judgement);
  else
    judge_order(entry, rule, reader, judgement);
  judgement.verdict = in_words_of(kind, rule, judgement.verdict);
  add_true_value(entry, rule, reader, judgement);
  return judgement;
}

}  // namespace

ResultLookup stored_results(const std::string& out_dir) {
  return [out_dir](const std::string& set) -> std::optional<ResultSet> {
    const std::string dir = out_dir + "/" + set;
    if (!std::filesystem::is_directory(dir) || !is_of_this_code(dir)) return std::nullopt;
    return ResultSet{read_runs(dir), read_analysis(dir), dir};
  };
}

std::vector<Judgement> judge(const Json& paper, const ResultLookup& lookup) {
  check_entries(paper);
  return judge_entries(paper, lookup);
}

std::vector<Judgement> judge_entries(const Json& entries, const ResultLookup& lookup) {
  ValueReader reader(lookup);
  std::vector<Judgement> judgements;
  for (const EntryKind kind : entry_kinds)
    for (const Json& entry : entries.value(entry_list(kind), Json::array())) try {
        judgements.push_back(judge_entry(kind, entry, entries, reader));
      } catch (const Json::exception& error) {
        throw InputError(entry["id"].get<std::string>(),
                         fmt::format("the stored results are not as they were written ({})", error.what()));
      }
  return judgements;
}

}  // namespace daelab
