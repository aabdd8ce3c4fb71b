// Pieces of HTML that the parts of a page share.
#pragma once

#include <string>
#include <vector>

#include "report/page/page.hpp"

namespace daelab {

/// "Files: csv · tex"; "" for none.
std::string file_links(const std::string& folder, const std::vector<std::string>& files);

/// A table that may be wider than the screen: scrolled by itself, also by keyboard.
std::string scrolled(const std::string& label, const std::string& table);

/// Opened by a click, or by a script where a link leads into it.
std::string folded(const std::string& summary, const std::string& html, bool open = false);

/// A drawing as a source of <img>, in double quotes: what would end the attribute or the address is written by its
/// number.
std::string drawing_source(const std::string& svg);

/// "" for none.
std::string command_html(const std::string& command);

/// Provenance of the numbers: its first part in a line, all of it folded.
std::string origin_html(const Origin& origin);

/// A whole page: its content, and the data of its scripts, with the plots' own where there are any.
std::string html_document(const std::string& title, const std::string& body, const std::string& data, bool plots);

/// A whole page without scripts, its title above its content.
std::string still_document(const std::string& title, const std::string& content);

/// Counts of each kind of entry; "" without entries.
std::string counts_html(const Page& page);

/// The entries that differ from what is printed, or from what is expected; "" where there are none.
std::string standing_out_html(const Page& page);

/// Some of them, folded below their counts; "" for none.
std::string folded_entries_html(const std::vector<Judgement>& entries, const std::string& label, const Page& page);

/// All entries, folded, with the tables of the paper side by side.
std::string all_entries_html(const Page& page);

}  // namespace daelab
