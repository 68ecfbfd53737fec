# Functions that convert files of machines to C++ when a target is built, with the program `hsm`:
#
#     hsm_generate_constant(game monster.xml HOOKS monster_hooks.hpp)          # monster_chart.hpp, with the constant chart monster::chart
#     hsm_generate_definition(game monster.xml HOOKS monster_hooks.hpp)        # monster_definition.hpp, with monster::make_definition()
#     hsm_generate_registry(game monster.xml HOOKS monster_hooks.hpp)          # monster_registry.cpp, for hsm::load_xml
#
# The generated file belongs to the target, whose sources can include it by its name. HOOKS is the header with the context, guards and hooks. It is
# generated if it does not exist, and never overwritten. NAMESPACE is the namespace of the generated code (default: the name of the file).
# ARGUMENTS are passed to `hsm generate`. You can copy this file to your project: it uses no other file of hsm.

find_program(HSM_PROGRAM hsm HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../../bin"
  "${CMAKE_CURRENT_LIST_DIR}/../../tools/hsm" DOC "The program hsm, which converts files of machines to C++")

function(_hsm_generate format end target file)
  cmake_parse_arguments(PARSE_ARGV 4 how "" "HOOKS;NAMESPACE" "ARGUMENTS")
  if(how_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hsm_generate_${format}: unknown arguments ${how_UNPARSED_ARGUMENTS}; the options are HOOKS, NAMESPACE and ARGUMENTS")
  endif()
  if(TARGET hsm::program) # hsm is built in the same project
    set(program hsm::program)
  elseif(HSM_PROGRAM)
    set(program ${HSM_PROGRAM})
  else()
    message(FATAL_ERROR "hsm_generate_${format}: the program hsm was not found; build hsm with CLI11 and install it, or set HSM_PROGRAM")
  endif()
  get_filename_component(file "${file}" ABSOLUTE)
  get_filename_component(stem "${file}" NAME_WE)
  if(NOT how_HOOKS)
    set(how_HOOKS ${stem}_hooks.hpp)
  endif()
  get_filename_component(hooks "${how_HOOKS}" ABSOLUTE)
  get_filename_component(folder "${hooks}" DIRECTORY)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}_hsm)
  file(MAKE_DIRECTORY ${generated})
  if(how_NAMESPACE)
    list(APPEND how_ARGUMENTS --namespace ${how_NAMESPACE})
  endif()
  add_custom_command(OUTPUT ${generated}/${stem}${end}
    COMMAND ${program} generate ${format} ${file} -o ${generated}/${stem}${end} --hooks ${hooks} ${how_ARGUMENTS}
    DEPENDS ${file} ${program}
    COMMENT "hsm generate ${format} ${stem}"
    VERBATIM)
  target_sources(${target} PRIVATE ${generated}/${stem}${end})
  target_include_directories(${target} PRIVATE ${generated} ${folder})
endfunction()

function(hsm_generate_constant target file)
  _hsm_generate(constant _chart.hpp ${target} ${file} ${ARGN})
endfunction()
function(hsm_generate_definition target file)
  _hsm_generate(definition _definition.hpp ${target} ${file} ARGUMENTS --lines ${ARGN})
endfunction()
function(hsm_generate_registry target file)
  _hsm_generate(registry _registry.cpp ${target} ${file} ${ARGN})
endfunction()
