# Gives the target mrtr::mrtr: an installed library (CMAKE_PREFIX_PATH says where), or the one built in this tree.
# -DMRTR_LIBRARY=/path/libmrtr.so names one.
set(MRTR_LIBRARY "" CACHE FILEPATH "libmrtr.so to use instead of an installed one")
get_filename_component(_mrtr_tree "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

if(NOT MRTR_LIBRARY)
  find_package(mrtr CONFIG QUIET)
  if(NOT mrtr_FOUND)
    set(MRTR_LIBRARY "${_mrtr_tree}/target/debug/libmrtr.so")
  endif()
endif()

if(NOT TARGET mrtr::mrtr)
  if(NOT EXISTS "${MRTR_LIBRARY}")
    message(FATAL_ERROR "libmrtr is neither installed nor built: run `cargo build`, or give -DMRTR_LIBRARY=")
  endif()
  # Cargo leaves the library without the name that its SONAME asks for at run time, so give it one.
  file(STRINGS "${_mrtr_tree}/include/mrtr.h" _mrtr_abi REGEX "^#define MRTR_ABI_MAJOR ")
  string(REGEX REPLACE "[^0-9]" "" _mrtr_abi "${_mrtr_abi}")
  set(_mrtr_named "${CMAKE_BINARY_DIR}/libmrtr.so.${_mrtr_abi}")
  file(CREATE_LINK "${MRTR_LIBRARY}" "${_mrtr_named}" SYMBOLIC)
  add_library(mrtr::mrtr SHARED IMPORTED)
  set_target_properties(mrtr::mrtr PROPERTIES
    IMPORTED_LOCATION "${_mrtr_named}"
    INTERFACE_INCLUDE_DIRECTORIES "${_mrtr_tree}/include")
endif()
