//! One of the two users of a stream: a thread that reads, or one that writes.

use interprocess::local_socket::Stream;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// A handle to a shared stream. The stream ends when both are dropped.
#[derive(Debug)]
pub struct Half(Arc<Stream>);

impl Half {
    /// Two handles to `stream`.
    #[must_use]
    pub fn pair(stream: Stream) -> (Self, Self) {
        let stream = Arc::new(stream);
        (Self(Arc::clone(&stream)), Self(stream))
    }
}

impl Read for Half {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self.0).read(buffer)
    }
}

impl Write for Half {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.0).flush()
    }
}
