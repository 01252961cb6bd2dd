//! The worker pool: jobs run side by side, panics are caught, nobody waits for a worker.

use crossbeam_channel::{Receiver, Sender, unbounded};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that run jobs in the order they came.
pub struct Pool {
    sender: Sender<Job>,
    receiver: Receiver<Job>,
}

impl Pool {
    /// As many workers as the machine has cores, and at least two, so that one long job does not hold
    /// up a short one.
    #[must_use]
    pub fn for_this_machine() -> Self {
        Self::new(thread::available_parallelism().map_or(2, usize::from).max(2))
    }

    /// A pool of `workers` threads. They end when the pool is dropped and their job is done.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        let (sender, receiver) = unbounded();
        let pool = Self { sender, receiver };
        (0..workers).for_each(|_| pool.replace_one());
        pool
    }

    /// Starts one more worker, for one that hangs and was given up.
    pub fn replace_one(&self) {
        let receiver = self.receiver.clone();
        let work = move || receiver.iter().for_each(|job: Job| job());
        // Without the thread the others take its jobs.
        drop(thread::Builder::new().name("deskhand-worker".into()).spawn(work));
    }

    /// Runs `work` on a worker and gives its result, or the message of its panic, to `done`.
    pub fn submit<T: 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        done: impl FnOnce(Result<T, String>) + Send + 'static,
    ) {
        let job = move || done(catch_unwind(AssertUnwindSafe(work)).map_err(panic_message));
        // The pool holds a receiver itself, so that sending cannot fail.
        drop(self.sender.send(Box::new(job)));
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the payload of a panic is owned")]
fn panic_message(payload: Box<dyn Any + Send>) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_result_and_the_worker_lives_on() {
        let pool = Pool::new(1);
        let (sender, receiver) = unbounded();
        let second = sender.clone();
        pool.submit(|| -> u8 { panic!("boom") }, move |r| drop(sender.send(r)));
        pool.submit(|| 7u8, move |r| drop(second.send(r)));
        assert_eq!(receiver.recv().unwrap(), Err("boom".into()));
        assert_eq!(receiver.recv().unwrap(), Ok(7));
    }
}
