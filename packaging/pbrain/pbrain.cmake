# Gomoku's brain for Gomocup's protocol without Python.

# Adds the program `name`, to which the core is still to be linked.
function(tengen_add_pbrain name)
  set(folder ${PROJECT_SOURCE_DIR}/packaging/pbrain)
  file(STRINGS ${PROJECT_SOURCE_DIR}/engine/version.py version REGEX "__version__ = ")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" version "${version}")
  set(network ${PROJECT_SOURCE_DIR}/nets/weights/tengen-gomoku.safetensors)
  set(carried ${CMAKE_CURRENT_BINARY_DIR}/pbrain_network.cpp)
  add_custom_command(
    OUTPUT ${carried}
    COMMAND ${CMAKE_COMMAND} -DNETWORK=${network} -DOUTPUT=${carried} -P ${folder}/network.cmake
    DEPENDS ${network} ${folder}/network.cmake
    VERBATIM)
  add_executable(${name} ${folder}/main.cpp ${folder}/brain.cpp ${carried})
  target_include_directories(${name} PRIVATE ${folder})
  target_compile_definitions(${name} PRIVATE TENGEN_VERSION="${version}")
endfunction()

# Adds pbrain-tengen with Gomoku's part of the core alone, in one file.
function(tengen_add_lone_pbrain)
  set(core ${PROJECT_SOURCE_DIR}/engine/core)
  file(GLOB sources CONFIGURE_DEPENDS ${core}/*.cpp ${core}/alphabeta/*.cpp ${core}/gomoku/*.cpp ${core}/search/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/gomoku/(family|tree|features)\\.cpp$")  # tree search and networks
  tengen_add_pbrain(pbrain-tengen)
  target_sources(pbrain-tengen PRIVATE ${sources})
  target_include_directories(pbrain-tengen PRIVATE ${PROJECT_SOURCE_DIR}/engine)
  target_compile_options(pbrain-tengen PRIVATE ${tengen_compile_options})
  target_link_options(pbrain-tengen PRIVATE ${tengen_link_options})
  target_link_libraries(pbrain-tengen PRIVATE Threads::Threads)
  if("-march=x86-64-v3" IN_LIST tengen_compile_options)  # main looks whether the processor can run the rest
    set_source_files_properties(
      ${PROJECT_SOURCE_DIR}/packaging/pbrain/main.cpp
      PROPERTIES COMPILE_OPTIONS -march=x86-64 COMPILE_DEFINITIONS TENGEN_NEEDS_AVX2)
  endif()
endfunction()
