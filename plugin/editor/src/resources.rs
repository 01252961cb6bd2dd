//! Where the content of floating windows comes from: the application reads, the views draw.

use deskhand_dsp::Frames;
use deskhand_protocol::desk::Viewer;
use deskhand_session::SourceId;
use std::sync::Arc;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<String>>,
}

/// A timed line of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub struct SpokenLine {
    /// Where it begins on the timeline, frames at the session rate.
    pub at: Frames,
    /// The speaker; empty if unknown.
    pub speaker: String,
    pub text: String,
}

/// A file or object in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub name: String,
    /// Size, kind or date, in words.
    pub detail: String,
    /// What a click opens.
    pub handle: Option<String>,
}

/// Frequency over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrogram {
    /// Number of columns in time.
    pub columns: usize,
    /// Number of rows in frequency.
    pub rows: usize,
    /// Levels, column after column, from the lowest frequency up: 0 nothing, 255 the loudest.
    pub levels: Arc<[u8]>,
    /// First and last second.
    pub seconds: (f64, f64),
    /// Frequencies to write next to it, Hz, each with its place from 0 (lowest) to 1.
    pub marks: Vec<(f32, f32)>,
}

/// Frequencies that are written next to a spectrogram, Hz.
const MARKS: [f32; 5] = [100.0, 300.0, 1_000.0, 3_000.0, 10_000.0];

impl Spectrogram {
    /// Columns and rows of one: the window of it has about as many points.
    pub const SIZE: (usize, usize) = (864, 256);

    /// Levels in rows of equal steps of the logarithm of frequency, from `hertz.0` to `hertz.1`, Hz.
    #[must_use]
    pub fn new(
        (columns, rows): (usize, usize),
        levels: &[u8],
        hertz: (f32, f32),
        seconds: (f64, f64),
    ) -> Self {
        let place = |mark: f32| (mark / hertz.0).ln() / (hertz.1 / hertz.0).ln();
        let marks = MARKS.into_iter().map(|mark| (mark, place(mark)));
        let marks = marks.filter(|(_, place)| (0.0..=1.0).contains(place)).collect();
        Self { columns, rows, levels: levels.into(), seconds, marks }
    }
}

#[derive(Clone, Debug)]
pub enum Resource {
    /// It is being read.
    Waiting,
    /// It cannot be shown, and why.
    Failed(String),
    Text(Arc<str>),
    Table(Arc<Table>),
    Picture(Arc<egui::ColorImage>),
    /// Timed words.
    Transcript(Arc<[SpokenLine]>),
    Listing(Arc<[Listed]>),
    /// Frequency over time.
    Spectrogram(Arc<Spectrogram>),
    /// A source, drawn from [`crate::Waves`].
    Waveform {
        source: SourceId,
        /// Its first frame.
        start: Frames,
        length: Frames,
    },
}

/// Provides the content of windows.
pub trait Resources: Send {
    /// The content of a `deskhand://` handle, for a viewer. It must not wait: it is called while a frame is
    /// drawn, and again in the next one.
    fn get(&self, handle: &str, viewer: Viewer) -> Resource;
}
