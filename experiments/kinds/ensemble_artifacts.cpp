// Tables and figures of ensembles, from their result.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/kinds/ensemble.hpp"

namespace daelab {
namespace {

using Group = Ensemble::Group;
using Quantity = Ensemble::Quantity;

std::string percent(double part) { return fmt::format("{:g} %", 100 * part); }

Table statistics_table(const Ensemble& spec, const Config& config, const Ensemble::Result& result) {
  Table table{config.name,
              fmt::format("{} Statistics over the runs that ended well: of states at the end, of other quantities over "
                          "the run; the standard error is that of the mean.",
                          spec.caption.empty() ? config.title + "." : spec.caption),
              {{"Runs", "", CellFormat::text, 0},
               {"Quantity", "", CellFormat::text, 0},
               {"Number", "", CellFormat::integer, 0},
               {"Mean", "", CellFormat::scientific, 6},
               {"Standard error", "", CellFormat::scientific, 2},
               {"Deviation", "", CellFormat::scientific, 4},
               {"Least", "", CellFormat::scientific, 4}},
              {}};
  for (const double part : result.quantiles) table.columns.push_back({percent(part), "", CellFormat::scientific, 4});
  table.columns.push_back({"Largest", "", CellFormat::scientific, 4});
  for (const Group& group : result.groups)
    for (const Quantity& quantity : group.quantities) {
      if (!quantity.statistics) continue;
      const SampleStatistics& x = *quantity.statistics;
      TableRow row{group.label, quantity_words(quantity.name), group.ended, x.mean, x.standard_error, x.deviation,
                   x.least};
      for (const double value : x.quantiles) row.push_back(value);
      row.push_back(x.largest);
      table.rows.push_back(std::move(row));
    }
  return table;
}

// Groups with the quantity of this name, one panel for all of them.
template <class MakeSeries>
Figure figure_of_quantities(const std::string& id, const std::string& caption, const Ensemble::Result& result,
                            const MakeSeries& add_series) {
  Figure figure{id, caption, {}};
  for (const Quantity& named : result.groups.front().quantities) {
    Panel panel;
    for (const Group& group : result.groups)
      for (const Quantity& quantity : group.quantities)
        if (quantity.name == named.name) add_series(panel, group, quantity);
    if (!panel.series.empty()) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

// Parts of the runs over the width of an interval: of many runs the probability density.
void add_density(Panel& panel, const Group& group, const Quantity& quantity) {
  if (!quantity.statistics) return;
  const Histogram& bars = quantity.histogram;
  panel.x_label = quantity_words(quantity.name), panel.y_label = "density";
  Series outline;
  outline.label = group.label;
  const auto add = [&](double x, double y) { outline.x.push_back(x), outline.y.push_back(y); };
  add(bars.edges.front(), 0);
  long all = 0;
  for (const long count : bars.counts) all += count;
  for (std::size_t k = 0; k < bars.counts.size(); ++k) {
    const double height =
        static_cast<double>(bars.counts[k]) / static_cast<double>(all) / (bars.edges[k + 1] - bars.edges[k]);
    add(bars.edges[k], height), add(bars.edges[k + 1], height);
  }
  add(bars.edges.back(), 0);
  panel.series.push_back(std::move(outline));
}

// The mean, within a band between the outermost quantiles.
void add_course(Panel& panel, const Group& group, const Quantity& quantity, const std::vector<double>& parts) {
  const Ensemble::Course& course = quantity.course;
  if (course.t.empty()) return;
  panel.x_label = "time [s]", panel.y_label = quantity_words(quantity.name);
  if (parts.size() > 1) {
    const auto [low, high] = std::ranges::minmax_element(parts);
    Series band;
    band.label =
        fmt::format("{}{}{} to {}", group.label, group.label.empty() ? "" : ", ", percent(*low), percent(*high));
    band.style = CurveStyle::filled;
    const auto add = [&](std::size_t k, std::size_t quantile) {
      band.x.push_back(course.t[k]), band.y.push_back(course.statistics[k].quantiles[quantile]);
    };
    for (std::size_t k = 0; k < course.t.size(); ++k) add(k, static_cast<std::size_t>(low - parts.begin()));
    for (std::size_t k = course.t.size(); k-- > 0;) add(k, static_cast<std::size_t>(high - parts.begin()));
    panel.series.push_back(std::move(band));
  }
  Series mean;
  mean.label = group.label.empty() ? "mean" : group.label + ", mean";
  mean.x = course.t;
  for (const SampleStatistics& x : course.statistics) mean.y.push_back(x.mean);
  panel.series.push_back(std::move(mean));
}

}  // namespace

Artifacts Ensemble::present(const Config& config, const Result& result) const {
  Artifacts artifacts;
  artifacts.tables.push_back(statistics_table(*this, config, result));
  for (const Group& group : result.groups)
    if (group.ended < group.runs)
      artifacts.notes.push_back(fmt::format("{}{}{} of {} runs failed, and are left out", group.label,
                                            group.label.empty() ? "" : ": ", group.runs - group.ended, group.runs));
  const auto keep = [&](Figure figure) {
    if (!figure.panels.empty()) artifacts.figures.push_back(std::move(figure));
  };
  keep(figure_of_quantities(config.name + "-histograms", "How the runs that ended well are distributed.", result,
                            add_density));
  keep(figure_of_quantities(config.name + "-courses", "Means over time, and what most runs are within.", result,
                            [&](Panel& panel, const Group& group, const Quantity& quantity) {
                              add_course(panel, group, quantity, result.quantiles);
                            }));
  return artifacts;
}

}  // namespace daelab
