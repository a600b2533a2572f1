// Small media for the fixtures, in Base64.
#pragma once

namespace samples {

inline constexpr const char *red_pixel_png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/// 8 kHz, mono, 8 bit, 4 samples.
inline constexpr const char *silence_wav = "UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA";

}  // namespace samples
