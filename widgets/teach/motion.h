#pragma once

namespace trainyard {

/// True if the user asked for less motion: animations then go step by step. Kept with the application object.
[[nodiscard]] bool reducedMotion();
void setReducedMotion(bool reduced);

}  // namespace trainyard
