//! What the tests of asks and answers have in common.
#![allow(dead_code)]

pub mod answers;
pub mod asks;
