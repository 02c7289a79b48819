#pragma once

/// Power of an accelerator as a share of its TDP, by what it does. CharLLM-PPT (arXiv 2509.10371): power = idle + (TDP - idle)
/// weighted by compute and communication utilisation; training runs on Hopper draw 80 to 95 % of TDP while computing.
namespace trainyard::power {

inline constexpr double kIdleShare = 0.25;
inline constexpr double kBusyShare = 0.90;
inline constexpr double kTrafficShare = 0.45;

}  // namespace trainyard::power
