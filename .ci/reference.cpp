// What .ci/build_times measures a machine with: standard headers, templates, and code to optimise. It must stay as it
// is.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

std::map<std::string, std::vector<double>> read(std::istream& in) {
  std::map<std::string, std::vector<double>> columns;
  const std::regex line("([a-z_]+)\\s*=\\s*([0-9.eE+-]+)");
  for (std::string text; std::getline(in, text);)
    for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it)
      columns[(*it)[1]].push_back(std::stod((*it)[2]));
  for (auto& [name, values] : columns) std::stable_sort(values.begin(), values.end(), std::greater<>());
  return columns;
}

using Value = std::variant<double, std::string, std::vector<double>>;

std::unordered_map<std::string, Value> write(const std::map<std::string, std::vector<double>>& columns) {
  std::unordered_map<std::string, Value> values;
  for (const auto& [name, column] : columns)
    values.emplace(std::regex_replace(name, std::regex("_"), "-"),
                   column.size() == 1 ? Value(column[0]) : Value(column));
  return values;
}
