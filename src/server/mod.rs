//! The server half: building results and reading retries (B, X).
