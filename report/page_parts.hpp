// Pieces of HTML that the parts of a page share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/page.hpp"

namespace daelab {

/// "Files: csv · tex"; "" for none.
std::string file_links(const std::string& folder, const std::vector<std::string>& files);

/// Of bytes in hex digits, such as the hashes of scripts that a content security policy allows.
std::string base64_of_hex(std::string_view hex);

/// A table that may be wider than the screen: scrolled by itself, also by keyboard.
std::string scrolled(const std::string& label, const std::string& table);

/// Opened by a click, or by a script where a link leads into it.
std::string folded(const std::string& summary, const std::string& html, bool open = false);

/// Counts of each kind of entry; "" without entries.
std::string counts_html(const Page& page);

/// The entries that differ from what is printed, or from what is expected; "" where there are none.
std::string standing_out_html(const Page& page);

/// All entries, folded, with the tables of the paper side by side.
std::string all_entries_html(const Page& page);

}  // namespace daelab
