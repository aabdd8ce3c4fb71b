// All of daelab for programs: specifications and runs, experiments and papers, stored results.
#pragma once

#include "core/base/input_error.hpp"
#include "experiments/kinds/convergence.hpp"
#include "experiments/kinds/drift.hpp"
#include "experiments/kinds/order_reduction.hpp"
#include "experiments/kinds/stability_interval.hpp"
#include "experiments/kinds/stability_region.hpp"
#include "experiments/kinds/work_precision.hpp"
#include "experiments/runs/config.hpp"
#include "experiments/runs/run.hpp"
#include "experiments/runs/schedule.hpp"
#include "lab/bind.hpp"
#include "lab/project.hpp"
#include "lab/reproduce.hpp"
#include "lab/result_sets.hpp"
#include "results/claims.hpp"
#include "results/run_record.hpp"
