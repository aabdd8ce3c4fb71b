// Bodies and constraints of rotating_bodies.hpp from JSON.
//
//   {"name": "...", "gravity": [0, 0, "-9.81"],
//    "bodies": [{"name": "bar", "mass": "78", "inertia": [...], "position": [...], "velocity": [...],
//                "rotation": [nine entries, row by row], "angular_velocity": [...]}],
//    "constraints": [{"type": "DP1", "i": "bar", "j": "ground", "a_i": [...], "a_j": [...]},
//                    {"type": "CD", "i": "ground", "j": "bar", "c": [...], "s_i": [...], "s_j": [...], "f": "0"},
//                    {"type": "DP1", ..., "drivers": [{"a_i", "a_j", "rate", "phase"}, ...]}]}
#pragma once

#include <string>

#include "core/base/json.hpp"
#include "experiments/measures/rotating_bodies.hpp"

namespace daelab {

/// Throws InputError under `where`.
BodySystem read_body_system(const Json& json, const std::string& where);

}  // namespace daelab
