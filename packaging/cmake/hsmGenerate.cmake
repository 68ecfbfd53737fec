# Files of machines become C++ when a target is built, by the program `hsm`:
#
#     hsm_generate_constant(game monster.xml HOOKS monster_hooks.hpp)          # monster_chart.hpp, with the constant chart monster::chart
#     hsm_generate_definition(game monster.xml HOOKS monster_hooks.hpp)        # monster_definition.hpp, with monster::make_definition()
#     hsm_generate_registry(game monster.xml HOOKS monster_hooks.hpp)          # monster_registry.cpp, for hsm::load_xml
#
# What is made belongs to the target, which finds it by its name alone. HOOKS is the header with the context and what happens in it: it is made
# if it is not there, and never written again. NAMESPACE is that of what is made, otherwise the name of the file; ARGUMENTS is passed on.
# This file needs nothing else of hsm: it may be copied and included.

find_program(HSM_PROGRAM hsm HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../../bin"
  "${CMAKE_CURRENT_LIST_DIR}/../../tools/hsm" DOC "The program hsm, which makes C++ of machines in files")

function(_hsm_generate word end target file)
  cmake_parse_arguments(PARSE_ARGV 4 how "" "HOOKS;NAMESPACE" "ARGUMENTS")
  if(how_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hsm_generate_${word}: unknown arguments ${how_UNPARSED_ARGUMENTS}; it takes HOOKS, NAMESPACE and ARGUMENTS")
  endif()
  if(TARGET hsm::program) # hsm is built along with this
    set(program hsm::program)
  elseif(HSM_PROGRAM)
    set(program ${HSM_PROGRAM})
  else()
    message(FATAL_ERROR "hsm_generate_${word}: the program hsm was not found; build hsm with CLI11 and install it, or set HSM_PROGRAM")
  endif()
  get_filename_component(file "${file}" ABSOLUTE)
  get_filename_component(stem "${file}" NAME_WE)
  if(NOT how_HOOKS)
    set(how_HOOKS ${stem}_hooks.hpp)
  endif()
  get_filename_component(hooks "${how_HOOKS}" ABSOLUTE)
  get_filename_component(folder "${hooks}" DIRECTORY)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${target}_hsm)
  file(MAKE_DIRECTORY ${made})
  if(how_NAMESPACE)
    list(APPEND how_ARGUMENTS --namespace ${how_NAMESPACE})
  endif()
  add_custom_command(OUTPUT ${made}/${stem}${end}
    COMMAND ${program} generate ${word} ${file} -o ${made}/${stem}${end} --hooks ${hooks} ${how_ARGUMENTS}
    DEPENDS ${file} ${program}
    COMMENT "hsm generate ${word} ${stem}"
    VERBATIM)
  target_sources(${target} PRIVATE ${made}/${stem}${end})
  target_include_directories(${target} PRIVATE ${made} ${folder})
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
