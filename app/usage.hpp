// What the command line can say of itself, from its one definition in CLI11: help, a man page, completion.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace daelab::app {

/// Help in lines that fit the terminal.
std::shared_ptr<CLI::FormatterBase> help_format();

/// Help on the program (""), a verb, or "limits". Throws InputError for another topic.
std::string help_on(const CLI::App& app, const std::string& topic);

/// "daelab 1.0.0 (commit ..., compiler; scalars)"
std::string version_text();

/// The same, and below it which modules there are and which not: those of formats of files, and codes of others that
/// are methods.
std::string version_and_modules();

/// What the command line lacks, or has too much of, with the usage of its verb.
std::string parse_failure(const CLI::App& app, const CLI::ParseError& error);

/// A page for man, section 1.
std::string man_page(const CLI::App& app);

/// What a shell runs to know the words: "bash", "zsh" or "fish". Throws InputError for another one.
std::string completion_script(const std::string& shell);

/// What may stand for an option or a positional, given the words of the line before it.
using Candidates =
    std::map<const CLI::Option*, std::function<std::vector<std::string>(const std::vector<std::string>& words)>>;

/// What the last of the words after "daelab" may become; nothing where file names are meant.
std::vector<std::string> completions(const CLI::App& app, const Candidates& candidates,
                                     const std::vector<std::string>& words);

/// Throws InputError with the known names, and the nearest one, for a verb or an option that does not exist, and for
/// text that is not UTF-8.
void check_arguments(const CLI::App& app, int argc, char** argv);

}  // namespace daelab::app
