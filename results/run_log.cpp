#include "results/run_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/base/json_kind.hpp"
#include "results/provenance.hpp"

namespace daelab {
namespace {

void require_numbers(const Json& values, const std::string& where) {
  for (std::size_t i = 0; i < require(JsonKind::list, values, where).size(); ++i)
    if (!values[i].is_null() && !as_number(values[i]))
      throw InputError(fmt::format("{}/{}", where, i), "expected a number, found " + values[i].dump());
}

constexpr const char* checksum = "checksum";

bool is_as_written(const std::string& line, const Json& record) {
  if (!record.contains(checksum)) return false;
  const std::size_t end = line.rfind(fmt::format(",\"{}\":\"", checksum));
  return end != std::string::npos && record[checksum] == content_hash(line.substr(0, end) + "}");
}

std::string key_of(const Json& record) { return record["key"].get<std::string>(); }

// A line with a key, whether or not it is as it was written; none where even that cannot be read.
std::optional<Json> parse_keyed(const std::string& line) {
  std::optional<Json> record = Json::try_parse(line);
  if (record && !(record->contains("key") && record->at("key").is_string())) record.reset();
  return record;
}

}  // namespace

std::optional<Real50> as_number(const Json& json) {
  if (json.is_number()) return Real50(json.get<double>());
  if (!json.is_string()) return std::nullopt;
  const std::string text = json;
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  const bool number = !text.empty() && *end == '\0' && text.find_first_not_of("0123456789+-.eE") == std::string::npos;
  return number ? std::optional(Real50(text)) : std::nullopt;
}

// What records of runs of any kind have in common; what is left out is none of this kind of run.
void check_run(const Json& record) {
  constexpr std::pair<const char*, JsonKind> members[] = {
      {"spec", JsonKind::object}, {"status", JsonKind::text}, {"cause", JsonKind::text}, {"stats", JsonKind::object}};
  for (const auto& [key, kind] : members)
    if (record.contains(key)) require_member(kind, record, key, "");
  for (const char* key : {"q", "v", "a", "lambda", "y"})
    if (record.contains(key)) require_numbers(record[key], std::string("/") + key);
}

std::string run_line(const Json& record) {
  const std::string text = record.dump(-1, Json::Utf8::replace);
  return fmt::format("{},\"{}\":\"{}\"}}", std::string_view(text).substr(0, text.size() - 1), checksum,
                     content_hash(text));
}

Json parse_run(const std::string& line) {
  std::optional<Json> record = parse_keyed(line);
  if (!record || !is_as_written(line, *record)) return {};
  record->erase(checksum);
  return std::move(*record);
}

Json spec_of(const Json& run) { return run.contains("spec") ? run["spec"] : run["key"]; }

std::set<std::string> asked_keys(const Json& manifest, bool with_reference) {
  std::set<std::string> keys;
  if (!manifest.contains("runs")) return keys;
  for (const Json& key : manifest["runs"]) keys.insert(key.get<std::string>());
  if (with_reference) keys.insert(manifest.value("reference", ""));
  return keys;
}

void RunLog::add(Json record) {
  malformed.erase(key_of(record));
  by_key[key_of(record)] = records.size();
  records.push_back(std::move(record));
}

void RunLog::add_line(const std::string& line) {
  ++lines;
  Json record = parse_run(line);
  if (record.is_null()) {
    if (line.find_first_not_of(" \r") != std::string::npos) ++unreadable;
    const std::optional<Json> damaged = parse_keyed(line);
    if (damaged && !by_key.contains(key_of(*damaged)))
      malformed[key_of(*damaged)] =
          fmt::format("{}: the line is not as it was written: its checksum does not match", lines);
    return;
  }
  try {
    check_run(record);
  } catch (const InputError& error) {
    ++unreadable;
    malformed[key_of(record)] = fmt::format("{}: {}", lines, error.what());
    return;
  }
  add(std::move(record));
}

std::size_t RunLog::count_others(const std::set<std::string>& keys) const {
  return static_cast<std::size_t>(
      std::count_if(by_key.begin(), by_key.end(), [&keys](const auto& run) { return !keys.contains(run.first); }));
}

std::vector<Json> RunLog::asked_for(const Json& manifest, bool with_reference) const {
  const bool says = manifest.contains("runs");
  const std::set<std::string> keys = asked_keys(manifest, with_reference);
  std::map<std::string, const Json*> by_spec;  // the last one wins
  for (const Json& record : records)
    if (!says || keys.contains(key_of(record))) by_spec[canonical_text(spec_of(record))] = &record;
  std::vector<Json> runs;
  for (const auto& [spec, record] : by_spec) runs.push_back(*record);
  return runs;
}

RunLog load_runs(const std::string& path) {
  RunLog log;
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t end; (end = text.find('\n', log.good_bytes)) != std::string::npos; log.good_bytes = end + 1)
    log.add_line(text.substr(log.good_bytes, end - log.good_bytes));
  if (log.good_bytes == text.size()) return log;

  const std::string tail = text.substr(log.good_bytes);
  log.complete_tail = !parse_run(tail).is_null();
  log.add_line(tail);
  return log;
}

}  // namespace daelab
