//! Every call can be stopped at every progress report: it says so, and leaves no file.
//!
//! Cancelled at five of these moments, at fifty with `DESKHAND_LONG`.

use crate::desk::Desk;
use deskhand_toolkit::{CancelToken, Code, Progress};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long a cancelled call may still work.
const HANG: Duration = Duration::from_secs(60);

/// Counts the reports, and cancels at one of them.
struct CancelAt {
    told: AtomicUsize,
    at: usize,
    cancel: CancelToken,
    cancelled: OnceLock<Instant>,
}

impl Progress for CancelAt {
    fn report(&self, _fraction: f64, _what: &str) {
        if self.told.fetch_add(1, Ordering::Relaxed) == self.at {
            self.cancelled.get_or_init(Instant::now);
            self.cancel.cancel();
        }
    }
}

/// Cancels a call that works at moments which derive from the name of its scenario.
pub(crate) fn at_any_moment(
    desk: &Desk,
    tool: &str,
    params: &Value,
    name: &str,
) -> Result<(), String> {
    let (told, _) = run(desk, tool, params, usize::MAX)?;
    let moments = if std::env::var_os("DESKHAND_LONG").is_some() { 50 } else { 5 };
    let mut dice = numbers_from(name);
    let chosen: BTreeSet<usize> = (0..moments.min(told)).map(|_| dice() % told.max(1)).collect();
    for at in chosen {
        run(desk, tool, params, at).map_err(|why| format!("cancelled at {at} of {told}: {why}"))?;
    }
    Ok(())
}

/// How often the call reported progress, and how it ended.
fn run(desk: &Desk, tool: &str, params: &Value, at: usize) -> Result<(usize, bool), String> {
    let cancel = CancelToken::new(Duration::from_secs(600));
    let cancelled = OnceLock::new();
    let progress = Arc::new(CancelAt { told: 0.into(), at, cancel: cancel.clone(), cancelled });
    let before = files(&desk.audio);
    let ended = desk.watched(tool, params, Arc::clone(&progress) as Arc<dyn Progress>, &cancel);
    let took = progress.cancelled.get().map_or(Duration::ZERO, Instant::elapsed);
    if took > HANG {
        return Err(format!("it took {took:?} to end"));
    }
    let left: BTreeSet<PathBuf> = files(&desk.audio).difference(&before).cloned().collect();
    let told = progress.told.load(Ordering::Relaxed);
    match ended {
        Ok(draft) => {
            let made = draft.artifacts.iter().map(|made| desk.audio.join(&made.path)).collect();
            match left.is_subset(&made) {
                true => Ok((told, true)),
                false => Err(format!("it left {left:?}, which is not in the plan")),
            }
        }
        Err(error) if error.code == Code::Cancelled && left.is_empty() => Ok((told, false)),
        Err(error) if error.code == Code::Cancelled => Err(format!("it left {left:?}")),
        Err(error) => Err(error.to_string()),
    }
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return BTreeSet::new();
    };
    let entries = entries.filter_map(Result::ok).map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { [path].into() }).collect()
}

/// Numbers that derive from a name.
fn numbers_from(name: &str) -> impl FnMut() -> usize {
    let mut seed = name
        .bytes()
        .fold(0x9e37_79b9_u64, |all, byte| (all ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize
    }
}
