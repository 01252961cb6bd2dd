//! The limits of the child, which it sets itself before it reads the file.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// Address space in bytes: the largest published separation networks need about 3 GB with their weights.
const MEMORY: u64 = 6 << 30;
/// Processor seconds for one run, over all cores. Twelve seconds of audio take the slowest networks a
/// minute.
const SECONDS: u64 = 600;

/// Limits the memory of this process, for good.
pub(super) fn limit_memory() {
    limit(Resource::As, MEMORY);
    // A crash is expected here: no core file of somebody's audio.
    limit(Resource::Core, 0);
}

/// Gives this process processor time for one more run; beyond it the system ends it.
pub(super) fn allow_one_run() {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let most = u64::try_from(used).unwrap_or(0) + SECONDS;
    let maximum = getrlimit(Resource::Cpu).maximum;
    let current = Some(maximum.map_or(most, |hard| hard.min(most)));
    let _refused = setrlimit(Resource::Cpu, Rlimit { current, maximum });
}

fn limit(resource: Resource, most: u64) {
    let old = getrlimit(resource);
    let most = old.maximum.map_or(most, |hard| hard.min(most));
    // A system that refuses leaves the parent's time limit and the child's own checks.
    let _refused = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
}
