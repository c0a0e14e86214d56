# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes OUTPUT, a C++ source that holds the text of FILES (separated by commas) as
#   metile::emulator::shimFiles(): name and text of each,
# and a digest of SOURCES, what builds kernels, as metile::emulator::recipeId().

string(REPLACE "," ";" files "${FILES}")
set(text "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n")
string(APPEND text "// Written by cmake/EmbedFiles.cmake.\n#include \"Emulator/ShimFiles.h\"\n\n")
string(APPEND text "namespace metile::emulator {\n\nstd::span<const ShimFile> shimFiles() {\n")
string(APPEND text "  static constexpr ShimFile files[] = {\n")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  file(READ ${file} contents)
  string(APPEND text "      {\"${name}\", R\"metile(${contents})metile\"},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n\n} // namespace metile::emulator\n")
string(REPLACE "," ";" sources "${SOURCES}")
foreach(source IN LISTS sources)
  file(SHA256 ${source} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA256 digest "${digests}")
string(APPEND text "\nstd::string_view metile::emulator::recipeId() { return \"${digest}\"; }\n")
file(WRITE ${OUTPUT} "${text}")
