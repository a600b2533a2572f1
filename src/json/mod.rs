//! JSON text: raw tokens kept, members spliced, duplicates refused, limits, canonical digest (J1-J5, S5).
