// Whether this is compiled with AddressSanitizer: GCC and clang say it in different ways.
#pragma once

#ifdef __SANITIZE_ADDRESS__
#define DAELAB_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DAELAB_ADDRESS_SANITIZER
#endif
#endif
