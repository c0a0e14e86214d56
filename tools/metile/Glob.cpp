// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Glob.h"

namespace metile {

bool matchesGlob(std::string_view text, std::string_view glob) {
  size_t t = 0, g = 0;
  // Where to go on when the last '*' must swallow one more character.
  size_t starText = 0, starGlob = glob.npos;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      starGlob = ++g;
      starText = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (starGlob != glob.npos) {
      g = starGlob;
      t = ++starText;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*')
    ++g;
  return g == glob.size();
}

} // namespace metile
