#include "report/page/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "core/base/in_parallel.hpp"
#include "core/base/input_error.hpp"
#include "core/base/number_text.hpp"
#include "core/mechanism/problem.hpp"
#include "report/layout/channels.hpp"
#include "report/layout/curve.hpp"
#include "report/layout/motion.hpp"
#include "report/page/curve_names.hpp"
#include "report/page/headline.hpp"
#include "report/tables/table.hpp"
#include "results/reference_errors.hpp"
#include "results/run_record.hpp"
#include "results/store.hpp"
#include "results/trajectory_store.hpp"

namespace daelab {
namespace {

constexpr int data_format = 2;  // base.js knows it by this number

// As many digits as a plot can show when it is enlarged.
constexpr int plotted_digits = 5, step_digits = 4;

double rounded(double value, int digits) { return number_in(fmt::format("{:.{}g}", value, digits)).value_or(value); }

Json rounded_json(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(rounded(value, plotted_digits));
  return json;
}

// Places in the lists of colours and markers, as the drawing has them.
void add_looks(const Figure& figure, Json& panels) {
  std::vector<Label> labels;
  for (const Panel& panel : figure.panels) add_labels(panel.series, labels);
  const Channels channels = choose_channels(labels);
  for (Json& panel : panels)
    for (Json& series : panel["series"])
      if (const auto look = channels.looks.find(series["label"].get<std::string>()); look != channels.looks.end())
        series["look"] = {look->second.colour, look->second.marker};
}

// With the points of curves that are in trajectory files.
Json figures_json(const Artifacts& artifacts, const std::string& result_dir) {
  Json figures = Json(artifacts)["figures"];
  for (std::size_t f = 0; f < artifacts.figures.size(); ++f) {
    add_looks(artifacts.figures[f], figures[f]["panels"]);
    for (std::size_t p = 0; p < artifacts.figures[f].panels.size(); ++p) {
      const Panel& panel = artifacts.figures[f].panels[p];
      for (std::size_t s = 0; s < panel.series.size(); ++s) {
        if (panel.series[s].file.empty()) continue;
        const Curve curve = load_curve(panel.series[s], panel, result_dir);
        Json& series = figures[f]["panels"][p]["series"][s];
        series["x"] = rounded_json(curve.x), series["y"] = rounded_json(curve.y);
        if (curve.x.size() < curve.total) series["total"] = curve.total;
      }
    }
  }
  for (Json& figure : figures) figure.erase("sketch");
  return figures;
}

// Tables with rows that are not in the page, as they are printed.
Json long_tables_json(const Artifacts& artifacts) {
  Json tables = Json::object();
  for (const Table& table : artifacts.tables)
    if (table.rows.size() > most_html_rows) tables[table.id] = printed_table(table).rows;
  return tables;
}

// Members that all records share are written once.
Json taken_out(std::vector<Json>& records) {
  Json common = Json::object();
  if (records.size() < 2) return common;
  for (const auto& [key, value] : records.front().items()) {
    const auto same = [&, &name = key, &first = value](const Json& record) {
      const Json* found = record.find(name);
      return found && *found == first;
    };
    if (std::all_of(records.begin(), records.end(), same)) common[key] = value;
  }
  in_parallel(records.size(), [&](std::size_t i) {
    for (const auto& [key, value] : common.items()) records[i].erase(key);
  });
  return common;
}

// A set of this many bytes of records keeps what plots and tables need; the rest is in its files.
constexpr std::size_t most_bytes = 12'000'000;

// More runs than these are not in the page at all.
constexpr std::size_t most_runs = 20'000;

// The records that a page shows.
std::vector<Json> records_of(const std::string& result_dir, std::string& missing) {
  if (!std::filesystem::exists(result_dir + "/manifest.json")) return {};
  const Json manifest = read_manifest(result_dir);
  const Json* const runs = manifest.find("runs");
  if (!runs || runs->size() <= most_runs) return read_runs_with_errors(result_dir, true);
  missing += fmt::format(
      "The {} runs are more than a page bears: they stand in runs.jsonl, and tables and figures show what was made of "
      "them. ",
      runs->size());
  return {};
}

// Errors against references belong to the evaluation: {"spec", "points"} of each series that has points.
Json points_json(const Json& analysis) {
  Json points = Json::array();
  if (!analysis.is_object()) return points;
  for (const Json& series : analysis.value("series", Json::array()))
    if (series.is_object() && series.contains("points") && series["points"].is_array())
      points.push_back({{"spec", series.value("spec", Json())}, {"points", series["points"]}});
  return points;
}

// What is drawn of every attempt at a step, without counts. Times need more digits: steps are small beside them.
void shorten_history(Json& record) {
  if (!record.contains("history") || !record["history"].is_object()) return;
  Json history = Json::object();
  for (const auto& [column, digits] :
       {std::pair{"t", 8}, {"h", step_digits}, {"error", step_digits}, {"order", step_digits}, {"outcome", 0}}) {
    const Json* const values = record["history"].find(column);
    if (!values) continue;
    history[column] = *values;
    if (!values->is_array()) continue;
    for (Json& value : history[column])
      if (value.is_number_float()) value = rounded(value.get<double>(), digits);
  }
  record["history"] = history;
}

// Runs with a trajectory, first of all one of each problem, method and formulation: they are looked at side by side.
std::vector<RunHead> moving_runs(const std::vector<Json>& records) {
  std::vector<RunHead> runs;
  for (const Json& record : records)
    if (auto run = record.get<RunHead>();
        !run.trajectory.empty() && run.spec.is_object() && run.spec.contains("method") && run.spec.contains("problem"))
      runs.push_back(std::move(run));
  std::set<std::string> seen;
  std::stable_partition(runs.begin(), runs.end(), [&](const RunHead& run) {
    const Json& spec = run.spec;
    return seen.insert(Json{spec["problem"], spec["method"], spec.value("formulation", Json())}.dump()).second;
  });
  return runs;
}

// What is drawn of runs whose trajectory is stored and whose problem draws something.
Json stored_motions(const std::vector<Json>& records, const std::string& result_dir, std::string& missing) {
  constexpr std::size_t most_motions = 6;
  std::vector<MovingOutline> motions;
  std::vector<std::string> lost;
  for (const RunHead& run : moving_runs(records)) {
    if (motions.size() == most_motions) break;
    const auto text = read_trajectory(trajectory_path(result_dir, run.key));
    if (!text) {
      lost.push_back(run.key);
      continue;
    }
    const auto problem = Registry<Problem>::instance().make(run.spec["problem"], "problem");
    MovingOutline motion = motion_of(*problem, run.key, *text, 240);
    if (motion.frames.empty()) continue;
    motions.push_back(std::move(motion));
  }
  if (!lost.empty())
    missing += fmt::format("The trajectories of {} runs are not there, the first of them that of {}. ", lost.size(),
                           lost.front());
  return motions_json(motions);
}

void add_headline(const Headline& headline, Json& data) {
  data["headline"] = {{"sentence", headline.sentence}, {"facts", Json::array()}};
  for (const Headline::Fact& fact : headline.facts)
    data["headline"]["facts"].push_back({{"name", fact.name}, {"value", fact.value}, {"note", fact.note}});
}

// Adds names of curves to runs. Runs that are compared do not include the reference run.
void add_names(const std::string& result_dir, const Json& analysis, std::vector<Json>& records) {
  if (records.empty()) return;
  const CurveNames names(analysis);
  const Json manifest = read_manifest(result_dir);
  const Json reference = manifest.value("reference", Json()), asked = manifest.value("runs", Json::array());
  const bool is_asked = std::ranges::any_of(asked, [&](const Json& key) { return key == reference; });
  in_parallel(records.size(), [&](std::size_t i) {
    Json& record = records[i];
    const Json key = record.value("key", Json());
    if (!key.is_string()) return;
    if (const Json name = names.of(key.get<std::string>(), spec_in(record)); !name.is_null()) record["named"] = name;
    if (key == reference && !is_asked) record["is_reference"] = true;
  });
}

}  // namespace

Json runs_data(std::vector<Json> records, const CommandOfRun& command_of, std::string& missing) {
  std::vector<std::size_t> sizes(records.size());
  in_parallel(records.size(), [&](std::size_t i) { sizes[i] = records[i].dump().size(); });
  const std::size_t bytes = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  std::vector<Json> specs(records.size());
  in_parallel(records.size(), [&](std::size_t i) {
    Json& record = records[i];
    if (bytes > most_bytes) take_out_states(record);
    record.erase("samples");  // states in all digits, which nothing on a page shows
    shorten_history(record);
    specs[i] = spec_in(record);
    if (command_of && records.size() <= 2000)
      if (const std::string command = command_of(specs[i]); !command.empty()) record["command"] = command;
    record.erase("spec");
  });
  if (bytes > most_bytes)
    missing += fmt::format(
        "The {} MB of records are more than a page bears: states and histories of steps are left "
        "out here and stand in runs.jsonl. ",
        bytes / 1'000'000);
  Json common = taken_out(records);
  common["spec"] = taken_out(specs);
  Json list = Json::array();
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i]["spec"] = std::move(specs[i]);
    list.push_back(std::move(records[i]));
  }
  return {{"common", common}, {"list", list}};
}

Json set_data(const Artifacts& artifacts, const std::string& result_dir, const CommandOfRun& command_of) {
  Json data = {{"name", artifacts.name},
               {"title", artifacts.title},
               {"experiment", artifacts.experiment},
               {"command", artifacts.command},
               {"figures", figures_json(artifacts, result_dir)},
               {"longTables", long_tables_json(artifacts)}};
  std::string missing;
  const auto where_it_can_be_read = [&](const auto& read) {
    try {
      read();
    } catch (const InputError& error) {
      missing += std::string(error.what()) + ". ";
    } catch (const Json::exception&) {
      missing += "A record is not as it was written. ";
    }
  };
  Json analysis;
  where_it_can_be_read([&] { analysis = read_analysis(result_dir); });
  where_it_can_be_read([&] { add_headline(headline_of(analysis), data); });
  std::vector<Json> records;
  where_it_can_be_read([&] { records = records_of(result_dir, missing); });
  where_it_can_be_read([&] { data["motions"] = stored_motions(records, result_dir, missing); });
  where_it_can_be_read([&] { add_names(result_dir, analysis, records); });
  where_it_can_be_read([&] { data["runs"] = runs_data(std::move(records), command_of, missing); });
  where_it_can_be_read([&] { data["points"] = points_json(analysis); });
  data["missing"] = missing;
  return data;
}

std::string page_data(const Page& page) {
  Json sets = Json::array();
  for (const PageSection& section : page.sections) {
    Json data = section.data;
    data["folder"] = section.folder;
    sets.push_back(std::move(data));
  }
  // Bytes that are no UTF-8 are no text at all.
  return Json{{"format", data_format}, {"sets", sets}, {"evidence", page.evidence}, {"paper", !page.reference.empty()}}
      .dump(-1, Json::Utf8::replace);
}

}  // namespace daelab
