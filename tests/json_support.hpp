// What a JSON value of ours and nlohmann's make of the same text.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/json.hpp"

namespace daelab {

using NlohmannJson = nlohmann::ordered_json;

// A template: nlohmann's constructors must not even be tried on our values (3.11.3 does not compile then).
template <class Value>
inline std::string json_text_of(const Value& value) {
  if constexpr (std::is_arithmetic_v<Value>)
    return std::to_string(value);
  else if constexpr (std::same_as<Value, std::string>)
    return value;
  else
    return value.dump();
}

// The result of `work` as text, or that there is none.
template <class Value, class Work>
inline std::string json_outcome(const std::string& document, const Work& work) {
  try {
    Value json = Value::parse(document);
    return json_text_of(work(json));
  } catch (const Json::exception&) {
    return "refused";
  } catch (const NlohmannJson::exception&) {
    return "refused";
  }
}

// `work` on either type of value.
template <class Work>
inline void expect_same(const std::string& document, const Work& work) {
  EXPECT_EQ(json_outcome<Json>(document, work), json_outcome<NlohmannJson>(document, work)) << document;
}

}  // namespace daelab
