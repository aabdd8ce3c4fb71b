#include "results/crate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace daelab {
namespace {

Json reference_to(const std::string& id) { return {{"@id", id}}; }

// A list of one is its element there.
Json one_or_list(Json list) { return list.size() == 1 ? Json(list[0]) : std::move(list); }

Json references_to(const std::vector<std::string>& ids) {
  Json list = Json::array();
  for (const std::string& id : ids) list.push_back(reference_to(id));
  return one_or_list(std::move(list));
}

// What the crate keeps to, as entities of their own.
struct Standard {
  const char *address, *name, *version;
};
constexpr Standard process_crate{"https://w3id.org/ro/wfrun/process/0.5", "Process Run Crate", "0.5"},
    run_crate{"https://w3id.org/ro/wfrun/workflow/0.5", "Workflow Run Crate", "0.5"},
    workflow_crate{"https://w3id.org/workflowhub/workflow-ro-crate/1.0", "Workflow RO-Crate", "1.0"},
    workflow_profile{"https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE",
                     "Bioschemas ComputationalWorkflow", "1.0-RELEASE"},
    parameter_profile{"https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE", "Bioschemas FormalParameter",
                      "1.0-RELEASE"};

// Paths are URIs there.
std::string uri_of(const std::string& path) {
  static const std::string plain = "-._~/!$&'()*+,;=:@";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    uri += letter || plain.find(c) != std::string::npos ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

std::string licence_url(const Pack& pack) {
  const std::string licence = pack.entries.value("licence", "");
  return licence.find("://") != std::string::npos ? licence : "https://spdx.org/licenses/" + licence;
}

std::string author_id(const Json& author, std::size_t i) {
  return author.contains("orcid") ? author["orcid"].get<std::string>() : fmt::format("#author-{}", i + 1);
}

std::string media_type(const std::string& path) {
  static const std::pair<const char*, const char*> types[] = {
      {".json", "application/json"}, {".jsonl", "application/jsonl"}, {".csv", "text/csv"},
      {".md", "text/markdown"},      {".html", "text/html"},          {".svg", "image/svg+xml"},
      {".pdf", "application/pdf"},   {".tex", "application/x-tex"},   {".py", "text/x-python"},
      {".cff", "application/yaml"},  {".txt", "text/plain"}};
  if (path == "LICENSE") return "text/plain";
  const std::string end = std::filesystem::path(path).extension();
  for (const auto& [ending, type] : types)
    if (end == ending) return type;
  return "";
}

std::string provenance_text(const CrateSet& set, const char* key) {
  return set.manifest.value("provenance", Json::object()).value(key, std::string());
}

// The date of the latest results.
std::string date_of(const std::vector<CrateSet>& sets) {
  std::string date;
  for (const CrateSet& set : sets) date = std::max(date, provenance_text(set, "date"));
  return date;
}

std::string version_of(const std::vector<CrateSet>& sets) {
  return sets.empty() ? "unknown" : provenance_text(sets.front(), "version");
}

class Crate {
 public:
  Crate(const Pack& pack, const FilesByPath& files, const std::vector<CrateSet>& sets)
      : pack_(pack), files_(files), sets_(sets) {}

  std::string text() {
    add_people_and_licence();
    add_standards();
    add_program();
    for (const auto& [path, bytes] : files_) add_file(path, bytes.size());
    for (const CrateSet& set : sets_) add_run(set);
    add_folder("results/", "Results", "Result sets as daelab stores them: manifests, inputs, runs, analyses.");
    add_folder("report/", "Report", "Page, tables and figures.");
    Json graph = Json::array({descriptor(), root()});
    for (Json& entity : entities_) graph.push_back(std::move(entity));
    return Json({{"@context", "https://w3id.org/ro/crate/1.1/context"}, {"@graph", std::move(graph)}}).dump(1) + "\n";
  }

 private:
  static Json descriptor() {
    return {{"@id", "ro-crate-metadata.json"},
            {"@type", "CreativeWork"},
            {"conformsTo", references_to({"https://w3id.org/ro/crate/1.1", workflow_crate.address})},
            {"about", reference_to("./")}};
  }

  Json root() const {
    std::vector<std::string> runs;
    for (const CrateSet& set : sets_) runs.push_back(run_id(set));
    const std::string title = pack_.entries["title"];
    return {{"@id", "./"},
            {"@type", "Dataset"},
            {"name", title},
            {"description", fmt::format("{} ({}): claims, the runs that decide them, their results and verdicts.",
                                        title, pack_.entries["reference"].get<std::string>())},
            {"datePublished", date_of(sets_)},
            {"license", reference_to(licence_url(pack_))},
            {"author", authors()},
            {"conformsTo", references_to({process_crate.address, run_crate.address, workflow_crate.address})},
            {"mainEntity", reference_to(pack_file_name)},
            {"hasPart", references_to(parts_)},
            {"mentions", references_to(runs)}};
  }

  Json authors() const {
    Json list = Json::array();
    const Json authors = pack_.entries.value("authors", Json::array());
    for (std::size_t i = 0; i < authors.size(); ++i) list.push_back(reference_to(author_id(authors[i], i)));
    return one_or_list(std::move(list));
  }

  void add_people_and_licence() {
    const Json authors = pack_.entries.value("authors", Json::array());
    for (std::size_t i = 0; i < authors.size(); ++i) {
      Json person = {{"@id", author_id(authors[i], i)}, {"@type", "Person"}, {"name", authors[i]["name"]}};
      if (authors[i].contains("affiliation")) {
        const std::string id = fmt::format("#affiliation-{}", i + 1);
        person["affiliation"] = reference_to(id);
        entities_.push_back({{"@id", id}, {"@type", "Organization"}, {"name", authors[i]["affiliation"]}});
      }
      entities_.push_back(std::move(person));
    }
    const std::string licence = pack_.entries.value("licence", "");
    entities_.push_back({{"@id", licence_url(pack_)},
                         {"@type", "CreativeWork"},
                         {"name", licence},
                         {"description", "The licence of this pack: " + licence}});
  }

  void add_standards() {
    for (const Standard& standard : {process_crate, run_crate, workflow_crate, workflow_profile, parameter_profile})
      entities_.push_back({{"@id", standard.address},
                           {"@type", "CreativeWork"},
                           {"name", standard.name},
                           {"version", standard.version}});
  }

  void add_program() {
    entities_.push_back({{"@id", program},
                         {"@type", {"ComputerLanguage", "SoftwareApplication"}},
                         {"name", "daelab"},
                         {"alternateName", "packs of daelab"},
                         {"version", version_of(sets_)},
                         {"softwareVersion", version_of(sets_)}});
    for (const char* name : {"configs", "results"})
      entities_.push_back({{"@id", std::string("#parameter-") + name},
                           {"@type", "FormalParameter"},
                           {"conformsTo", reference_to(parameter_profile.address)},
                           {"name", name},
                           {"additionalType", name == std::string("configs") ? "File" : "Dataset"},
                           {"valueRequired", true}});
  }

  // Files of results and report are parts of these folders.
  void add_file(const std::string& path, std::size_t bytes) {
    if (path.starts_with("results/") || path.starts_with("report/")) return;
    Json file = {{"@id", uri_of(path)}, {"@type", "File"}, {"name", path}, {"contentSize", std::to_string(bytes)}};
    if (const std::string type = media_type(path); !type.empty()) file["encodingFormat"] = type;
    if (path == pack_file_name) {
      file["@type"] = {"File", "SoftwareSourceCode", "ComputationalWorkflow"};
      file["name"] = pack_.entries["title"];
      file["description"] = "What is claimed, and which results decide it; daelab reproduce carries it out.";
      file["programmingLanguage"] = reference_to(program);
      file["license"] = reference_to(licence_url(pack_));
      file["conformsTo"] = reference_to(workflow_profile.address);
      file["creator"] = authors();
      file["version"] = "1";
      file["dateCreated"] = date_of(sets_);
      file["input"] = references_to({"#parameter-configs"});
      file["output"] = references_to({"#parameter-results"});
    }
    if (path == "README.md") file["about"] = reference_to("./");
    if (is_config(path)) file["exampleOfWork"] = reference_to("#parameter-configs");
    parts_.push_back(uri_of(path));
    entities_.push_back(std::move(file));
  }

  bool is_config(const std::string& path) const {
    return std::ranges::any_of(sets_, [&](const CrateSet& set) { return set.config == path; });
  }

  void add_folder(const std::string& id, const char* name, const char* description) {
    parts_.push_back(id);
    entities_.push_back({{"@id", id}, {"@type", "Dataset"}, {"name", name}, {"description", description}});
  }

  // The first author.
  Json agent() const {
    const Json all = authors();
    return all.is_array() ? (all.empty() ? Json() : Json(all[0])) : all;
  }

  static std::string run_id(const CrateSet& set) { return "#run-" + uri_of(set.name); }

  void add_run(const CrateSet& set) {
    const std::string folder = "results/" + uri_of(set.name) + "/";
    std::vector<std::string> objects{uri_of(set.config)};
    for (const std::string& input : set.inputs) objects.push_back(uri_of(input));
    Json run = {{"@id", run_id(set)},
                {"@type", "CreateAction"},
                {"name", "daelab reproduce " + pack_.name + ": " + set.name},
                {"description", set.manifest.value("command", std::string())},
                {"instrument", reference_to(pack_file_name)},
                {"object", references_to(objects)},
                {"result", references_to({folder})},
                {"agent", agent()},
                {"actionStatus", "http://schema.org/CompletedActionStatus"},
                {"startTime", set.manifest.value("created", std::string())},
                {"endTime", provenance_text(set, "date")}};
    entities_.push_back(std::move(run));
    add_folder(folder, set.name.c_str(), "The result set of this config.");
    entities_.back()["exampleOfWork"] = reference_to("#parameter-results");
  }

  static constexpr const char* program = "#daelab";
  const Pack& pack_;
  const FilesByPath& files_;
  const std::vector<CrateSet>& sets_;
  std::vector<Json> entities_;
  std::vector<std::string> parts_;  // of the root
};

}  // namespace

std::string crate_metadata(const Pack& pack, const FilesByPath& files, const std::vector<CrateSet>& sets) {
  return Crate(pack, files, sets).text();
}

std::string versions_text(const std::vector<CrateSet>& sets) {
  Json versions = {{"daelab", version_of(sets)}, {"sets", Json::object()}};
  for (const CrateSet& set : sets) versions["sets"][set.name] = set.manifest.value("provenance", Json::object());
  return versions.dump(1) + "\n";
}

std::string citation_text(const Pack& pack, const std::vector<CrateSet>& sets) {
  // Texts of JSON are texts of YAML.
  std::string text = "cff-version: 1.2.0\nmessage: Please cite this pack, and the work that it reproduces, as below.\n";
  text += "type: dataset\ntitle: " + pack.entries["title"].dump() + "\nauthors:\n";
  for (const Json& author : pack.entries.value("authors", Json::array())) {
    text += "  - name: " + author["name"].dump() + "\n";
    if (author.contains("orcid")) text += "    orcid: " + author["orcid"].dump() + "\n";
  }
  const std::string licence = pack.entries.value("licence", "");
  text += (licence.find("://") == std::string::npos ? "license: " : "license-url: ") + Json(licence).dump() + "\n";
  text += "date-released: " + date_of(sets).substr(0, 10) + "\n";
  return text + "abstract: " + Json("Of: " + pack.entries["reference"].get<std::string>()).dump() + "\n";
}

std::string readme_text(const Pack& pack) {
  return fmt::format(
      "# {0}\n\nOf: {1}\n\nThis archive is a pack of daelab: claims, the runs that decide them, their "
      "results and verdicts.\n`report/index.html` shows them. `daelab reproduce` of the archive computes "
      "everything again and judges it,\n`daelab rerun` of it compares all runs with those of `results/` "
      "bit by bit.\n",
      pack.entries["title"].get<std::string>(), pack.entries["reference"].get<std::string>());
}

std::string licence_text(const Pack& pack) {
  return fmt::format("SPDX-License-Identifier: {0}\n\nThis pack is available under the licence {0}: {1}\n",
                     pack.entries.value("licence", ""), licence_url(pack));
}

}  // namespace daelab
