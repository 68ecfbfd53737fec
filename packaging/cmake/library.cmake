# The library itself: hsm::hsm. And what each of its parts is made by.

# hsm_library(<target> <its name after hsm::>)
function(hsm_library target alias)
  add_library(${target})
  add_library(hsm::${alias} ALIAS ${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON VERSION ${PROJECT_VERSION} SOVERSION ${hsm_major}.${hsm_minor})
  # Whatever a project around us has set for its own: sources have names of their own, the version script says what is shown, and others look for
  # libraries by these names.
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF DEBUG_POSTFIX "")
  target_compile_features(${target} PUBLIC cxx_std_20)
  hsm_installed_beside(${target} "$ORIGIN")
  if(NOT MSVC)
    # Who links with -Wl,--gc-sections leaves out what is not called.
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL Linux)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL SHARED_LIBRARY)
      target_link_options(${target} PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/packaging/shared_library.map)
    endif()
  endif()
endfunction()

# hsm_sources(<target> [SMALL] <source under hsm/>...). Small: where it is not for speed, unless nothing is built for speed anyway.
function(hsm_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 how "SMALL" "" "")
  set(files ${how_UNPARSED_ARGUMENTS})
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/hsm/)
  target_sources(${target} PRIVATE ${files})
  if(how_SMALL AND NOT MSVC)
    set_property(SOURCE ${files} APPEND PROPERTY COMPILE_OPTIONS "$<$<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>>:-Os>")
  endif()
endfunction()

# hsm_find(<target> <package> <Debian package>): hsm_missing grows by what is not there. What is found is there for the whole project: who
# links with a part from another folder links with what that needs, too, and may look for the same package again: some packages refuse if they see
# a part of their targets.
function(hsm_make_global target)
  get_target_property(imported ${target} IMPORTED)
  get_target_property(aliased ${target} ALIASED_TARGET)
  get_target_property(global ${target} IMPORTED_GLOBAL)
  if(NOT imported OR aliased OR global)
    return()
  endif()
  set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
  get_target_property(others ${target} INTERFACE_LINK_LIBRARIES)
  foreach(other IN LISTS others)
    if(TARGET ${other})
      hsm_make_global(${other})
    endif()
  endforeach()
endfunction()
macro(hsm_find target package debian)
  if(NOT TARGET ${target})
    get_directory_property(hsm_before IMPORTED_TARGETS)
    find_package(${package} QUIET)
    if(TARGET ${target})
      get_directory_property(hsm_found IMPORTED_TARGETS) # nothing before CMake 3.21
      if(hsm_found AND hsm_before)
        list(REMOVE_ITEM hsm_found ${hsm_before})
      endif()
      foreach(other IN LISTS hsm_found ITEMS ${target})
        hsm_make_global(${other})
      endforeach()
    else()
      list(APPEND hsm_missing ${debian})
    endif()
  endif()
endmacro()

# Shared libraries find each other wherever they are installed, and the program finds them.
function(hsm_installed_beside target folder)
  if(CMAKE_SYSTEM_NAME STREQUAL Linux AND BUILD_SHARED_LIBS AND NOT DEFINED CMAKE_INSTALL_RPATH)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH ${folder})
  endif()
endfunction()

set(hsm_missing)
hsm_find(fmt::fmt "fmt;9.1" libfmt-dev)
if(hsm_missing)
  message(FATAL_ERROR "hsm: there is no fmt 9.1, or newer (Debian: libfmt-dev)")
endif()

meson_list(sources hsm_sources)
meson_list(once_sources hsm_once_sources)
meson_list(debugger_sources hsm_debugger_sources)
meson_list(headers hsm_headers)

hsm_library(hsm hsm)
hsm_sources(hsm ${hsm_sources})
hsm_sources(hsm SMALL ${hsm_once_sources})
# What debuggers look at is described also where nothing else is.
hsm_sources(hsm ${hsm_debugger_sources})
if(NOT MSVC)
  list(TRANSFORM hsm_debugger_sources PREPEND ${PROJECT_SOURCE_DIR}/hsm/)
  set_property(SOURCE ${hsm_debugger_sources} APPEND PROPERTY COMPILE_OPTIONS -g -O0 $<$<CXX_COMPILER_ID:GNU>:-femit-class-debug-always> $<$<CXX_COMPILER_ID:Clang>:-fstandalone-debug>)
  set_property(SOURCE ${hsm_debugger_sources} APPEND PROPERTY COMPILE_DEFINITIONS "HSM_GDB_SCRIPT=\"${PROJECT_SOURCE_DIR}/packaging/debuggers/hsm_gdb.py\"")
endif()
target_include_directories(hsm PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(hsm PRIVATE fmt::fmt)
# Users compile ops and definitions, too.
target_compile_definitions(hsm PUBLIC $<$<STREQUAL:${HSM_OPS},loop>:HSM_LOOP_OPS> $<$<NOT:$<BOOL:${HSM_LOCATIONS}>>:HSM_NO_LOCATIONS>
  $<$<BOOL:${HSM_PORTABLE}>:HSM_PORTABLE>)
