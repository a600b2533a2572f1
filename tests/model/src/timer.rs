//! Timers without time: each may fire at any moment, once.

use shuttle::{future, thread};
use std::future::Future;
use std::sync::Arc;

pub struct Timers;

pub struct Handle;

impl Handle {
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        thread::spawn(move || future::block_on(task));
    }
}

impl Timers {
    pub fn start() -> std::io::Result<Timers> {
        Ok(Timers)
    }
    pub fn handle(&self) -> &Handle {
        &Handle
    }
    pub fn stop(&mut self) {}
    pub fn forget(&mut self) {}
}

pub struct Timer;

impl Timer {
    pub fn new() -> Arc<Timer> {
        Arc::new(Timer)
    }
    pub fn set(&self, _: Option<u64>) {}
    pub fn end(&self) {}
    pub async fn run(self: Arc<Self>, _: fn() -> u64, fire: impl Fn() -> bool + Send) {
        fire();
    }
}
