#include "app/usage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "app/terminal.hpp"
#include "core/base/input_error.hpp"
#include "core/base/limits.hpp"
#include "core/base/module.hpp"
#include "core/base/utf8.hpp"
#include "core/integration/method.hpp"
#include "report/layout/shown_text.hpp"
#include "results/provenance.hpp"

namespace daelab::app {
namespace {

class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry_text("  " + make_option_name(option, is_positional) + make_option_opts(option),
                      make_option_desc(option), column, terminal_width());
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    return entry_text("  " + verb->get_name(), verb->get_description(), verb_column, terminal_width());
  }
  std::string make_description(const CLI::App* app) const override {
    return wrapped(app->get_description(), terminal_width(), 0);
  }
  std::string make_footer(const CLI::App* app) const override { return app->get_footer() + "\n"; }

 private:
  static constexpr std::size_t column = 26, verb_column = 14;
};

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  std::vector<const CLI::App*> verbs = app.get_subcommands([](const CLI::App*) { return true; });
  std::erase_if(verbs, [](const CLI::App* verb) { return verb->get_group().empty(); });  // hidden
  return verbs;
}

std::vector<std::string> long_options(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Text for roff: no line becomes a request, hyphens can be copied.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += (c == '.' || c == '\'') && (result.empty() || result.back() == '\n') ? std::string("\\&") + c
                                                                                     : std::string(1, c);
  return result;
}

std::string man_option(const CLI::Option& option) {
  const bool positional = option.get_positional();
  std::string head = "\\fB" + roff(option.get_name(positional, !positional)) + "\\fR";
  if (!positional && option.get_type_size() != 0 && !option.get_type_name().empty())
    head += " \\fI" + roff(option.get_type_name()) + "\\fR";
  if (!option.get_default_str().empty()) head += " (default: " + roff(option.get_default_str()) + ")";
  return fmt::format(".TP\n{}\n{}\n", head, roff(option.get_description()));
}

const CLI::App* verb_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    if (verb->get_name() == name) return verb;
  return nullptr;
}

const CLI::Option* option_named(const CLI::App& verb, const std::string& name) {
  return name.starts_with("-") ? verb.get_option_no_throw(name) : nullptr;
}

// The positional that the last word is: options and their values do not count.
const CLI::Option* positional_of(const CLI::App& verb, const std::vector<std::string>& words) {
  std::size_t place = 0;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const CLI::Option* option = option_named(verb, words[i]);
    if (option != nullptr && option->get_type_size() != 0)
      ++i;
    else if (!words[i].starts_with("-"))
      ++place;
  }
  const std::vector<const CLI::Option*> positionals =
      verb.get_options([](const CLI::Option* option) { return option->get_positional(); });
  return positionals.empty() ? nullptr : positionals[std::min(place, positionals.size() - 1)];
}

// CLI11 names what it does not know, but not what was meant.
void check_options(const CLI::App& verb, int argc, char** argv) {
  std::vector<std::string> known = long_options(verb);
  for (int i = 2; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    const std::string given(argv[i], std::strcspn(argv[i], "="));
    if (!given.starts_with("--") || std::find(known.begin(), known.end(), given) != known.end()) continue;
    throw InputError(fmt::format("{}: no option '{}'{} (known: {})", argv[1], given, did_you_mean(given, known),
                                 fmt::join(known, ", ")));
  }
}

std::string upper_case(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

std::string long_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name() : option.get_lnames().front();
}

// "daelab animate PROBLEM --method METHOD --out OUT [OPTIONS]": what must be there.
std::string usage_of(const CLI::App& verb) {
  std::string text = "daelab " + verb.get_name();
  for (const CLI::Option* option : verb.get_options([](const CLI::Option* one) { return one->get_positional(); }))
    text += " " + upper_case(option->get_name(true)) + (option->get_expected_max() > 1 ? " ..." : "");
  for (const CLI::Option* option : verb.get_options())
    if (option->get_required() && !option->get_positional())
      text += fmt::format(" --{} {}", long_name(*option), upper_case(long_name(*option)));
  return text + " [OPTIONS]";
}

// "PROBLEM, --out are missing"; "" where nothing is.
std::string missing_text(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    if (option->get_required() && option->count() == 0)
      names.push_back(option->get_positional() ? upper_case(option->get_name(true)) : "--" + long_name(*option));
  return names.empty() ? "" : fmt::format("{} {} missing", fmt::join(names, ", "), names.size() == 1 ? "is" : "are");
}

// Methods of other packages, either the present or the lacking ones.
std::vector<std::string> peers(bool present) {
  const Registry<Method>& methods = Registry<Method>::instance();
  std::vector<std::string> names;
  if (!present) {
    for (const auto& [name, what] : methods.missing()) names.push_back(name);
    return names;
  }
  for (const std::string& name : methods.names())
    if (methods.look_up(name)->missing != nullptr) names.push_back(name);
  return names;
}

}  // namespace

std::string parse_failure(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> verbs = app.get_subcommands();  // the verb that was given
  if (verbs.empty()) return fmt::format("{}; usage: daelab VERB; daelab help lists the verbs", error.what());
  const CLI::App& verb = *verbs.front();
  const bool lacks = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  const std::string missing = lacks ? missing_text(verb) : "";
  return fmt::format("{0}: {1}; usage: {2} (more: daelab help {0})", verb.get_name(),
                     missing.empty() ? error.what() : missing, usage_of(verb));
}

std::shared_ptr<CLI::FormatterBase> help_format() { return std::make_shared<HelpFormat>(); }

std::string help_on(const CLI::App& app, const std::string& topic) {
  // help() of the program would be that of the verb on the command line, this one.
  if (topic.empty()) return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
  if (topic == "limits")
    return wrapped(
        "--limit NAME=VALUE changes how much input may ask for, with its present value in brackets: " + limits_help(),
        terminal_width(), 0);
  if (const CLI::App* verb = verb_named(app, topic)) return verb->help("daelab");
  std::vector<std::string> known{"limits"};
  for (const CLI::App* verb : verbs_of(app)) known.push_back(verb->get_name());
  throw InputError(
      fmt::format("help: no topic '{}'{} (known: {})", topic, did_you_mean(topic, known), fmt::join(known, ", ")));
}

std::string version_text() {
  const Provenance build = current_provenance();
  return fmt::format("daelab {} (commit {}, {}; {})", build.version, build.commit, build.compiler,
                     fmt::join(build.scalars, ", "));
}

std::string version_and_modules() {
  std::vector<std::string> there = peers(true), lacking = peers(false);
  for (const auto& [name, words] :
       {std::pair("pdf", "PDF (titles of figures)"), {"hdf5", "HDF5 (packed files)"}, {"enclosures", "Arb (proofs)"}}) {
    std::vector<std::string>& list = missing_module(name, "").empty() ? there : lacking;
    list.insert(list.begin(), words);
  }
  const auto line = [](const char* what, const std::vector<std::string>& names) {
    return names.empty() ? "" : wrapped(fmt::format("{}: {}", what, fmt::join(names, ", ")), terminal_width(), 0);
  };
  return version_text() + "\n" + line("with the modules", there) + line("without the modules", lacking);
}

std::string man_page(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH DAELAB 1 \"\" \"{}\" \"User commands\"\n.SH NAME\n{}\n.SH SYNOPSIS\n.B daelab\n.I VERB\n"
      "[\\fIOPTIONS\\fR]\n.SH VERBS\n",
      roff(version_text()), roff(std::string(app.get_description()).replace(app.get_description().find(':'), 1, " -")));
  for (const CLI::App* verb : verbs_of(app)) {
    page += fmt::format(".SS {}\n{}\n", roff(verb->get_name()), roff(verb->get_description()));
    for (const CLI::Option* option : verb->get_options()) page += man_option(*option);
  }
  return page +
         fmt::format(".SH LIMITS\nNames for \\-\\-limit NAME=VALUE, with their present values: {}.\n",
                     roff(limits_help())) +
         fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", roff(app.get_footer())) +
         ".SH ENVIRONMENT\n.TP\nDAELAB_ROOT\nfolder of methods, problems, experiments and papers\n"
         ".TP\nNO_COLOR\nno colours on a terminal\n";
}

std::string completion_script(const std::string& shell) {
  if (shell == "bash")
    return R"sh(_daelab() {
  local IFS=$'\n'
  COMPREPLY=($(daelab complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _daelab daelab
)sh";
  if (shell == "zsh")
    return R"sh(#compdef daelab
_daelab() {
  local -a found
  found=(${(f)"$(daelab complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
if [[ $funcstack[1] == _daelab ]]; then _daelab "$@"; else compdef _daelab daelab; fi
)sh";
  if (shell == "fish")
    return "complete -c daelab -a '(daelab complete (commandline -opc)[2..-1] (commandline -ct | string collect -a) "
           "2>/dev/null)'\n";
  const std::vector<std::string> known{"bash", "zsh", "fish"};
  throw InputError(fmt::format("completion: no shell '{}'{} (known: {})", shell, did_you_mean(shell, known),
                               fmt::join(known, ", ")));
}

std::vector<std::string> completions(const CLI::App& app, const Candidates& candidates,
                                     const std::vector<std::string>& words) {
  std::vector<std::string> list;
  const std::string last = words.empty() ? "" : words.back();
  const CLI::App* verb = words.size() < 2 ? nullptr : verb_named(app, words.front());
  if (words.size() < 2) {
    for (const CLI::App* known : verbs_of(app)) list.push_back(known->get_name());
  } else if (verb != nullptr && last.starts_with("-")) {
    list = long_options(*verb);
  } else if (verb != nullptr) {
    const CLI::Option* option = option_named(*verb, words[words.size() - 2]);
    if (option == nullptr || option->get_type_size() == 0) option = positional_of(*verb, words);
    if (const auto found = candidates.find(option); found != candidates.end()) list = found->second(words);
  }
  std::erase_if(list, [&](const std::string& word) { return !word.starts_with(last); });
  return list;
}

void check_arguments(const CLI::App& app, int argc, char** argv) {
  // Arguments go into records, tables and messages, which are UTF-8.
  for (int i = 1; i < argc; ++i)
    if (as_utf8(argv[i]) != argv[i])
      throw InputError(fmt::format(
          "argument {}, '{}', is not UTF-8; rename the file, or change the encoding of the terminal", i, argv[i]));
  if (argc < 2 || argv[1][0] == '-') return;
  const CLI::App* verb = verb_named(app, argv[1]);
  if (verb == nullptr) {
    std::vector<std::string> names;
    for (const CLI::App* known : verbs_of(app)) names.push_back(known->get_name());
    throw InputError(
        fmt::format("no verb '{}'{} (known: {})", argv[1], did_you_mean(argv[1], names), fmt::join(names, ", ")));
  }
  if (!verb->get_group().empty()) check_options(*verb, argc, argv);
}

}  // namespace daelab::app
