#include "core/base/utf8.hpp"

#include "core/base/json.hpp"

namespace daelab {

std::string as_utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, Json::Utf8::replace)).get<std::string>();
}

}  // namespace daelab
