// Markdown, and what the book is set with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verify/readings/text_printer.hpp"

namespace holdfast::verify::book {

std::string code(std::string_view text);
/// The words of a sentence with its capital and full stop.
std::string sentence(std::string_view words);

/// Where a name is explained, and a link to there: kinds are rule, property, lemma, fault, ...
std::string anchor(std::string_view kind, std::string_view name);
std::string link(std::string_view kind, std::string_view name);

/// "Scheduler.schedule (waiting queue), EncoderCacheManager.free" with the functions as code.
std::string functions(std::string_view upstream);
/// "vLLM #38907, #45347" with the numbers as links.
std::string references(std::string_view reference);

std::string table(const std::vector<std::string>& head,
                  const std::vector<std::vector<std::string>>& rows);
std::string code_block(std::string_view language, const std::vector<std::string>& lines);
std::string bullets(const std::vector<text::Item>& items, std::size_t indent = 0);
/// The same without Markdown, two blanks a level.
void add_plain(const std::vector<text::Item>& items, std::size_t indent,
               std::vector<std::string>& lines);

}  // namespace holdfast::verify::book
