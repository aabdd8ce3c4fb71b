// Between nlohmann's JSON and ours: what readers and writers of text share.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

nlohmann::ordered_json to_nlohmann(const Json& json);
/// nlohmann's, without the "[json.exception.type_error.316] " before it.
Json::exception translated(const nlohmann::detail::exception& error);

/// From the events of nlohmann's parser, without values of nlohmann in between: a handler for
/// nlohmann::ordered_json::sax_parse(). Returns true from all events, so that errors leave as exceptions.
/// Throws nlohmann's parse_error and out_of_range as its own parser does, Json::exception for more levels than the
/// limits allow, and what `repeated_key` throws.
class JsonBuilder {
 public:
  Json take() { return std::move(root_); }
  /// For the value that is read.
  Json::json_pointer pointer() const;

  bool null() { return add(Json()); }
  bool boolean(bool x) { return add(x); }
  bool number_integer(std::int64_t x) { return add(x); }
  bool number_unsigned(std::uint64_t x) { return add(x); }
  bool number_float(double x, const std::string& /*text*/) { return add(x); }
  bool string(std::string& x) { return add(std::move(x)); }
  bool binary(const std::vector<std::uint8_t>& /*bytes*/) { return false; }  // not in texts
  bool start_object(std::size_t /*members*/) { return open(Json::object()); }
  bool start_array(std::size_t /*elements*/) { return open(Json::array()); }
  bool key(std::string& name);
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t byte, const std::string& token, const nlohmann::detail::exception& error);

 protected:
  ~JsonBuilder() = default;
  /// The last value of a key that comes more than once is kept.
  virtual void repeated_key() {}

 private:
  // A container grows at its end, and its last part alone is open: pointers stay valid.
  struct Level {
    Json* container;
    Json* member = nullptr;  // of an object: the one that is read
  };
  std::string token(const Level& level) const;
  Json& place();
  bool add(Json value) {
    place() = std::move(value);
    return true;
  }
  bool open(Json container);
  bool close() {
    levels_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Level> levels_;
};

}  // namespace daelab
