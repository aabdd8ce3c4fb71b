#!/usr/bin/env python3
"""Errors of Kratos' schemes of Newmark and Bossak: run_kratos.py.

One node with a mass, a spring and a dashpot: u'' = -u - v/10, from u = 1, v = 0.3 and their acceleration.
"""

import importlib.metadata

import KratosMultiphysics as kratos
import KratosMultiphysics.StructuralMechanicsApplication

from problems import ACCELERATIONS, START, solution, write_table


def run(scheme, n):
    part = kratos.Model().CreateModelPart("part")
    part.SetBufferSize(3)
    part.ProcessInfo[kratos.DOMAIN_SIZE] = 3
    for variable in (
        kratos.DISPLACEMENT,
        kratos.VELOCITY,
        kratos.ACCELERATION,
        kratos.REACTION,
        kratos.VOLUME_ACCELERATION,
    ):
        part.AddNodalSolutionStepVariable(variable)
    node = part.CreateNewNode(1, 0.0, 0.0, 0.0)
    for variable in (kratos.DISPLACEMENT_X, kratos.DISPLACEMENT_Y, kratos.DISPLACEMENT_Z):
        node.AddDof(variable)
    node.Fix(kratos.DISPLACEMENT_Y)
    node.Fix(kratos.DISPLACEMENT_Z)
    element = part.CreateNewElement("NodalConcentratedDampedElement3D1N", 1, [1], part.CreateNewProperties(0))
    sma = kratos.StructuralMechanicsApplication
    element.SetValue(kratos.NODAL_MASS, 1.0)
    element.SetValue(sma.NODAL_DISPLACEMENT_STIFFNESS, [1.0, 0.0, 0.0])
    element.SetValue(sma.NODAL_DAMPING_RATIO, [0.1, 0.0, 0.0])
    element.Initialize(part.ProcessInfo)
    for _ in range(3):
        part.CloneTimeStep(0.0)
    for step in range(3):
        node.SetSolutionStepValue(kratos.DISPLACEMENT_X, step, START[0])
        node.SetSolutionStepValue(kratos.VELOCITY_X, step, START[1])
        node.SetSolutionStepValue(kratos.ACCELERATION_X, step, ACCELERATIONS["linear"](0, *START))
    solver = kratos.SkylineLUFactorizationSolver()
    strategy = kratos.ResidualBasedNewtonRaphsonStrategy(
        part,
        scheme,
        kratos.ResidualCriteria(1e-16, 1e-16),
        kratos.ResidualBasedBlockBuilderAndSolver(solver),
        5,
        False,
        False,
        False,
    )
    strategy.SetEchoLevel(0)
    strategy.Initialize()
    for i in range(1, n + 1):
        part.ProcessInfo[kratos.STEP] = i
        part.CloneTimeStep(i / n)
        strategy.InitializeSolutionStep()
        strategy.Predict()
        strategy.SolveSolutionStep()
        strategy.FinalizeSolutionStep()
    return node.GetSolutionStepValue(kratos.DISPLACEMENT_X), node.GetSolutionStepValue(kratos.VELOCITY_X)


kratos.Logger.GetDefaultOutput().SetSeverity(kratos.Logger.Severity.WARNING)
VERSION = f"KratosStructuralMechanics {importlib.metadata.version('KratosStructuralMechanicsApplication')}"
SCHEMES = {
    "newmark": lambda: kratos.ResidualBasedNewmarkDisplacementScheme(),
    "bossak-0.1": lambda: kratos.ResidualBasedBossakDisplacementScheme(-0.1),
    "bossak-0.3": lambda: kratos.ResidualBasedBossakDisplacementScheme(-0.3),
}
for name, make in SCHEMES.items():
    write_table(f"kratos-{name}", lambda n: run(make(), n), solution("linear"), VERSION)
