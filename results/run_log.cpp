#include "results/run_log.hpp"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/base/in_parallel.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/number_text.hpp"
#include "results/provenance.hpp"

namespace daelab {
namespace {

void require_numbers(const Json& values, const std::string& where) {
  for (std::size_t i = 0; i < require(JsonKind::list, values, where).size(); ++i)
    if (!values[i].is_null() && !as_number(values[i]))
      throw InputError(fmt::format("{}/{}", where, i), "expected a number, found " + values[i].dump());
}

constexpr std::string_view checksum = "checksum";

std::string hash_of(std::string_view text, std::string_view rest) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, text.data(), text.size());
  XXH3_128bits_update(&state, rest.data(), rest.size());
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// The text before the checksum of a line that is as it was written; none for others.
std::optional<std::string_view> checked_part(std::string_view line) {
  while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
  constexpr std::string_view name = ",\"checksum\":\"", end = "\"}";
  constexpr std::size_t size = name.size() + 32 + end.size();
  if (line.size() < size || !line.ends_with(end)) return {};
  const std::string_view text = line.substr(0, line.size() - size), last = line.substr(text.size());
  if (!last.starts_with(name) || last.substr(name.size(), 32) != hash_of(text, "}")) return {};
  return text;
}

// The key of a line that is not as it was written; "" where even that cannot be read.
std::string key_of_damaged(std::string_view line) {
  const std::optional<Json> record = Json::try_parse(line);
  return record && record->contains("key") && record->at("key").is_string() ? record->at("key").get<std::string>() : "";
}

}  // namespace

std::optional<Real50> as_number(const Json& json) {
  if (json.is_number()) return Real50(json.get<double>());
  if (!json.is_string()) return std::nullopt;
  const std::string text = json;
  const bool number = number_in(text) && text.find_first_not_of("0123456789+-.eE") == std::string::npos;
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
  std::string text = record.dump(-1, Json::Utf8::replace);
  const std::string hash = content_hash(text);
  text.pop_back();
  return text.append(",\"").append(checksum).append("\":\"").append(hash).append("\"}");
}

// A quote inside of a text has a backslash before it, so what follows begins a member; and it is one of the record
// itself where no list or object ends after it.
std::string text_at_end(std::string_view line, std::string_view member) {
  const std::string name = fmt::format("\"{}\":\"", member);
  const std::size_t end = line.rfind('}'), place = line.rfind(name);
  if (place == std::string_view::npos || place == 0 || (line[place - 1] != ',' && line[place - 1] != '{')) return "";
  const std::string_view value = line.substr(place + name.size(), end - place - name.size());
  if (value.find_first_of("{}[]\\") != std::string_view::npos) return "";
  return std::string(value.substr(0, value.find('"')));
}

std::optional<std::string> key_of_line(std::string_view line) {
  if (!checked_part(line)) return {};
  if (std::string key = text_at_end(line, "key"); !key.empty()) return key;
  const std::optional<Json> record = Json::try_parse(line);
  if (!record || !record->contains("key") || !record->at("key").is_string()) return {};
  return record->at("key").get<std::string>();
}

// The specification and what follows it in a line that is as it was written; none where it is not among the members of
// the record itself, whose end would not be that of an object then.
std::optional<Json> identity_in(std::string_view line) {
  const std::optional<std::string_view> text = checked_part(line);
  const std::size_t place = text ? text->rfind(",\"spec\":{") : std::string_view::npos;
  if (place == std::string_view::npos) return {};
  return Json::try_parse(fmt::format("{{{}}}", text->substr(place + 1)));
}

Json parse_run(std::string_view line, RunParts parts) {
  if (parts == RunParts::identity)
    if (std::optional<Json> identity = identity_in(line); identity && identity->contains("key"))
      return std::move(*identity);
  if (!key_of_line(line)) return {};
  std::optional<Json> record = Json::try_parse(line);  // a checksum may fit text that is not JSON
  if (!record || !record->is_object()) return {};
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

RunLog::RunLog(int fd) : fd_(fd) {
  constexpr off_t least = 1 << 16, most = 4 << 20;
  struct stat file {};
  if (::fstat(fd_, &file) != 0) throw InputError(fmt::format("cannot read the runs: {}", std::strerror(errno)));
  const auto block = static_cast<std::size_t>(std::clamp(file.st_size, least, most));
  std::string text;  // from good_bytes_ on
  for (bool more = true; more;) {
    const std::size_t kept = text.size();
    text.resize(kept + block);
    const ssize_t count = ::pread(fd_, text.data() + kept, block, good_bytes_ + static_cast<off_t>(kept));
    if (count < 0) throw InputError(fmt::format("cannot read the runs: {}", std::strerror(errno)));
    more = count > 0;
    text.resize(kept + static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
      add_line(std::string_view(text).substr(begin, end - begin), good_bytes_ + static_cast<off_t>(begin));
    good_bytes_ += static_cast<off_t>(begin);
    text.erase(0, begin);
  }
  if (text.empty()) return;
  torn_tail_ = true;
  complete_tail_ = key_of_line(text).has_value();
  add_line(text, good_bytes_);
}

void RunLog::add_line(std::string_view line, off_t begin) {
  ++lines_;
  if (const std::optional<std::string> key = key_of_line(line)) {
    malformed_.erase(*key);
    places_[*key] = {begin, static_cast<std::uint32_t>(line.size()), lines_};
    return;
  }
  if (line.find_first_not_of(" \r") == std::string_view::npos) return;
  ++unreadable_;
  if (const std::string key = key_of_damaged(line); !key.empty() && !places_.contains(key))
    malformed_[key] = {lines_, "the line is not as it was written: its checksum does not match"};
  else if (key.empty() && !torn_tail_ && first_without_key_ == 0)
    first_without_key_ = lines_;
}

void RunLog::add(const std::string& key, off_t begin, std::size_t length) {
  malformed_.erase(key);
  places_[key] = {begin, static_cast<std::uint32_t>(length), ++lines_};
}

std::string RunLog::read(const Place& place) const {
  std::string text(place.length, '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::pread(fd_, text.data() + done, text.size() - done, place.begin + static_cast<off_t>(done));
    if (count <= 0) return "";
    done += static_cast<std::size_t>(count);
  }
  return text;
}

std::string RunLog::line(const std::string& key) const {
  const auto found = places_.find(key);
  return found == places_.end() ? "" : read(found->second);
}

// The line is checked anew: the file may have changed since.
RunLog::Checked RunLog::checked(const std::string& key, const Place& place, RunParts parts) const {
  Json record = parse_run(read(place), parts);
  if (record.is_null() || record["key"] != key) return {{}, "the line is not as it was written"};
  try {
    check_run(record);
    return {std::move(record), ""};
  } catch (const InputError& error) {
    return {{}, error.what()};
  }
}

void RunLog::drop(const std::string& key, const std::string& fault) {
  const auto found = places_.find(key);
  if (found == places_.end()) return;
  ++unreadable_;
  malformed_[key] = {found->second.line, fault};
  places_.erase(found);
}

std::optional<Json> RunLog::find(const std::string& key, RunParts parts) {
  const auto found = places_.find(key);
  if (found == places_.end()) return std::nullopt;
  Checked run = checked(key, found->second, parts);
  if (!run.record) drop(key, run.fault);
  return std::move(run.record);
}

std::vector<std::optional<Json>> RunLog::read_ahead(std::span<const std::string> keys, RunParts parts) {
  constexpr std::size_t most_bytes = 2 << 20;
  std::size_t count = 0;
  for (std::size_t bytes = 0; count < keys.size() && bytes < most_bytes; ++count)
    if (const auto found = places_.find(keys[count]); found != places_.end()) bytes += found->second.length;
  std::vector<Checked> runs(count);
  in_parallel(count, [&](std::size_t i) {
    if (const auto found = places_.find(keys[i]); found != places_.end())
      runs[i] = checked(keys[i], found->second, parts);
  });
  std::vector<std::optional<Json>> records;
  for (std::size_t i = 0; i < count; ++i) {
    if (!runs[i].fault.empty()) drop(keys[i], runs[i].fault);
    records.push_back(std::move(runs[i].record));
  }
  return records;
}

std::string RunLog::first_malformed() const {
  const auto first = std::min_element(malformed_.begin(), malformed_.end(),
                                      [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  return first == malformed_.end() ? "" : fmt::format("{}: {}", first->second.first, first->second.second);
}

std::string RunLog::damage() const {
  if (std::string fault = first_malformed(); !fault.empty()) return fault;
  return first_without_key_ == 0 ? "" : fmt::format("{}: the line is not as it was written", first_without_key_);
}

std::size_t RunLog::count_others(const std::set<std::string>& keys) const {
  return static_cast<std::size_t>(
      std::count_if(places_.begin(), places_.end(), [&keys](const auto& run) { return !keys.contains(run.first); }));
}

void RunLog::visit(const Json& manifest, bool with_reference, const std::function<void(Json record)>& visit,
                   RunParts parts) {
  const bool says = manifest.contains("runs");
  const std::set<std::string> keys = asked_keys(manifest, with_reference);
  std::vector<std::pair<off_t, std::string>> places;
  for (const auto& [key, place] : places_)
    if (!says || keys.contains(key)) places.emplace_back(place.begin, key);
  std::sort(places.begin(), places.end());
  std::vector<std::string> wanted;
  for (auto& [begin, key] : places) wanted.push_back(std::move(key));
  for (std::span<const std::string> left = wanted; !left.empty();) {
    std::vector<std::optional<Json>> records = read_ahead(left, parts);
    left = left.subspan(records.size());
    for (std::optional<Json>& record : records)
      if (record) visit(std::move(*record));
  }
}

std::vector<Json> RunLog::asked_for(const Json& manifest, bool with_reference, RunParts parts) {
  std::vector<Json> runs, sorted;
  visit(
      manifest, with_reference, [&](Json record) { runs.push_back(std::move(record)); }, parts);
  std::vector<std::string> specs(runs.size());
  in_parallel(runs.size(), [&](std::size_t i) { specs[i] = canonical_text(spec_of(runs[i])); });
  std::map<std::string_view, std::size_t> by_spec;  // the last one wins
  for (std::size_t i = 0; i < runs.size(); ++i) by_spec[specs[i]] = i;
  for (const auto& [spec, i] : by_spec) sorted.push_back(std::move(runs[i]));
  return sorted;
}

}  // namespace daelab
