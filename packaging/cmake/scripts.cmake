# Scripts of SCXML documents. Duktape is compiled as C++: its errors are exceptions. hsm/scxml/duktape/prepare.py lists the changes to its sources.

set(hsm_duktape ${CMAKE_CURRENT_BINARY_DIR}/duktape)
file(MAKE_DIRECTORY ${hsm_duktape})
set(hsm_duktape_files ${hsm_duktape}/duk_config.h ${hsm_duktape}/duktape.h ${hsm_duktape}/duktape.cpp)
add_custom_command(OUTPUT ${hsm_duktape_files}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/hsm/scxml/duktape/prepare.py ${HSM_DUKTAPE_SOURCES} ${hsm_duktape}
  DEPENDS ${PROJECT_SOURCE_DIR}/hsm/scxml/duktape/prepare.py ${HSM_DUKTAPE_SOURCES}/duk_config.h ${HSM_DUKTAPE_SOURCES}/duktape.h ${HSM_DUKTAPE_SOURCES}/duktape.c
  COMMENT "Preparing the sources of Duktape"
  VERBATIM)
# Third-party code: compiled without warnings. The speed of a script does not depend on the optimization of hsm.
add_library(hsm_duktape OBJECT EXCLUDE_FROM_ALL ${hsm_duktape_files})
target_compile_features(hsm_duktape PRIVATE cxx_std_20)
set_target_properties(hsm_duktape PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
target_compile_options(hsm_duktape PRIVATE -w -O2 -ffunction-sections -fdata-sections)

hsm_add_part(scripts LISTS scripts ON hsm_scxml NEEDS pugixml::pugixml)
target_sources(hsm_scripts PRIVATE $<TARGET_OBJECTS:hsm_duktape>)
target_include_directories(hsm_scripts PRIVATE ${hsm_duktape})
add_dependencies(hsm_scripts hsm_duktape)
