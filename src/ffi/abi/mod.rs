//! The exported functions and everything unsafe they need.
