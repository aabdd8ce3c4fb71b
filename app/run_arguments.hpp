// Arguments of the command line as keys of a run, for the verbs that take them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/start/start_options.hpp"
#include "lab/runs/run_spec.hpp"

namespace daelab::app {

/// The name of the option for a key: "--weights-q" of "weights_q".
std::string option_name(const std::string& key);

/// Adds values, weights and names of a start, as text by their keys, to what a run says of it
/// (core/start/start_options.hpp).
void add_start(const std::map<std::string, std::string>& values, Json& run);

/// The start that an analysis, "" for the problem's own values, and such values say.
StartOptions start_options(const std::string& analysis, const std::map<std::string, std::string>& values);

/// Takes the tolerances of single components out of --atol, "1e-6,q6=1e-8,v1=1e-4".
void separate_atol_components(Json& run);

/// Gives a run without a method radau-iia:s=3, and one without step size and tolerances rtol = 1e-6: whether it did
/// that. Throws InputError without a problem.
bool completed_by_default(Json& run);

/// What options and values of its start say. Throws InputError for an unknown problem or method, which is told first,
/// and where steps are of no size.
RunSpec spec_of_arguments(Json run, const std::map<std::string, std::string>& start);

/// Calls `read`, which reads a run. An InputError at a key of the run, or at one of `options`, names the option
/// instead: /method/r is "--method, option r", /start/q is --q. Errors at other places, such as a file, stay as they
/// are.
void with_option_names(const std::function<void()>& read, const std::vector<std::string>& options = {});

}  // namespace daelab::app
