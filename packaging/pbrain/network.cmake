# Writes the source file OUTPUT (of packaging/pbrain/network.hpp) with a network in it: cmake -DNETWORK=FILE.safetensors
# -DOUTPUT=FILE.cpp -P network.cmake. The layout of the file: engine/evaluators/safetensors.py.
cmake_minimum_required(VERSION 3.21)

# The length of the header: the first eight bytes, of which three are enough, from the last to the first.
file(READ ${NETWORK} length LIMIT 3 HEX)
string(REGEX REPLACE "(..)(..)(..)" "0x\\3\\2\\1" length ${length})
math(EXPR length "${length}")
math(EXPR start "${length} + 8")
file(READ ${NETWORK} header OFFSET 8 LIMIT ${length})

set(types F32 f32 I32 i32 I16 i16 I8 i8)
set(entries "")
string(JSON count LENGTH "${header}")
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON name MEMBER "${header}" ${index})
  if(name STREQUAL "__metadata__")
    continue()
  endif()
  string(JSON type GET "${header}" ${name} dtype)
  list(FIND types ${type} at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${NETWORK}: the array ${name} is of ${type}")
  endif()
  math(EXPR at "${at} + 1")
  list(GET types ${at} type)
  string(JSON shape GET "${header}" ${name} shape)
  string(REGEX REPLACE "[^0-9,]" "" shape "${shape}")
  foreach(end 0 1)
    string(JSON place GET "${header}" ${name} data_offsets ${end})
    math(EXPR place_${end} "${place} + ${start}")
  endforeach()
  string(APPEND entries "    {\"${name}\", Weights::Type::${type}, {${shape}}, ${place_0}, ${place_1}},\n")
endforeach()

file(READ ${NETWORK} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(SHA256 ${NETWORK} digest)
get_filename_component(name ${NETWORK} NAME_WE)
file(WRITE ${OUTPUT} "// Made by packaging/pbrain/network.cmake.
#include \"network.hpp\"

#include <span>

namespace tengen::pbrain {

static const unsigned char kBytes[] = {
${bytes}
};

std::shared_ptr<const Weights> own_network() {
  const std::vector<Weights::Entry> entries = {
${entries}  };
  return std::make_shared<const Weights>(\"${name}\", \"${digest}\", entries, std::as_bytes(std::span(kBytes)));
}

}  // namespace tengen::pbrain
")
