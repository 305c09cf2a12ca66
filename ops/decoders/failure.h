// What is said of a picture that was not decoded inside a compiled program, which then fails.
#pragma once

#include <string>

#include "base/status.h"

namespace dynjax {

std::string WhyNotDecoded(StatusCode code);

}  // namespace dynjax
