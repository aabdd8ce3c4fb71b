#!/usr/bin/env python3
"""Errors of Exudyn's generalized-alpha method: run_exudyn.py."""

import importlib.metadata

import exudyn
import exudyn.itemInterface as items

from problems import ACCELERATIONS, START, solution, write_table


def run(problem, rho, n, accelerations=True):
    system = exudyn.SystemContainer()
    mbs = system.AddSystem()
    f = ACCELERATIONS[problem]
    node = mbs.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=[0.0],
            initialCoordinates=[START[0]],
            initialCoordinates_t=[START[1]],
            numberOfODE2Coordinates=1,
        )
    )

    def force(mbs, t, number, q, v):
        return [f(t, q[0], v[0])]

    mbs.AddObject(items.ObjectGenericODE2(nodeNumbers=[node], massMatrix=[[1.0]], forceUserFunction=force))
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.startTime, integration.endTime = n, 0, 1
    integration.generalizedAlpha.spectralRadius = rho
    integration.generalizedAlpha.computeInitialAccelerations = accelerations
    integration.newton.useModifiedNewton = False
    integration.newton.relativeTolerance = 1e-12
    integration.newton.absoluteTolerance = 1e-13
    integration.newton.numericalDifferentiation.forODE2 = True
    integration.verboseMode = 0
    settings.solution.file.write = False
    mbs.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.GeneralizedAlpha)
    return (mbs.systemData.GetODE2Coordinates()[0], mbs.systemData.GetODE2Coordinates_t()[0])


version = f"Exudyn {importlib.metadata.version('exudyn')}"
for rho, problem in ((1, "with-time"), (0.5, "autonomous"), (0.5, "with-time")):
    write_table(f"exudyn-{rho}-{problem}", lambda n: run(problem, rho, n), solution(problem), version)
write_table(
    "exudyn-0.5-no-initial-acceleration-autonomous",
    lambda n: run("autonomous", 0.5, n, False),
    solution("autonomous"),
    version + ", computeInitialAccelerations = False",
)
