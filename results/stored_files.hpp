// Numbers of entries in data files of others, in the folder of the configs of a paper: "the stored file says".
//
//   "stored": {"file": "errors.csv", "column": "q", "row": 3}     instead of "printed": the text of a cell; rows of
//   data
//                                                                 count from 0, "last" is the last one
//   "stored": {"file": "errors.json", "pointer": "/q/3"}          a number or text of JSON
//   "stored": {"file": "run.h5", "array": "q", "row": 3, "column": 0}    of HDF5 or NumPy; "" is the
//                                                                 array of a .npy file
// "digits": 11 quotes only 11 digits. A <value> (claims.hpp) may be a column of a file as a list:
//   {"file": "run.csv", "column": "q"}, {"file": "run.h5", "array": "q", "column": 0}, {"file": "run.json", "pointer":
//   "/q"}
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace daelab {

/// The keys of a <value> that is a column of a file.
bool is_of_file(const Json& value);
/// Throws InputError for any other key, and for a file that is not inside the folder of its paper.
void check_file_value(const Json& value, const std::string& where);

/// Puts the text of the number in place of "stored" of each entry, as "printed" of claims and checks and "recorded" of
/// findings, and the folder in front of the files of values. Throws InputError with the place for files that cannot be
/// read or lead out of the folder, and for cells that hold no number.
void read_stored_numbers(Json& paper, const std::string& folder);

/// The files that the entries of a paper name, relative to its folder, sorted.
std::vector<std::string> stored_file_names(const Json& paper);

/// The list that a <value> of a file is. Throws InputError with the file.
Json stored_list(const Json& value);

}  // namespace daelab
