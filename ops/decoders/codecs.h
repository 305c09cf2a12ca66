// Which codecs this build has. Some can be left out of it; Pillow then decodes their formats.
#pragma once

#include <span>

namespace dynjax {

bool HasWebp();

// The formats with a native decoder, as they are called.
std::span<const char* const> NativeFormats();

}  // namespace dynjax
