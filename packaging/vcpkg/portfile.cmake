# Untested: vcpkg is not available where hsm is developed. This overlay port builds the sources that contain it:
#
#     vcpkg install hsm[xml] --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    xml HSM_XML
    scxml HSM_SCXML
    json HSM_JSON
    workers HSM_WORKERS
    tool HSM_TOOL
)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${FEATURE_OPTIONS} -DHSM_SCRIPTS=OFF -DHSM_INSTALL=ON -DHSM_CMAKE_FOLDER=share/hsm
)
vcpkg_cmake_install()
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()
if("tool" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES hsm AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
