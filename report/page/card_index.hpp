// The index of a page about many things, such as the problems of a test set: a small picture and a line of each, which
// lead to its figures, facts and entries.
#pragma once

#include <cstddef>
#include <string>

#include "report/page/page.hpp"

namespace daelab {

/// The cards of all sets; "" if no set has any.
std::string card_index_html(const Page& page);

/// A figure belongs to a card, which shows it.
bool is_in_card(const PageSection& section, const std::string& figure_id);

/// The place of a card on the page, for links.
std::string card_anchor(const PageSection& section, std::size_t number);

/// Curves without axes and names; "" for a figure without any.
std::string miniature_html(const Figure& figure);

/// The entries about the problem of a card.
std::vector<Judgement> entries_of(const Card& card, const Page& page);

}  // namespace daelab
