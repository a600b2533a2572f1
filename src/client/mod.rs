//! The client half: the flow, a state machine without I/O (C).
