# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` puts where, and the test that a project outside the tree finds it with
#   find_package(metile COMPONENTS runtime compiler)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/metile)
# Until 1.0 a minor version may change the binary interface.
set(so_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# metile_install_component(NAME target): the target and, apart from those of other components, its
# export set, so that each component can be found without the others.
function(metile_install_component name target)
  set_target_properties(${target} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${so_version})
  install(TARGETS ${target} EXPORT metile-${name}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT metile-${name} NAMESPACE metile:: DESTINATION ${package_dir})
endfunction()

set(METILE_COMPONENTS runtime)
metile_install_component(runtime metile_runtime)
if(METILE_COMPILER)
  list(APPEND METILE_COMPONENTS compiler)
  metile_install_component(compiler metile)
  file(RELATIVE_PATH lib_from_bin
    ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(metile-program PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
  install(TARGETS metile-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY include/metile DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")
else()
  foreach(header artifact code_loader dtype interpreter result runtime)
    install(FILES include/metile/${header}.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/metile)
  endforeach()
  if(METILE_EMULATOR)
    install(FILES include/metile/emulator.h include/metile/emulator_c.h
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/metile)
    install(TARGETS metile-program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    file(RELATIVE_PATH lib_from_bin
      ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(metile-program PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
  endif()
endif()
if(METILE_EMULATOR)
  install(FILES python/metile_check.py DESTINATION ${CMAKE_INSTALL_DATADIR}/metile/python)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/metileConfig.cmake.in metileConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(metileConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/metileConfig.cmake
  ${PROJECT_BINARY_DIR}/metileConfigVersion.cmake DESTINATION ${package_dir})

if(METILE_TESTS)
  list(JOIN METILE_COMPONENTS "," components)
  add_test(NAME package
    COMMAND ${CMAKE_COMMAND}
      -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}/test/package
      -DCOMPILER=${CMAKE_CXX_COMPILER} -DGENERATOR=${CMAKE_GENERATOR}
      "-DSANITIZE=${METILE_SANITIZE}" -DCOMPONENTS=${components}
      -P ${PROJECT_SOURCE_DIR}/test/package/RunPackageTest.cmake)
endif()
