# meson_list(<name> <variable>): sets the variable to the strings in the list <name> of hsm/meson.build, which is files(...) or [...].

file(READ hsm/meson.build hsm_meson_build)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS hsm/meson.build)

function(meson_list name variable)
  string(REGEX MATCH "(^|\n)${name} = (files\\(|\\[)([^])]*)[])]" list "${hsm_meson_build}")
  string(REGEX MATCHALL "'[^'\n]+'" items "${CMAKE_MATCH_3}")
  if(NOT items)
    message(FATAL_ERROR "hsm: there is no list ${name} in hsm/meson.build")
  endif()
  string(REPLACE "'" "" items "${items}")
  set(${variable} ${items} PARENT_SCOPE)
endfunction()
