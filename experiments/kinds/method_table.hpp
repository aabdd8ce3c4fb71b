// The result of the experiment `method-table`: methods side by side.
#pragma once

#include <string>
#include <vector>

#include "analysis/method_report.hpp"
#include "core/base/status.hpp"
#include "results/members.hpp"

namespace daelab {

struct MethodTableResult {
  struct Row {
    std::string label;
    Json spec;
    StatusCode status = StatusCode::ok;
    std::string cause;
    MethodReport report;
  };
  std::vector<Row> methods;
  std::vector<std::string> columns;
};

/// {"methods": [{"label", "spec", "cells": {COLUMN: as it is printed}, "status", "cause", "report"}], "columns"}: what
/// claims point into.
void members(JsonMembers& json, MethodTableResult& result);

}  // namespace daelab
