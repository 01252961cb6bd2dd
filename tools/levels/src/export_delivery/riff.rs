//! Tags and chapters of a WAV after the samples: `LIST INFO`, and cue points with labels.

use super::error::ExportError;
use super::tags::{Chapter, Tags};
use deskhand_dsp::SampleRate;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Adds the known tags and chapters to the file at `path`; a file over 4 GB (RF64) stays unchanged.
pub(super) fn append(
    path: &Path,
    tags: &Tags,
    chapters: &[Chapter],
    rate: SampleRate,
) -> Result<(), ExportError> {
    let mut chunks = Vec::new();
    let info: Vec<u8> = tags.info().flat_map(|(id, value)| chunk(id, &zero_ended(value))).collect();
    if !info.is_empty() {
        chunks.extend(chunk(b"LIST", &[b"INFO".to_vec(), info].concat()));
    }
    if !chapters.is_empty() {
        chunks.extend(chunk(b"cue ", &cues(chapters, rate)));
        let labels = chapters.iter().enumerate().flat_map(|(index, chapter)| label(index, chapter));
        chunks.extend(chunk(b"LIST", &[b"adtl".to_vec(), labels.collect()].concat()));
    }
    let mut file = File::options().read(true).write(true).open(path)?;
    let mut head = [0; 8];
    file.read_exact(&mut head)?;
    if chunks.is_empty() || !head.starts_with(b"RIFF") {
        return Ok(());
    }
    let end = file.seek(SeekFrom::End(0))?;
    let Ok(size) = u32::try_from(end + chunks.len() as u64 - 8) else {
        return Ok(());
    };
    file.write_all(&chunks)?;
    file.seek(SeekFrom::Start(4))?;
    file.write_all(&size.to_le_bytes())?;
    Ok(file.sync_all()?)
}

fn chunk(id: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut out = id.to_vec();
    out.extend((body.len() as u32).to_le_bytes());
    out.extend(body);
    out.extend(vec![0; body.len() % 2]);
    out
}

fn zero_ended(text: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = text.bytes().filter(|byte| *byte != 0).collect();
    bytes.push(0);
    bytes
}

fn cues(chapters: &[Chapter], rate: SampleRate) -> Vec<u8> {
    let mut body = (chapters.len() as u32).to_le_bytes().to_vec();
    for (index, chapter) in chapters.iter().enumerate() {
        let frame = (chapter.start_s * f64::from(rate.0)).round() as u32;
        for number in [index as u32 + 1, frame] {
            body.extend(number.to_le_bytes());
        }
        body.extend(b"data");
        for number in [0, 0, frame] {
            body.extend(number.to_le_bytes());
        }
    }
    body
}

fn label(index: usize, chapter: &Chapter) -> Vec<u8> {
    let mut body = (index as u32 + 1).to_le_bytes().to_vec();
    body.extend(zero_ended(&chapter.name));
    chunk(b"labl", &body)
}
