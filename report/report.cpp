#include "report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/base/in_parallel.hpp"
#include "core/base/json_kind.hpp"
#include "core/base/options.hpp"
#include "core/base/paths.hpp"
#include "core/base/write_file.hpp"
#include "report/figures/figure.hpp"
#include "report/figures/pgf.hpp"
#include "report/layout/channels.hpp"
#include "report/layout/layout.hpp"
#include "report/layout/shown_text.hpp"
#include "report/page/page.hpp"
#include "report/page/page_sources.hpp"
#include "report/page/stored_artifacts.hpp"
#include "report/tables/bibliography.hpp"
#include "report/tables/latex_table.hpp"
#include "report/tables/table.hpp"
#include "results/evidence.hpp"
#include "results/packs.hpp"
#include "results/run_record.hpp"
#include "results/set_files.hpp"
#include "results/store.hpp"
#include "results/verdicts.hpp"

namespace daelab {
namespace {

namespace fs = std::filesystem;

void check(const ReportSettings& settings) {
  const std::set<std::string>& formats = settings.formats;
  if (settings.columns != 1 && settings.columns != 2)
    throw InputError(fmt::format("LaTeX tables are written for 1 or 2 columns of text, not {}", settings.columns));
  if (!(settings.width >= narrowest_figure && settings.width <= widest_figure))
    throw InputError(
        fmt::format("figures are {} to {} mm wide, not {}", narrowest_figure, widest_figure, settings.width));
  if (formats.empty())
    throw InputError(fmt::format("no report format given; allowed: {}", fmt::join(report_formats(), ", ")));
  for (const std::string& format : formats)
    if (!report_formats().count(format))
      throw InputError(fmt::format("no report format '{}'; allowed: {}", format, fmt::join(report_formats(), ", ")));
}

// "table-1" for the first set of that name, "table-1-2" for the second.
std::string unused_folder(const std::string& name, std::set<std::string>& used) {
  const std::string stem = file_stem(name);
  std::string folder = stem;
  for (int i = 2; !used.insert(folder).second; ++i) folder = fmt::format("{}-{}", stem, i);
  return folder;
}

using Writer = std::string (*)(const Table&, const LatexSetting&);
constexpr std::pair<const char*, Writer> table_writers[] = {
    {"tex", table_to_latex},
    {"md", [](const Table& table, const LatexSetting&) { return table_to_markdown(table); }},
    {"csv", [](const Table& table, const LatexSetting&) { return table_to_csv(table); }}};

// The command is where it can be read without becoming part of the data or of the typeset page.
std::string with_command(const std::string& format, const std::string& text, const std::string& command) {
  if (command.empty()) return text;
  if (format == "tex") return latex_heading(command, latex_preamble) + text;
  if (format == "md") return text + "\nMade by: `" + command + "`\n";
  return text;
}

// Everything that people read, as it is printed.
Artifacts with_typeset_text(Artifacts artifacts) {
  for (std::string& note : artifacts.notes) note = typeset(note);
  for (Table& table : artifacts.tables) {
    table.caption = typeset(readable_specs(table.caption));
    for (Column& column : table.columns) column.label = typeset(column.label);
  }
  for (Figure& figure : artifacts.figures) {
    figure.caption = typeset(readable_specs(figure.caption));
    for (Panel& panel : figure.panels) {
      panel.x_label = typeset(panel.x_label), panel.y_label = typeset(panel.y_label);
      for (Series& series : panel.series) {
        series.label = typeset(readable_specs(series.label));
        for (Factor& factor : series.factors) factor.value = typeset(readable_specs(factor.value));
      }
    }
    figure = with_constants_in_caption(std::move(figure));
  }
  for (Card& card : artifacts.cards) {
    card.title = readable_specs(card.title), card.line = typeset(card.line);
    for (Factor& fact : card.facts) fact.value = typeset(readable_specs(fact.value));
  }
  return artifacts;
}

// The tables and figures of these names alone. Throws InputError for a name that no result set has.
void keep_only(const std::vector<std::string>& names, std::vector<Artifacts>& results) {
  if (names.empty()) return;
  std::vector<std::string> known;
  for (const Artifacts& artifacts : results) {
    for (const Table& table : artifacts.tables) known.push_back(table.id);
    for (const Figure& figure : artifacts.figures) known.push_back(figure.id);
  }
  for (const std::string& name : names)
    if (std::ranges::find(known, name) == known.end())
      throw InputError(fmt::format("--only: no table or figure '{}'{} (known: {})", name, did_you_mean(name, known),
                                   fmt::join(known, ", ")));
  const auto is_left_out = [&](const auto& one) { return std::ranges::find(names, one.id) == names.end(); };
  for (Artifacts& artifacts : results)
    std::erase_if(artifacts.tables, is_left_out), std::erase_if(artifacts.figures, is_left_out);
}

// One file per text format that is asked for; several tables follow each other.
std::vector<std::string> write_tables(const std::vector<Table>& tables, const std::string& stem, const fs::path& folder,
                                      const std::set<std::string>& formats, const std::string& command,
                                      const LatexSetting& setting) {
  std::vector<std::string> files;
  for (const auto& [format, write] : table_writers)
    if (formats.count(format)) files.push_back(stem + "." + format);
  in_parallel(std::size(table_writers), [&](std::size_t i) {
    const auto& [format, write] = table_writers[i];
    if (!formats.count(format)) return;
    std::string text;
    for (const Table& table : tables) text += (text.empty() ? "" : "\n") + write(table, setting);
    write_file((folder / fmt::format("{}.{}", stem, format)).string(), with_command(format, text, command));
  });
  return files;
}

std::vector<std::string> write_verdicts(const std::vector<Judgement>& judgements, const fs::path& folder,
                                        const std::set<std::string>& formats, const LatexSetting& setting) {
  std::vector<std::string> files;
  for (const char* format : {"tex", "md", "csv"}) {
    if (judgements.empty()) fs::remove(folder / fmt::format("verdicts.{}", format));  // of an earlier report
    if (judgements.empty() || !formats.count(format)) continue;
    // CSV is one table for a program to read; the others follow kinds and the tables of the paper.
    const bool one = std::string(format) == "csv";
    const auto tables = one ? std::vector{verdict_table(judgements)} : verdict_tables(judgements);
    for (std::string& file : write_tables(tables, "verdicts", folder, {format}, "", setting))
      files.push_back(std::move(file));
  }
  return files;
}

void add_files(std::vector<std::string>& all, const std::string& folder, const std::vector<std::string>& files) {
  for (const std::string& file : files) all.push_back(folder + "/" + file);
}

// A folder of a report is the report's own: a link there could lead what is written anywhere.
void open_folder(const fs::path& folder) {
  if (fs::is_symlink(folder))
    throw InputError(
        fmt::format("{} is a symbolic link, which is not followed: remove it, or write the report to "
                    "another folder by --to",
                    folder.string()));
  fs::create_directories(folder);
  remove_unfinished_files(folder.string());
}

// What LaTeX can include, the best of what is made: labels of pgfplots are in the font of the paper.
std::string drawing_for_latex(const std::set<std::string>& formats) {
  for (const char* format : {"pgf", "pdf", "png"})
    if (formats.contains(format)) return format;
  return "";
}

// Formats that others need: a page shows SVG, and LaTeX includes a drawing.
std::set<std::string> completed(std::set<std::string> formats) {
  if (formats.contains("html")) formats.insert("svg");
  if (formats.contains("tex") && drawing_for_latex(formats).empty()) formats.insert("pdf");
  return formats;
}

// All of a set but what gnuplot draws, which is left to `scripts`.
PageSection write_section(const std::string& result_dir, Artifacts artifacts, const std::string& folder,
                          const fs::path& report_dir, const ReportSettings& settings, const LatexSetting& setting,
                          std::vector<GnuplotScript>& scripts) {
  PageSection section;
  section.folder = folder;
  const std::set<std::string>& formats = settings.formats;
  const fs::path target = report_dir / folder;
  open_folder(target);
  for (const Table& table : artifacts.tables)
    section.table_files[table.id] =
        write_tables({table}, file_stem(table.id), target, formats, artifacts.command, setting);
  const bool are_drawn = std::ranges::any_of(figure_formats(), [&](const auto& one) { return formats.contains(one); });
  for (Figure& figure : artifacts.figures) {
    if (!are_drawn) break;
    WrittenFigure written =
        write_sources(figure, result_dir, target.string(), {formats, settings.width, artifacts.command});
    if (written.script) scripts.push_back(std::move(*written.script));
    figure.caption = std::move(written.caption);
    std::vector<std::string>& files = section.figure_files[figure.id];
    files = std::move(written.files);
    if (!formats.contains("tex")) continue;
    files.push_back(file_stem(figure.id) + ".fig.tex");
    const std::string text = figure_to_latex(figure, folder, drawing_for_latex(formats), setting, settings.width);
    const std::string needs = drawing_for_latex(formats) == "pgf" ? pgf_preamble : "";
    const std::string begin = latex_heading(artifacts.command, "\\usepackage{graphicx}" + needs);
    write_file((target / files.back()).string(), begin + text);
  }
  section.artifacts = std::move(artifacts);
  return section;
}

// What a page shows of its figures, which may be sent without the files beside it.
void read_drawings(PageSection& section, const fs::path& report_dir) {
  for (const auto& [id, files] : section.figure_files)
    for (const std::string& file : files)
      if (file.ends_with(".svg"))
        section.drawings[id] = file_bytes((report_dir / section.folder / file).string()).value_or("");
}

bool has_pgf(const Page& page) {
  for (const PageSection& section : page.sections)
    for (const auto& [id, files] : section.figure_files)
      if (std::ranges::any_of(files, [](const std::string& file) { return file.ends_with(".pgf.tex"); })) return true;
  return false;
}

// A document that holds every table and figure and compiles alone.
std::string whole_document(const Page& page, int columns) {
  std::string text =
      fmt::format("\\documentclass{}{{article}}\n\\usepackage{{graphicx,amsmath}}\n{}\n\\extrafloats{{200}}\n",
                  columns == 2 ? "[twocolumn]" : "", latex_preamble);
  // Tables are made for columns of 246 pt, which journals have; the class has 229.5 pt.
  if (columns == 2)
    text += "\\setlength{\\textwidth}{510pt}\\setlength{\\columnsep}{18pt}\\setlength{\\oddsidemargin}{-20pt}\n";
  if (has_pgf(page)) text += std::string(pgf_preamble) + "\n";
  text += fmt::format("\\title{{{}}}\n\\date{{}}\n\\emergencystretch=3em\n\\begin{{document}}\n\\maketitle\n",
                      escape_latex(page.title));
  const auto input = [&](const std::string& folder, const std::vector<std::string>& files) {
    for (const std::string& file : files)
      if (file.ends_with(".tex") && !file.ends_with(".pgf.tex")) text += fmt::format("\\input{{{}{}}}\n", folder, file);
  };
  input("", page.verdict_files);
  for (const PageSection& section : page.sections) {
    const std::string title = escape_latex(typeset(section.artifacts.title));
    text += fmt::format("\\section[{{{0}}}]{{\\raggedright {0}}}\n", title);
    for (const Figure& figure : section.artifacts.figures)
      if (const auto files = section.figure_files.find(figure.id); files != section.figure_files.end())
        input(section.folder + "/", files->second);
    for (const Table& table : section.artifacts.tables) input(section.folder + "/", section.table_files.at(table.id));
    text += "\\clearpage\n";
  }
  return text + "\\nocite{*}\n\\bibliographystyle{plain}\n\\bibliography{references}\n\\end{document}\n";
}

// What the runs of the sets rest on.
std::string references_of(const std::vector<std::string>& result_dirs) {
  std::set<std::string> sources;
  for (const std::string& dir : result_dirs) {
    if (!fs::exists(fs::path(dir) / "manifest.json")) continue;
    visit_run_heads(dir, true, [&](const RunHead& run) {
      for (const std::string& source : sources_of(run.spec)) sources.insert(source);
    });
  }
  return "% The works that the runs of this report rest on.\n\n" + bibliography_of({sources.begin(), sources.end()});
}

// The name of the folder of a paper, when its claims are known.
std::optional<std::string> paper_of(const std::string& paper_dir) {
  if (paper_dir.empty() || fs::exists(fs::path(paper_dir) / "result.json")) return std::nullopt;
  const fs::path path = fs::absolute(paper_dir).lexically_normal();
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

// `entries`: of the paper, null where they are not known.
std::string page_title(const std::string& paper_dir, const Json& entries) {
  if (paper_dir.empty()) return "daelab results";
  const std::optional<std::string> paper = paper_of(paper_dir);
  if (!paper) return read_artifacts(paper_dir).title;
  if (entries.is_null()) return "Reproduction of " + *paper;
  return fmt::format("Reproduction of {}: {}", *paper, entries["title"].get<std::string>());
}

}  // namespace

const std::set<std::string>& report_formats() {
  static const std::set<std::string> formats = [] {
    std::set<std::string> all = figure_formats();
    all.insert({"tex", "md", "csv", "html"});
    return all;
  }();
  return formats;
}

namespace {

void tell_of(const Artifacts& set, ReportSummary& summary) {
  const TerminalText text = set.terminal.value_or(TerminalText{});
  for (std::size_t i = 0; i < set.tables.size() && i < static_cast<std::size_t>(text.tables); ++i)
    summary.main_tables.push_back(set.tables[i]);
  summary.faults = text.faults, summary.remarks = text.remarks;
}

}  // namespace

ReportSummary write_report(const std::vector<std::string>& result_dirs, const std::string& report_dir,
                           const ReportSettings& settings) {
  check(settings);
  ReportSettings complete = settings;
  complete.formats = completed(settings.formats);
  const std::set<std::string>& wanted = complete.formats;

  // Everything is read before anything is written.
  std::vector<Artifacts> results;
  for (const std::string& dir : result_dirs) results.push_back(with_typeset_text(read_artifacts(dir)));
  keep_only(settings.only, results);
  Page page;
  const std::string paper = paper_of(settings.paper_dir).value_or("");
  const Json entries = paper.empty() ? Json() : entries_of_results(settings.paper_dir, paper);
  page.title =
      results.size() == 1 && settings.paper_dir.empty() ? results[0].title : page_title(settings.paper_dir, entries);
  page.judgements = read_verdicts(settings.paper_dir);

  ReportSummary summary;
  if (!results.empty()) tell_of(results[0], summary);
  fs::create_directories(report_dir);
  const OpenFile lock = lock_when_free(report_dir);
  remove_unfinished_files(report_dir);
  // Labels are unique across the sets of a paper and across papers.
  if (!entries.is_null()) page.reference = entries["reference"];
  page.verdict_files =
      write_verdicts(page.judgements, report_dir, wanted,
                     {settings.columns, paper, paper.empty() && !results.empty() ? results[0].name : ""});
  summary.files = page.verdict_files;
  std::set<std::string> folders;
  std::vector<GnuplotScript> scripts;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string folder = unused_folder(results[i].name, folders);
    const LatexSetting setting = {settings.columns, paper, folder};
    page.sections.push_back(
        write_section(result_dirs[i], std::move(results[i]), folder, report_dir, complete, setting, scripts));
    const PageSection& section = page.sections.back();
    summary.tables += section.artifacts.tables.size();
    summary.figures += section.artifacts.figures.size();
    for (const auto& [id, files] : section.table_files) add_files(summary.files, folder, files);
    for (const auto& [id, files] : section.figure_files) add_files(summary.files, folder, files);
  }
  draw(scripts);
  summary.result_sets = page.sections.size();
  summary.verdicts = count_verdicts(page.judgements);
  std::string references;
  // What each reads and makes is its own.
  in_parallel(page.sections.size() + 1, [&](std::size_t i) {
    if (i < page.sections.size() && wanted.count("html"))
      page.sections[i].data = set_data(page.sections[i].artifacts, result_dirs[i], settings.command_of);
    else if (i == page.sections.size() && wanted.count("tex"))
      references = references_of(result_dirs);
  });
  if (wanted.count("tex")) {
    summary.files.insert(summary.files.end(), {"report.tex", "references.bib"});
    write_file((fs::path(report_dir) / "references.bib").string(), references);
    write_file((fs::path(report_dir) / "report.tex").string(), whole_document(page, settings.columns));
  }
  if (wanted.count("html")) {
    for (PageSection& section : page.sections) read_drawings(section, report_dir);
    if (!result_dirs.empty()) page.origin = origin_of(result_dirs.front());
    page.evidence = evidence_json(entries, result_dirs);
    if (!entries.is_null()) page.problems = problems_of(entries);
    summary.index = (fs::path(report_dir) / "index.html").string();
    summary.files.push_back("index.html");
    summary.headline = sentence_of(page), summary.drawing = main_drawing(page);
    write_file(summary.index, page_to_html(page));
  }
  return summary;
}

}  // namespace daelab
