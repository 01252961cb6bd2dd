//! Advanced Authoring Format, for Media Composer and Pro Tools: objects in a structured storage file, as the AAF Object
//! Specification 1.1 and the AAF Stored Format Specification define them. Positions are exact to the sample.

mod composition;
mod definitions;
mod header;
mod media;
mod model;
mod object;
mod sequence;
mod store;
#[cfg(test)]
mod tests;
mod wave;

pub use wave::{WaveError, WaveProblem};

use super::timeline::{Timeline, Track};
use cfb::Version;
use model::Model;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::time::SystemTime;

/// What a person chooses of an AAF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AafOptions {
    /// Where the audio is.
    pub audio: AafAudio,
    /// When the file says it was made.
    pub created: SystemTime,
}

/// Where the audio of an AAF is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AafAudio {
    /// In the WAV files that it names.
    #[default]
    Linked,
    /// In the AAF: whole files, or what plays with its handles.
    Embedded,
}

/// Why an AAF cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum AafError {
    /// The file to write.
    #[error("the AAF cannot be written: {0}; choose another folder, or free some space")]
    Io(#[from] io::Error),
    /// A file to embed.
    #[error(transparent)]
    Audio(#[from] WaveError),
    /// A defect of the program.
    #[error(
        "the table of AAF names has no \"{0}\": this is a defect of Deskhand, please report it"
    )]
    Model(String),
}

/// The id of an AAF file with sectors of 4096 bytes, where other compound files have zeros.
const FILE_KIND: uuid::Uuid = uuid::uuid!("0d010201-0200-0000-060e-2b3403020101");
/// The place of that id.
const FILE_KIND_AT: u64 = 8;

/// Writes a timeline as AAF to an empty file, and gives the file back.
///
/// # Errors
/// The file cannot be written, or a file to embed cannot be read as WAV.
pub fn write<F: Read + Write + Seek>(
    timeline: &Timeline,
    options: AafOptions,
    file: F,
) -> Result<F, AafError> {
    let model = Model::load()?;
    let media = media::Parts::of(timeline, options.audio)?;
    let root = header::root(timeline, &media, &model, options.created);
    let mut compound = cfb::CompoundFile::create_with_version(Version::V4, file)?;
    store::store(&mut compound, &model, &root)?;
    compound.flush()?;
    let mut file = compound.into_inner();
    file.seek(SeekFrom::Start(FILE_KIND_AT))?;
    file.write_all(&FILE_KIND.to_bytes_le())?;
    file.flush()?;
    Ok(file)
}

/// How many mono tracks a track becomes: as many as its widest file has channels.
pub(super) fn width(timeline: &Timeline, track: &Track) -> u16 {
    let media = track.clips.iter().filter_map(|clip| timeline.media.get(clip.media));
    let widths = media.map(|media| if media.channel.is_some() { 1 } else { media.channels });
    widths.max().unwrap_or(1).max(1)
}
