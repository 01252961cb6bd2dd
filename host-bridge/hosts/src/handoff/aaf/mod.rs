//! Advanced Authoring Format, for Media Composer and Pro Tools: objects in a structured storage file, as the AAF Object
//! Specification 1.1 and the AAF Stored Format Specification define them. Positions are exact to the sample.

mod composition;
mod definitions;
mod header;
mod media;
mod model;
mod object;
mod options;
mod sequence;
mod store;
#[cfg(test)]
mod tests;
mod wave;

pub(super) use options::width;
pub use options::{AafAudio, AafError, AafOptions};
pub use wave::{WaveError, WaveProblem};

use super::timeline::Timeline;
use cfb::Version;
use model::Model;
use std::io::{Read, Seek, SeekFrom, Write};

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
