// A generated page that the tree keeps. With HOLDFAST_RENEW_DOCS set in the environment it is
// written.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace holdfast::verify::book {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

/// `page` is a path in the project; `text` is what it should be.
inline void expect_kept(const std::string& page, const std::string& text) {
  const std::string path = std::string(HOLDFAST_SOURCE_DIR) + "/" + page;
  if (std::getenv("HOLDFAST_RENEW_DOCS")) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << page << " is missing";
  std::stringstream kept;
  kept << file.rdbuf();
  const std::string hint = "; to renew it, run this test with HOLDFAST_RENEW_DOCS=1";
  const auto old_lines = lines_of(kept.str());
  const auto new_lines = lines_of(text);
  for (std::size_t n = 0; n < std::min(old_lines.size(), new_lines.size()); ++n)
    ASSERT_EQ(old_lines[n], new_lines[n]) << page << ", line " << n + 1 << hint;
  ASSERT_EQ(kept.str(), text) << page << hint;
}

}  // namespace holdfast::verify::book
