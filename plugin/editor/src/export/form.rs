//! What a person sets in the sheet, and the call that it makes.

use super::ask::Asking;
use crate::live::Live;
use deskhand_dsp::Frames;
use deskhand_session::{Marker, MarkerId, Session};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Wav,
    Flac,
    Mp3,
    Opus,
}

impl Format {
    pub(super) const ALL: [Self; 4] = [Self::Wav, Self::Flac, Self::Mp3, Self::Opus];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Wav => "WAV",
            Self::Flac => "FLAC",
            Self::Mp3 => "MP3",
            Self::Opus => "Opus",
        }
    }

    pub(super) const fn ending(self) -> &'static str {
        match self {
            Self::Wav => "wav",
            Self::Flac => "flac",
            Self::Mp3 => "mp3",
            Self::Opus => "opus",
        }
    }

    /// Bits of a sample, or kbit/s.
    pub(super) const fn sizes(self) -> &'static [u32] {
        match self {
            Self::Wav | Self::Flac => &[16, 24],
            Self::Mp3 => &[96, 128, 160, 192, 256, 320],
            Self::Opus => &[48, 64, 96, 128, 192, 256],
        }
    }

    const fn usual(self) -> u32 {
        match self {
            Self::Wav | Self::Flac => 24,
            Self::Mp3 => 192,
            Self::Opus => 128,
        }
    }

    pub(super) const fn is_lossy(self) -> bool {
        matches!(self, Self::Mp3 | Self::Opus)
    }

    /// "24 bit", "192 kbit/s".
    pub(super) fn told(self, size: u32) -> String {
        if self.is_lossy() { format!("{size} kbit/s") } else { format!("{size} bit") }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    All,
    Loop,
    Selection,
    Markers,
}

impl Span {
    pub(super) const ALL: [Self; 4] = [Self::All, Self::Loop, Self::Selection, Self::Markers];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::All => "All",
            Self::Loop => "Loop",
            Self::Selection => "Selection",
            Self::Markers => "Markers",
        }
    }

    /// Why there is no such part.
    pub(super) fn why_not(self, session: &Session, live: &Live) -> Option<&'static str> {
        match self {
            Self::Loop if live.cycle.is_none() => Some("No loop is set"),
            Self::Selection if session.selection.range.is_none() => Some("No time is selected"),
            Self::Markers if session.markers.is_empty() => Some("The session has no markers"),
            Self::All | Self::Loop | Self::Selection | Self::Markers => None,
        }
    }
}

#[derive(Default)]
pub(super) struct Tags {
    pub(super) title: String,
    pub(super) album: String,
    pub(super) artist: String,
}

pub(crate) struct Form {
    pub(super) each_track: bool,
    /// The target, as the tool knows it; `None` for none.
    pub(super) target: Option<String>,
    /// A limiter holds true peaks at `limit_dbtp`.
    pub(super) limits: bool,
    pub(super) limit_dbtp: f64,
    pub(super) format: Format,
    /// Bits or kbit/s of `format`.
    pub(super) size: u32,
    pub(super) span: Span,
    /// The markers between which [`Span::Markers`] lies; `None` is the start, or the end.
    pub(super) between: (Option<MarkerId>, Option<MarkerId>),
    pub(super) tags: Tags,
    /// Markers that become no chapters.
    pub(super) left_out: BTreeSet<MarkerId>,
    /// Without its ending.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    /// Why the name does not do.
    pub(super) refused: Option<String>,
    pub(super) asking: Asking,
}

impl Form {
    /// For the session in `folder`: next to it, named like it.
    pub(super) fn new(folder: &str) -> Self {
        let session = Path::new(folder);
        let name = session.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self {
            each_track: false,
            target: None,
            limits: true,
            limit_dbtp: -1.0,
            format: Format::Wav,
            size: Format::Wav.usual(),
            span: Span::All,
            between: (None, None),
            tags: Tags::default(),
            left_out: BTreeSet::new(),
            name,
            folder: session.parent().unwrap_or(session).to_owned(),
            refused: None,
            asking: Asking::default(),
        }
    }

    pub(super) fn set_format(&mut self, format: Format) {
        if format != self.format {
            (self.format, self.size) = (format, format.usual());
        }
    }

    /// Takes folder, name and format from a path that the person chose.
    pub(super) fn take_path(&mut self, path: &Path) {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if let Some(format) = Format::ALL.into_iter().find(|it| it.ending() == ending) {
            self.set_format(format);
        }
        if let Some(folder) = path.parent() {
            folder.clone_into(&mut self.folder);
        }
        self.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.refused = None;
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.{}", self.name.trim(), self.format.ending()))
    }

    /// The part of the timeline that is written.
    pub(super) fn range(&self, session: &Session, live: &Live) -> Range<Frames> {
        let whole = Frames::ZERO..session.heard_end();
        let at = |marker: Option<MarkerId>| Some(session.markers.get(&marker?)?.position);
        match self.span {
            Span::All => whole,
            Span::Loop => live.cycle.map_or(whole, |(from, to)| from..to),
            Span::Selection => session.selection.range.map_or(whole, |it| it.start..it.end),
            Span::Markers => {
                at(self.between.0).unwrap_or(whole.start)..at(self.between.1).unwrap_or(whole.end)
            }
        }
    }

    /// What the file measures depends on these parameters alone.
    pub(super) fn measured(&self, session: &Session, live: &Live) -> Value {
        let mut params = json!({ "path": format!("export.{}", self.format.ending()) });
        if let Some(target) = &self.target {
            params["for"] = json!(target);
            params["adjust"] = json!(true);
        }
        if self.limits {
            params["limit_dbtp"] = json!(self.limit_dbtp);
        }
        if self.each_track {
            params["each_track"] = json!(true);
        }
        if self.span != Span::All {
            let range = self.range(session, live);
            params["from_s"] = json!(range.start.seconds(session.rate).0);
            params["to_s"] = json!(range.end.seconds(session.rate).0);
        }
        params
    }

    pub(super) fn params(&self, session: &Session, live: &Live) -> Value {
        let mut params = self.measured(session, live);
        params["path"] = json!(self.path());
        let size = if self.format.is_lossy() { json!(self.size) } else { Value::Null };
        match size {
            Value::Null => params["bits"] = json!(self.size.to_string()),
            size => params["kbps"] = size,
        }
        let Tags { title, album, artist } = &self.tags;
        let tags = [("title", title), ("album", album), ("artist", artist)];
        for (name, value) in tags.into_iter().filter(|(_, value)| !value.trim().is_empty()) {
            params["tags"][name] = json!(value.trim());
        }
        let chapters = self.chapters(session, live);
        let ticked = chapters.iter().filter(|(id, _)| !self.left_out.contains(id));
        let ticked: Vec<MarkerId> = ticked.map(|(id, _)| *id).collect();
        params["chapters"] = json!(!ticked.is_empty());
        if !ticked.is_empty() {
            params["chapter_markers"] = json!(ticked);
        }
        params
    }

    /// The markers that can be chapters, by time: those in the range that are no labels of an editor.
    pub(super) fn chapters<'a>(
        &self,
        session: &'a Session,
        live: &Live,
    ) -> Vec<(MarkerId, &'a Marker)> {
        let range = self.range(session, live);
        let mut all = marks(session);
        all.retain(|(_, marker)| range.contains(&marker.position));
        all
    }
}

/// The markers that the person made, by time. One with a code is a label for who edits.
pub(super) fn marks(session: &Session) -> Vec<(MarkerId, &Marker)> {
    let own = session.markers.iter().filter(|(_, marker)| marker.code.is_none());
    let mut all: Vec<_> = own.map(|(id, marker)| (*id, marker)).collect();
    all.sort_by_key(|(id, marker)| (marker.position, *id));
    all
}
