#include "experiments/measures/battery_items.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/input_error.hpp"
#include "core/base/options.hpp"
#include "core/base/scalar.hpp"

namespace daelab {
namespace {

BatteryItem mechanism(const std::string& name, const std::string& formulation, const std::string& what,
                      std::vector<BatteryVariable> variables) {
  return {name, "sliding-pendulum", formulation, what, std::move(variables)};
}

std::vector<BatteryVariable> motion_of(const std::string& property) {
  return {{"q", {"q"}, property}, {"v", {"v"}, property}};
}

std::vector<BatteryVariable> with_multipliers(std::vector<BatteryVariable> motion, const std::string& property) {
  motion.push_back({"lambda", {"lambda"}, property});
  return motion;
}

std::vector<BatteryItem> all_items() {
  const std::string pendulum = "bead on a turning rod with a link";
  return {
      {"order", "all-trees", "", "y' = f(t, y), all trees", {{"y", {"y"}, "order"}}},
      {"autonomous", "all-trees:clock=0", "", "y' = f(y), all trees", {{"y", {"y"}, "autonomous order"}}},
      {"quadrature", "quadratures", "", "y' = f(t)", {{"y", {"y"}, "quadrature order"}}},
      {"stiff", "prothero-robinson:rate=-1e6", "", "linear, stiff, y' = L (y - phi(t)) + phi'(t)", {{"y", {"y"}, ""}}},
      {"dae-1",
       "dense-index-1",
       "",
       "y' = f(t, y, z), 0 = g(t, y, z)",
       {{"y", {"y1", "y2"}, "index-1 order of y"}, {"z", {"y3"}, "index-1 order of z"}}},
      {"dae-2",
       "dense-index-2",
       "",
       "y' = f(t, y, z), 0 = g(t, y)",
       {{"y", {"y1", "y2", "y3"}, "index-2 order of y"}, {"z", {"y4"}, "index-2 order of z"}}},
      {"dae-3",
       "jay",
       "",
       "y' = f(y, z), z' = k(y, z, u), 0 = g(y)",
       {{"y", {"y1", "y2"}, "index-3 order of y"},
        {"z", {"y3", "y4"}, "index-3 order of z"},
        {"u", {"y5"}, "index-3 order of u"}}},
      {"free", "sliding-pendulum:links=0", "", "M(q) a = Q(t, q, v), damped and driven", motion_of("order")},
      mechanism("index-1", "index-1", pendulum + ", accelerations",
                with_multipliers(motion_of("index-1 order of y"), "index-1 order of z")),
      mechanism("index-2", "index-2", pendulum + ", velocity constraint",
                with_multipliers(motion_of("index-2 order of y"), "index-2 order of z")),
      mechanism("index-3", "index-3", pendulum + ", position constraint",
                {{"q", {"q"}, "index-3 order of y"},
                 {"v", {"v"}, "index-3 order of z"},
                 {"lambda", {"lambda"}, "index-3 order of u"}}),
      mechanism("ggl", "ggl", pendulum + ", stabilized",
                with_multipliers(motion_of("index-2 order of y"), "index-2 order of z")),
      {"redundant", "sliding-pendulum:links=2", "index-1", pendulum + " that is there twice",
       motion_of("index-1 order of y")},
      {"so3", "heavy-top-so3:omega_y=3/2,omega_z=-0.0461538", "", "heavy top, whose rotation is a state",
       motion_of("order")},
  };
}

// Step sizes that divide 1 s into these counts. Round-off limits them in double, cost limits them in 50 digits.
Json steps(const std::vector<int>& counts) {
  Json list = Json::array();
  for (const int count : counts) list.push_back(fmt::format("1/{}", count));
  return list;
}
Json steps(Scalar scalar) {
  return scalar == Scalar::binary64 ? steps({4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256})
                                    : steps({8, 12, 16, 24, 32, 48, 64, 96, 128, 192});
}

// Of this build, the widest first.
std::vector<Scalar> scalars() {
  std::vector<Scalar> list;
#define DAELAB_SCALAR(T) list.insert(list.begin(), scalar_of<T>);
  DAELAB_FOR_SCALARS(DAELAB_SCALAR)
#undef DAELAB_SCALAR
  return list;
}

void refuse_what_items_say(const Json& entry, const std::string& where) {
  for (const char* key : {"problem", "formulation", "start", "label", "rtol", "atol"})
    if (entry.contains(key))
      throw InputError(fmt::format("{}/{}", where, key),
                       "the battery has its own problems, forms and names, and fixed steps: \"items\" chooses among "
                       "them; allowed: method, h, t_end, scalar, newton, jacobian, multiplier_solver");
}

}  // namespace

const std::vector<BatteryItem>& battery_items() {
  static const std::vector<BatteryItem> items = all_items();
  return items;
}

const BatteryItem& battery_item(const std::string& name, const std::string& where) {
  std::vector<std::string> known;
  for (const BatteryItem& item : battery_items()) {
    if (item.name == name) return item;
    known.push_back(item.name);
  }
  throw InputError(where,
                   fmt::format("no item '{}'{} (known: {})", name, did_you_mean(name, known), fmt::join(known, ", ")));
}

std::vector<Json> battery_entries(const Json& entry, const std::vector<std::string>& items, const std::string& where) {
  refuse_what_items_say(entry, where);
  std::vector<Json> entries;
  for (const BatteryItem& item : battery_items()) {
    if (!items.empty() && std::ranges::find(items, item.name) == items.end()) continue;
    for (const Scalar scalar : scalars()) {
      Json one = {{"label", item.name}, {"problem", item.problem}, {"t_end", "1"}};
      if (!item.formulation.empty()) one["formulation"] = item.formulation;
      one["scalar"] = name_of(scalar), one["h"] = steps(scalar);
      one.update(entry);
      if (one["scalar"] == Json(name_of(scalar)) || !entry.contains("scalar")) entries.push_back(std::move(one));
    }
  }
  return entries;
}

}  // namespace daelab
