//! Calls that outlive the request that made them: reached again by their number.

use crate::connection::Call;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Jobs that are kept. The oldest that are over make room.
const KEPT: usize = 64;

/// Calls that outlive the request that made them.
#[derive(Default)]
pub(crate) struct Jobs {
    last: AtomicU64,
    calls: Mutex<BTreeMap<u64, Call>>,
}

impl Jobs {
    /// Keeps `call`, and names it.
    pub(crate) fn keep(&self, call: Call) -> String {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let mut calls = self.calls.lock();
        calls.insert(number, call);
        if calls.len() > KEPT {
            let over = calls.iter().find(|(_, call)| call.is_over()).map(|(number, _)| *number);
            over.and_then(|number| calls.remove(&number));
        }
        format!("job_{number}")
    }

    pub(crate) fn get(&self, id: &str) -> Option<Call> {
        let number = id.strip_prefix("job_")?.parse().ok()?;
        self.calls.lock().get(&number).cloned()
    }
}
