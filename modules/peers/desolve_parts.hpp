// deSolve's Fortran routines, which have no headers. Arguments are passed by address; what they hand on to ours without
// looking at it is the integrator.
//
// Threads. What these codes keep in common blocks and between calls has the same values in all runs, whatever their
// equations, as long as
//   RADAU5   has full Jacobians, a diagonal mass matrix, and its dense output is evaluated by us: of /LINAL/ only
//            MBDIAG is used then, and of /CONRA5/ two constants;
//   DASPK    gets INFO(10) = INFO(11) = INFO(16) = 0: LID, LENID and NONNEG are 41, 0 and 0 then.
#pragma once

#include "modules/peers/peer.hpp"

namespace daelab {

std::unique_ptr<PeerIntegrator> radau5_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                  double* ydot);
std::unique_ptr<PeerIntegrator> daspk_integrator(const PeerTask& task, PeerEquations& equations, double* y,
                                                 double* ydot);

}  // namespace daelab
