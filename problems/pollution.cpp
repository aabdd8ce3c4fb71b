// The chemistry of an air pollution model: 25 reactions among 20 species, rates from 1e-3 to 1e12 [TS], [V].
//
// A reaction goes at the rate k times the product of its reactants, takes one of each and adds its products. The
// species are those of [V], as numbered there: 1 NO2, 2 NO, 3 O3P, 4 O3, 5 HO2, 6 OH, 7 HCHO, 8 CO, 9 ALD, 10 MEO2,
// 11 C2O3, 12 CO2, 13 PAN, 14 CH3O, 15 HNO3, 16 O1D, 17 SO2, 18 SO4, 19 NO3, 20 N2O5 [ppm], time in minutes. Oxygen,
// water and hydrogen of the air are not counted. Nitrogen, carbon and sulphur are conserved:
//   s1 + s2 + s13 + s15 + s19 + 2 s20,  s7 + s8 + 2 s9 + s10 + 2 s11 + s12 + 2 s13 + s14,  s17 + s18.
//
// [TS] Mazzia, Magherini, Test Set for IVP Solvers, release 2.4, 2008, II-2 (POLLU).
// [V] Verwer, Gauss-Seidel iteration for stiff ODEs from chemical kinetics, SIAM J. Sci. Comput. 15 (1994) 1243-1259.
#include <fmt/format.h>

#include <array>

#include "core/mechanism/problem.hpp"

namespace daelab {
namespace {

constexpr int none = 0;  // species count from 1

struct Reaction {
  std::array<int, 2> reactants;
  std::array<int, 3> products;
};

constexpr std::array<Reaction, 25> reactions{{
    {{1, none}, {2, 3, none}},     {{2, 4}, {1, none, none}},    {{5, 2}, {1, 6, none}},
    {{7, none}, {5, 5, 8}},        {{7, none}, {8, none, none}}, {{7, 6}, {5, 8, none}},
    {{9, none}, {5, 8, 10}},       {{9, 6}, {11, none, none}},   {{11, 2}, {1, 10, 12}},
    {{11, 1}, {13, none, none}},   {{13, none}, {1, 11, none}},  {{10, 2}, {1, 14, none}},
    {{14, none}, {5, 7, none}},    {{1, 6}, {15, none, none}},   {{3, none}, {4, none, none}},
    {{4, none}, {16, none, none}}, {{4, none}, {3, none, none}}, {{16, none}, {6, 6, none}},
    {{16, none}, {3, none, none}}, {{17, 6}, {5, 18, none}},     {{19, none}, {2, none, none}},
    {{19, none}, {1, 3, none}},    {{1, 4}, {19, none, none}},   {{19, 1}, {20, none, none}},
    {{20, none}, {1, 19, none}},
}};

struct Pollution {
  static constexpr const char* name = "pollution";
  static constexpr const char* summary = "Air pollution chemistry (POLLU): 25 reactions of 20 species, very stiff.";
  static constexpr const char* source = "Test Set for IVP Solvers 2.4, II-2 (Verwer 1994)";

  std::vector<Exact> k = {"0.35",    "26.6",   "1.23e4", "8.6e-4", "8.2e-4", "1.5e4",  "1.3e-4", "2.4e4",  "1.65e4",
                          "9e3",     "0.022",  "1.2e4",  "1.88",   "1.63e4", "4.8e6",  "3.5e-4", "0.0175", "1e8",
                          "4.44e11", "1.24e3", "2.1",    "5.78",   "0.0474", "1.78e3", "3.12"};
  Exact NO = "0.2", O3 = "0.04", HCHO = "0.1", CO = "0.3", ALD = "0.01", SO2 = "0.007", end_time = 60;

  Options options() {
    return {option("k", k, "rate constants of the 25 reactions [1/min, 1/(ppm min)]", positive()),
            option("NO", NO, "start of species 2; those not named here start at 0 [ppm]", at_least(0)),
            option("O3", O3, "start of species 4 [ppm]", at_least(0)),
            option("HCHO", HCHO, "start of species 7 [ppm]", at_least(0)),
            option("CO", CO, "start of species 8 [ppm]", at_least(0)),
            option("ALD", ALD, "start of species 9 [ppm]", at_least(0)),
            option("SO2", SO2, "start of species 17 [ppm]", at_least(0)),
            option("end_time", end_time, "[min]", positive())};
  }
  void validate(const std::string& where) const {
    if (k.size() != reactions.size())
      throw InputError(where + "/k", fmt::format("has {} rate constants for {} reactions", k.size(), reactions.size()));
  }

  void record(Recording& r) const {
    r.states(20);
    r.start_s[1] = NO, r.start_s[3] = O3, r.start_s[6] = HCHO;
    r.start_s[7] = CO, r.start_s[8] = ALD, r.start_s[16] = SO2;
    for (std::size_t i = 0; i < reactions.size(); ++i) {
      const auto& [reactants, products] = reactions[i];
      Expression rate = r.s[reactants[0] - 1] * k[i];
      if (reactants[1] != none) rate *= r.s[reactants[1] - 1];
      for (const int species : reactants)
        if (species != none) r.rates[species - 1] -= rate;
      for (const int species : products)
        if (species != none) r.rates[species - 1] += rate;
    }
  }
};
const ProblemEntry<Pollution> pollution_entry;

}  // namespace
}  // namespace daelab
