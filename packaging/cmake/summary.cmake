# What is built, in one place, at the end.

message(STATUS "hsm ${PROJECT_VERSION}")
foreach(part xml scxml scripts json inspect workers tool)
  string(SUBSTRING "${part}           " 0 11 hsm_padded)
  message(STATUS "  ${hsm_padded}${hsm_said_${part}}")
endforeach()
