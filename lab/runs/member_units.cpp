#include "lab/runs/member_units.hpp"

namespace daelab {

Json units_json(const MemberUnits& units) {
  Json json = Json::object();
  for (const auto& [pointer, unit] : units) json[pointer] = unit;
  return json;
}

MemberUnits with_run_times(const std::string& at, MemberUnits others) {
  for (const char* time : {"/cpu_seconds", "/wall_seconds"}) others.push_back({at + time, "s"});
  return others;
}

}  // namespace daelab
