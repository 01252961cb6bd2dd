//! Lengths in the words of messages.

/// A length in seconds, for a person.
pub(crate) fn seconds(frames: u64, rate: u64) -> String {
    format!("{:.1} s", frames as f64 / rate.max(1) as f64)
}

/// A size in bytes, for a person.
pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} bytes"),
        1_000..1_000_000 => format!("{} kB", (count + 500) / 1_000),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// The message that only `present` of `promised` frames are there.
pub(crate) fn cut_off(promised: u64, present: u64, rate: u64) -> String {
    let whole = seconds(promised, rate);
    if (promised - present.min(promised)) * 10 < rate {
        return format!("It is cut off: less than 0.1 s of its {whole} is missing.");
    }
    let there = seconds(present, rate);
    format!("It is cut off: its header promises {whole}, {there} are there.")
}

/// That a header says less than there is, and all was read.
pub(crate) fn more(promised: u64, present: u64, rate: u64) -> String {
    let (promised, present) = (seconds(promised, rate), seconds(present, rate));
    format!("Its header says {promised}, but it holds {present}. Deskhand read all of it.")
}

/// That the size field is a placeholder, and how much was read.
pub(crate) fn unfinished(field: &str, present: u64, rate: u64) -> String {
    let read = seconds(present, rate);
    format!(
        "The recorder never finished this file (its size field is {field}). Deskhand read {read} of \
         audio from it."
    )
}
