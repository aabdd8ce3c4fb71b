// Explicit Runge-Kutta methods by tableau: the classical fourth-order method unless another is named.
#include <filesystem>

#include "core/paths.hpp"
#include "core/runge_kutta.hpp"

namespace daelab {
namespace {

struct RungeKutta {
  static constexpr const char* name = "runge-kutta";
  static constexpr const char* summary = "Explicit Runge-Kutta method, classical of order 4 by default.";
  static constexpr const char* source = "Hairer, Nørsett, Wanner 1993, Sec. II.1";

  std::string tableau_name = "rk4-classical";

  Options options() {
    return {option("tableau", tableau_name,
                   "name of a tableau file of the project (methods/NAME.json), or @file.json")};
  }

  Tableau tableau(const std::string& where) const {
    const std::string path = tableau_path(where);
    Tableau tableau = tableau_from_json(read_json_file(path), path);
    if (!tableau.is_explicit())
      throw InputError(where + "/tableau",
                       tableau.name + " is implicit; give it as the method itself: @file.json");
    return tableau;
  }

 private:
  std::string tableau_path(const std::string& where) const {
    if (tableau_name.starts_with("@")) return tableau_name.substr(1);
    const std::string path = project_path("methods/" + tableau_name + ".json");
    if (std::filesystem::exists(path)) return path;
    std::vector<std::string> known;
    for (const auto& file : std::filesystem::directory_iterator(project_path("methods")))
      if (file.path().extension() == ".json") known.push_back(file.path().stem().string());
    std::sort(known.begin(), known.end());
    const std::string near = nearest_name(tableau_name, known);
    throw InputError(where + "/tableau",
                     fmt::format("no tableau '{}'; known: {}, or @file.json{}", tableau_name, fmt::join(known, ", "),
                                 near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
};
const TableauEntry<RungeKutta> entry;

}  // namespace
}  // namespace daelab
