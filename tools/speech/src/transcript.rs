//! Files of transcripts: SubRip (`.srt`), WebVTT (`.vtt`), Whisper's JSON and plain text with speakers; of other subtitles
//! those that are only read.
//!
//! A transcript file comes from elsewhere, so its content is checked line by line. If something is wrong,
//! it is corrected or left out, and noted with its line number. Only a file with nothing usable is refused.
//! Times are whole microseconds.

mod cues;
mod encoding;
mod error;
mod estimated_times;
mod format;
mod json;
mod limits;
mod lines;
mod markup;
mod names;
mod phrases;
mod place;
mod plain;
mod problems;
#[cfg(test)]
mod tests;
mod tidy;
mod time;
mod unsupported;

pub use error::TranscriptError;
pub(crate) use estimated_times::over;
pub use format::{Format, Written, endings};
pub use limits::MOST_BYTES;
pub use phrases::{Said, TimedWord, Times, Transcript};
pub use place::Place;
pub(crate) use problems::listed;
pub(crate) use tidy::{LEAST, apart};
pub use time::Micros;
pub(crate) use unsupported::by_ending;

use std::ops::Range;

/// Reads a transcript of a recording that ends at `last`. `speech` finds the stretches in which somebody talks there, in
/// order and at least one; it is asked where the file has no times.
///
/// # Errors
/// Where nothing in the file can be used, with the way out; what `speech` fails with.
pub fn read_of<E: From<TranscriptError>>(
    file: &[u8],
    format: Format,
    last: Micros,
    speech: &mut dyn FnMut() -> Result<Vec<Range<Micros>>, E>,
) -> Result<Transcript, E> {
    unsupported::may_be_read(file)?;
    let encoding::Decoded { text, guess, problems } = encoding::decoded(file)?;
    if format != Format::Json {
        unsupported::may_be_text(&text)?;
    }
    let mut read = match cues::format_of(&text, format) {
        Format::Json => json::read(&text)?,
        Format::Text => plain::read(&text, speech)?,
        format => cues::read(&text, format, speech)?,
    };
    read.warnings.extend(guess);
    read.problems.extend(problems);
    names::in_one_spelling(read.phrases.iter_mut().filter_map(|(_, one)| one.speaker.as_mut()));
    tidy::tidy(&mut read, last);
    match problems::nothing_left(&read.problems).filter(|_| read.phrases.is_empty()) {
        Some(error) => Err(error.into()),
        None => Ok(read),
    }
}

#[must_use]
pub fn write(said: &[Said], format: Written) -> String {
    match format {
        Written::Srt | Written::Vtt => cues::write(said, format),
        Written::Json => json::write(said),
        Written::Text => plain::write(said),
    }
}
