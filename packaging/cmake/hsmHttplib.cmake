# Defines the target httplib::httplib. cpp-httplib installs files for CMake; Debian's package has only a header and a library.

if(NOT TARGET httplib::httplib)
  find_package(httplib QUIET)
endif()
if(NOT TARGET httplib::httplib AND NOT CMAKE_DISABLE_FIND_PACKAGE_httplib)
  find_path(httplib_INCLUDE_DIR httplib.h)
  find_library(httplib_LIBRARY cpp-httplib)
  mark_as_advanced(httplib_INCLUDE_DIR httplib_LIBRARY)
  find_package(Threads QUIET)
  if(httplib_INCLUDE_DIR AND httplib_LIBRARY AND TARGET Threads::Threads)
    add_library(httplib::httplib INTERFACE IMPORTED GLOBAL)
    set_target_properties(httplib::httplib PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${httplib_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES "${httplib_LIBRARY};Threads::Threads")
  endif()
endif()
