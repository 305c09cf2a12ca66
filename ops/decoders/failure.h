// What is said of a picture that was not decoded inside a compiled program, which then fails.
#pragma once

#include "base/status.h"

namespace dynjax {

const char* WhyNotDecoded(StatusCode code);

}  // namespace dynjax
