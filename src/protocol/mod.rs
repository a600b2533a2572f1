//! The vocabulary of the pattern as data and pure functions: methods, kinds, capabilities, asks, answers, results, errors.
