// PDF files by qpdf, behind a function of C: its libraries take longer to load than the program takes to start. The
// program loads the module when a figure is drawn.
#pragma once

#include <stddef.h>

extern "C" {

// Writes a PDF file anew with a title and without dates: the same drawing gives the same bytes. `take` is given them,
// valid until it returns. Returns null, or what went wrong; the text is valid until the next call of this thread.
const char* daelab_finish_pdf(const char* pdf, size_t size, const char* title,
                              void (*take)(void* context, const char* bytes, size_t size), void* context);
}
