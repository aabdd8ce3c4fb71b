#include "conversion.hpp"

#include <nanobind/stl/string.h>

#include <cmath>
#include <daelab/core/base/limits.hpp>

namespace nb = nanobind;

namespace daelab::python {
namespace {

std::string type_of(nb::handle object) { return nb::cast<std::string>(object.type().attr("__name__")); }

// Python's texts may hold halves of pairs of UTF-16, which are no characters: of file names that are no text, say.
std::string text_in(nb::handle object, const std::string& where) {
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (text != nullptr) return {text, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw InputError(where, "the text " + nb::cast<std::string>(nb::steal<nb::str>(PyObject_ASCII(object.ptr()))) +
                              " holds a lone surrogate, U+D800 to U+DFFF, which is no character");
}

// One level of a document. What contains itself has no end.
class Level {
 public:
  explicit Level(const std::string& where) {
    if (++depth_ > limits().nesting) {
      --depth_;
      const std::string begin = where.substr(0, 100);
      throw InputError(begin + (begin.size() < where.size() ? "..." : ""),
                       "is nested too deeply, or contains itself " + limit_hint("nesting"));
    }
  }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  static thread_local long depth_;
};
thread_local long Level::depth_ = 0;

Json list_json(nb::handle object, const std::string& where) {
  Json list = Json::array();
  for (nb::handle element : object) list.push_back(json_of(element, where + "/" + std::to_string(list.size())));
  return list;
}

Json dict_json(const nb::dict& dict, const std::string& where) {
  Json members = Json::object();
  for (const auto& [key, value] : dict) {
    if (!nb::isinstance<nb::str>(key))
      throw InputError(where, "the keys of a dict must be texts; one is of type " + type_of(key));
    const std::string name = text_in(key, where);
    members[name] = json_of(value, where + "/" + name);
  }
  return members;
}

// Integers beyond 64 bits are exact as text.
Json integer_json(nb::handle object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  return overflow == 0 ? Json(value) : Json(nb::cast<std::string>(nb::str(object)));
}

Json real_json(nb::handle object, const std::string& where) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (!std::isfinite(value)) throw InputError(where, std::isnan(value) ? "is not a number (NaN)" : "is infinite");
  return value;
}

// What is known by its type in another package, which is not imported for that.
Json foreign_json(nb::handle object, const std::string& where) {
  if (nb::hasattr(object, "step") && PyCallable_Check(nb::object(object.attr("step")).ptr()) != 0)
    return json_of(nb::module_::import_("daelab.own_methods").attr("specification")(object), where);
  if (nb::hasattr(object, "__fspath__")) return text_in(nb::str(object.attr("__fspath__")()), where);
  if (nb::hasattr(object, "tolist")) return json_of(object.attr("tolist")(), where);
  if (nb::hasattr(object, "numerator") && nb::hasattr(object, "denominator"))
    return nb::cast<std::string>(nb::str(object));
  if (nb::hasattr(object, "document")) return json_of(object.attr("document")(), where);
  throw InputError(where, "a value of type " + type_of(object) +
                              " is not understood; allowed: dict, list, str, bool, int, float, Fraction, numpy arrays");
}

}  // namespace

Json json_of(nb::handle object, const std::string& where) {
  if (object.is_none()) return nullptr;
  if (nb::isinstance<nb::bool_>(object)) return nb::cast<bool>(object);
  if (PyLong_Check(object.ptr())) return integer_json(object);
  if (PyFloat_Check(object.ptr())) return real_json(object, where);
  if (nb::isinstance<nb::str>(object)) return text_in(object, where);
  const Level level(where);
  if (nb::isinstance<nb::dict>(object)) return dict_json(nb::borrow<nb::dict>(object), where);
  if (nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object)) return list_json(object, where);
  return foreign_json(object, where);
}

nb::object object_of(const Json& json) {
  if (json.is_null()) return nb::none();
  if (json.is_boolean()) return nb::bool_(json.get<bool>());
  if (json.is_number_unsigned()) return nb::int_(json.get<std::uint64_t>());
  if (json.is_number_integer()) return nb::int_(json.get<std::int64_t>());
  if (json.is_number_float()) return nb::float_(json.get<double>());
  if (json.is_string()) return nb::cast(json.get<std::string>());
  if (json.is_array()) {
    nb::list list;
    for (const Json& element : json) list.append(object_of(element));
    return list;
  }
  nb::dict members;
  for (const auto& [key, value] : json.items()) members[key.c_str()] = object_of(value);
  return members;
}

void translate_errors() {
  nb::register_exception_translator(
      [](const std::exception_ptr& pointer, void* /*unused*/) {
        try {
          std::rethrow_exception(pointer);
        } catch (const InputError& error) {
          const nb::object type = nb::module_::import_("daelab._errors").attr("InputError");
          PyErr_SetObject(type.ptr(), type(error.where(), error.message()).ptr());
        }
      },
      nullptr);
}

}  // namespace daelab::python
