# Fails when an object of the library calls a function of the C library whose bits depend on the machine, and which
# strict arithmetic does not reach: neither by the linker (CMakeLists.txt) nor, in core/base/strict_arithmetic.cpp, by
# name. Functions of complex numbers are there for programs on them (core/expressions/interpreter.cpp), which no run has.
# Run: cmake -D NM=nm -D OBJECTS=<file with a list of objects> -P tests/strict_functions.cmake
cmake_minimum_required(VERSION 3.25)

set(by_name "asin|sinh|cosh|tanh")
set(of_complex_numbers "casin|cacos|catan|csin|ccos|ctan|csinh|ccosh|ctanh|clog|cpow")
set(others "expm1|asinh|acosh|atanh|exp10|pow10|tgamma|lgamma|erf|erfc|j0|j1|jn|y0|y1|yn|casinh|cacosh|catanh")

file(READ ${OBJECTS} objects)
list(FILTER objects INCLUDE REGEX "\\.o$")  # precompiled headers are among them
execute_process(COMMAND ${NM} -A -u ${objects} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]* U _?(${by_name}|${of_complex_numbers}|${others})\n" calls "${symbols}")
set(found_by_name 0)
foreach(call ${calls})
  string(STRIP "${call}" call)
  if(call MATCHES "core/base/strict_arithmetic" AND call MATCHES " _?(${by_name})$")
    math(EXPR found_by_name "${found_by_name} + 1")
  elseif(NOT (call MATCHES "core/expressions/interpreter" AND call MATCHES " _?(${of_complex_numbers})$"))
    message(SEND_ERROR "${call}: not the same bits on every machine under --strict")
  endif()
endforeach()
if(NOT found_by_name EQUAL 4)
  message(SEND_ERROR "strict_arithmetic calls ${found_by_name} of 4 functions by name: what is looked at is not what is built")
endif()
