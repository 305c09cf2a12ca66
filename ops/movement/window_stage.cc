#include "movement/window_stage.h"

#include <utility>

#include "movement/strided_copy.h"

namespace dynjax {

WindowStage::WindowStage(WindowParameters parameters, std::int64_t count)
    : p_(std::move(parameters)),
      windows_({p_.axes, p_.perm, p_.table, p_.fill, p_.fill_axis}, count) {}

bool WindowStage::IsSound(std::int64_t /*i*/, Extent /*from*/, Extent to) const {
  return to.size() == p_.perm.size();
}

Status WindowStage::Run(std::int64_t i, const Sample& from, const Sample& to) const {
  const Window window = windows_.Of(i);
  StridedCopy({from.data, p_.source, from.extent, from.strides},
              {to.data, p_.target, to.extent, to.strides},
              {p_.perm, window.anchor, window.step, window.fill, windows_.fill_axis()});
  return Status::Ok();
}

}  // namespace dynjax
