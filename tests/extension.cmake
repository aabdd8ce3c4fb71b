# Proves that a method, a problem and a formulation are one file each: PROGRAM is the program with docs/examples/*.cpp
# beside the other methods, problems and formulations, PLAIN the one without, and nothing else changed.
# Run: cmake -D PROGRAM=<program> -D PLAIN=<program> -D ROOT=<source dir> -D WORK=<scratch dir> -D REAL50=<1, or 0 in a double-only build>
#      -P tests/extension.cmake
cmake_minimum_required(VERSION 3.25)
set(ENV{DAELAB_ROOT} ${ROOT})
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

# expect(TEXT ARGUMENT...): the program exits with 0 and its standard output matches TEXT
function(expect text)
  execute_process(COMMAND ${PROGRAM} ${ARGN} WORKING_DIRECTORY ${WORK}
                  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0 OR NOT out MATCHES "${text}")
    message(FATAL_ERROR "daelab ${ARGN}: exit code ${code}, expected 0 and '${text}'\n${out}${err}")
  endif()
endfunction()

set(examples ${ROOT}/docs/examples)
expect("lobatto-iiia" list methods)
expect("bead-on-rotating-wire" list problems)
# Lobatto IIIA with s stages: order 2s - 2, R the diagonal Padé approximant, hence A-stable with |R(inf)| = 1.
expect("order +4 .*A-stable +yes .*L-stable +no" show method lobatto-iiia:s=3)
expect("Padé pair +\\(3, 3\\)" show method lobatto-iiia:s=4)
expect("rate .2. +angular velocity" show problem bead-on-rotating-wire)

# The two together, on every form; a time-dependent constraint, held to round-off at its own level.
expect("\"status\": \"ok\"" solve --problem bead-on-rotating-wire --method lobatto-iiia:s=3 --h 1/100 --json)
expect("status ok" solve --problem bead-on-rotating-wire:rate=3 --formulation index-2 --method lobatto-iiia:s=3 --h 1/100)
expect("position constraint +[0-9.]+e-1[5-9]" solve --problem bead-on-rotating-wire --formulation index-3
       --method radau-iia:s=3 --h 1/100)
if(REAL50)
  expect("status ok" solve --problem bead-on-rotating-wire --method lobatto-iiia:s=4 --h 1/20 --scalar real50 --newton full)
  # Two routes to the solution: the closed form of the example and the 50-digit witness run.
  expect("\"digits_trusted\": [2-4][0-9]" reference bead-on-rotating-wire --t 1)
endif()

# A formulation under a name that no other file knows: theory follows from its traits. Accelerations and multipliers are
# functions of (q, v), so all components have the classical order [HW96, Sec. VI.1, VI.2].
set(row "velocity-feedback +")
expect("${row}5 +5 +5 +5 .*VI\\.1" show method radau-iia:s=3)
expect("${row}4 +4 +4 +4 .*VI\\.1" show method runge-kutta:tableau=rk4-classical)
expect("${row}4 +4 +4 +4 .*HW96, Sec\\. VI\\.2" show method bdf:k=4)
expect("of \\(q, v\\):[ \n]+augmented-lagrangian,[ \n]+baumgarte,[ \n]+braun-goldfarb,[ \n]+coordinate-partitioning,[ \n]+index-1,[ \n]+local-equivalent,[ \n]+maggi,[ \n]+null-space,[ \n]+park-chiou,[ \n]+penalty,[ \n]+penalty-pull-back,[ \n]+projected,[ \n]+udwadia-kalaba,[ \n]+velocity-feedback" show method runge-kutta)
foreach(method runge-kutta radau-iia:s=3 bdf:k=4)
  expect("status ok" solve --problem pendulum --formulation velocity-feedback --method ${method} --h 1/100)
endforeach()

# A method without a compiler, and an experiment with it.
expect("order +2 .*L-stable +yes" show method @${examples}/my_tableau.json)
expect("status ok" solve --problem bead-on-rotating-wire --method @${examples}/my_tableau.json --h 1/100)
set(reference_scalar real50)
if(NOT REAL50)
  set(reference_scalar double)
endif()
expect("index.html" run ${examples}/my_experiment.json --set /reference/scalar=${reference_scalar})
expect("index.html" run ${examples}/my_experiment.json --set /reference/scalar=${reference_scalar}
       --set /common/formulation=velocity-feedback --out on-my-formulation)

# A problem without a compiler, its equations, and an experiment with it.
expect("status ok" solve --problem @${examples}/my_problem.json:L2=2 --method radau-iia:s=3 --h 1/100)
expect("C2 = \\(x2 - x1\\)\\^2 \\+ \\(y2 - y1\\)\\^2 - 1/4" show problem @${examples}/my_problem.json --equations)
expect("index.html" run ${examples}/my_problem_experiment.json)

# expect_runs(EXPECTED CONFIG...): what the program without the examples and then the one with them say of the runs of
# configs, in one results folder; on a busy machine progress is said before
function(expect_runs expected)
  foreach(program ${PLAIN} ${PROGRAM})
    execute_process(COMMAND ${program} run ${ARGN} --out before WORKING_DIRECTORY ${WORK} RESULT_VARIABLE code
                    OUTPUT_QUIET ERROR_VARIABLE err)
    list(APPEND summaries "${code} ${err}")
  endforeach()
  if(NOT summaries MATCHES "${expected}")
    message(FATAL_ERROR "runs of ${ARGN} where a method, a problem and a formulation are added: ${summaries}")
  endif()
endfunction()

# What was computed without them is found again with them: integrations and spectra. The report of a method is made anew,
# for it has the orders on every formulation.
set(lab ${ROOT}/experiments/lab)
expect_runs("^0 (.*\n)?[1-9][0-9]* runs computed, 0 reused\n;0 (.*\n)?0 runs computed, [1-9][0-9]* reused\n$"
            ${ROOT}/experiments/events/restart.json ${ROOT}/experiments/museum/rk4-energy.json ${lab}/spectral-radius-bdf.json)
expect_runs("^0 (.*\n)?1 runs computed, 0 reused\n;0 (.*\n)?1 runs computed, 0 reused\n$" ${lab}/method-report-pade-block.json)
