//! A file descriptor that can be read while there is something to take.

/// One byte stands in it while it is raised. Both ends never block, so it may be moved under a lock.
#[cfg(unix)]
pub struct Signal {
    reader: std::os::unix::net::UnixStream,
    writer: std::os::unix::net::UnixStream,
    raised: bool,
}

#[cfg(unix)]
impl Signal {
    /// Not raised. `None` if the process has no descriptors left.
    pub fn new() -> Option<Signal> {
        let (reader, writer) = std::os::unix::net::UnixStream::pair().ok()?;
        reader.set_nonblocking(true).ok()?;
        writer.set_nonblocking(true).ok()?;
        Some(Signal {
            reader,
            writer,
            raised: false,
        })
    }

    /// What the host polls.
    pub fn descriptor(&self) -> i32 {
        std::os::fd::AsRawFd::as_raw_fd(&self.reader)
    }

    /// Raises or lowers it. Should the system refuse, the next change tries again.
    pub fn set(&mut self, raised: bool) {
        use std::io::{Read, Write};
        if raised == self.raised {
            return;
        }
        let moved = if raised {
            self.writer.write(&[1])
        } else {
            self.reader.read(&mut [0])
        };
        if moved.is_ok() {
            self.raised = raised;
        }
    }
}

/// There are no pollable descriptors here.
#[cfg(not(unix))]
pub enum Signal {}

#[cfg(not(unix))]
impl Signal {
    /// None.
    pub fn new() -> Option<Signal> {
        None
    }

    /// Never called.
    pub fn descriptor(&self) -> i32 {
        match *self {}
    }

    /// Never called.
    pub fn set(&mut self, _raised: bool) {
        match *self {}
    }
}
