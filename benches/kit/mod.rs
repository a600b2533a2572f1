//! How the benchmarks of the rooms measure.

use std::time::{Duration, Instant};

const SLICE: Duration = Duration::from_micros(400);

/// An operation and its name.
pub type Op<'a> = (String, Box<dyn FnMut() + 'a>);

/// Median nanoseconds per call of each operation, over slices that take turns: a slow phase of the machine hits all alike.
pub fn measure(ops: &mut [Op<'_>], rounds: usize) -> Vec<f64> {
    let mut samples = vec![Vec::with_capacity(rounds); ops.len()];
    let calls: Vec<u32> = ops
        .iter_mut()
        .map(|(_, op)| {
            let start = Instant::now();
            (0..8).for_each(|_| op());
            let each = (start.elapsed() / 8).max(Duration::from_nanos(20));
            (SLICE.as_nanos() / each.as_nanos()).max(1) as u32
        })
        .collect();
    for _ in 0..rounds {
        for (at, (_, op)) in ops.iter_mut().enumerate() {
            let start = Instant::now();
            (0..calls[at]).for_each(|_| op());
            samples[at].push(start.elapsed().as_nanos() as f64 / f64::from(calls[at]));
        }
    }
    samples
        .into_iter()
        .map(|mut list| {
            list.sort_by(f64::total_cmp);
            list[list.len() / 2]
        })
        .collect()
}
