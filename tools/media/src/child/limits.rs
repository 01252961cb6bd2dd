//! The limits of the child, which it sets itself before it reads the file.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// Address space in bytes. Decoding needs a few megabytes; the program itself is mapped too.
const MEMORY: u64 = 2 << 30;
/// Processor seconds for one request. Decoding a block takes milliseconds, counting the packets of
/// a day of MP3 seconds.
const SECONDS: u64 = 60;

/// Limits the memory of this process, for good.
pub(super) fn limit_memory() {
    limit(Resource::As, MEMORY);
    // A crash is expected here: no core file of somebody's audio.
    limit(Resource::Core, 0);
}

/// Gives this process processor time for one more request; beyond it the system ends it.
pub(super) fn allow_one_request() {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    limit_soft(Resource::Cpu, u64::try_from(used).unwrap_or(0) + SECONDS);
}

fn limit(resource: Resource, most: u64) {
    let old = getrlimit(resource);
    let most = old.maximum.map_or(most, |hard| hard.min(most));
    // A system that refuses leaves the parent's time limit and the child's own guards.
    let _refused = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
}

fn limit_soft(resource: Resource, most: u64) {
    let maximum = getrlimit(resource).maximum;
    let current = Some(maximum.map_or(most, |hard| hard.min(most)));
    let _refused = setrlimit(resource, Rlimit { current, maximum });
}
