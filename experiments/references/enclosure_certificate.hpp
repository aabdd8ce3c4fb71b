// Certificates: proofs, step by step, that the exact motion of a problem lies within an enclosure (docs/references.md).
#pragma once

#include <string>

#include "core/base/exact.hpp"
#include "core/mechanism/problem.hpp"
#include "core/start/start_options.hpp"
#include "experiments/references/enclosed_equations.hpp"

namespace daelab {

struct CertifiedEnclosure {
  EnclosedEquations equations;
  MotionEnclosure enclosure;
  std::string engine;  // "Arb 2.23.0"
};

/// The motion from the start to t with so many decimals. Throws InputError if the problem has no enclosures, for
/// times that are no decimals, and without the module.
CertifiedEnclosure enclosed_motion(const Problem& problem, const Exact& t, int digits, const StartValues& start);

/// The certificate of an enclosure that is proved to the end.
Json certificate(const Problem& problem, const CertifiedEnclosure& proved);

/// The hash of a certificate: of its text with sorted keys, without blanks and without the hash.
std::string certificate_hash(Json certificate);

}  // namespace daelab
