//! The child's side: limits, fences, and then the tool itself.

use super::Order;
use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};
use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// How far below other programs: the audio thread of a host comes first.
const NICE: i32 = 10;
/// The most files that are open at once.
const OPEN_FILES: u64 = 512;

/// Follows the order. Comes back only when the tool could not be started.
pub(super) fn become_tool(order: &OsStr) -> ExitCode {
    let order = order.to_str().and_then(|text| serde_json::from_str::<Order>(text).ok());
    let problem = match order {
        Some(order) => start(&order),
        None => "its order cannot be read".to_owned(),
    };
    complain(&problem);
    ExitCode::from(127)
}

#[expect(clippy::print_stderr, reason = "the parent reads it, and says it in its error")]
fn complain(problem: &str) {
    eprintln!("could not be started: {problem}");
}

/// Becomes the tool, or says why not. A system that refuses a limit leaves the parent's: its clock and its eyes.
fn start(order: &Order) -> String {
    let Some((program, args)) = order.argv.split_first() else {
        return "there is no program".into();
    };
    let _lower = nice(NICE);
    #[cfg(target_os = "linux")]
    end_with_parent();
    #[cfg(target_os = "linux")]
    if let Err(problem) = super::fence::raise(&order.room, order.network) {
        return problem;
    }
    limit(Resource::Core, 0);
    limit(Resource::Nofile, OPEN_FILES);
    limit(Resource::Fsize, order.file);
    limit(Resource::Cpu, order.processor_s);
    limit(Resource::As, order.memory);
    Command::new(program).args(args).exec().to_string()
}

/// Should Deskhand itself be ended, so is the tool.
#[cfg(target_os = "linux")]
fn end_with_parent() {
    let signal = Some(rustix::process::Signal::KILL);
    let _refused = rustix::process::set_parent_process_death_signal(signal);
}

fn limit(resource: Resource, most: u64) {
    let most = getrlimit(resource).maximum.map_or(most, |hard| hard.min(most));
    let _refused = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
}
