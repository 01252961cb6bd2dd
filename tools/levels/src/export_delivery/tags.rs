//! The tags of a file, and its chapters.

use deskhand_dsp::Frames;
use deskhand_session::text::{one_line, timestamp};
use deskhand_session::{Marker, MarkerId, Session};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Tags of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Tags {
    /// Title.
    #[schemars(length(max = 500))]
    pub(super) title: Option<String>,
    /// Artist or speaker.
    #[schemars(length(max = 500))]
    pub(super) artist: Option<String>,
    /// Album, or name of the podcast.
    #[schemars(length(max = 500))]
    pub(super) album: Option<String>,
    /// Year, or date such as 2026-11-22.
    #[schemars(length(max = 20))]
    pub(super) date: Option<String>,
    /// Comment.
    #[schemars(length(max = 5000))]
    pub(super) comment: Option<String>,
}

/// A chapter, in seconds of the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Chapter {
    pub(super) name: String,
    pub(super) start_s: f64,
    pub(super) end_s: f64,
}

impl Tags {
    /// As comments of FLAC and Opus, chapters included ("CHAPTER001=00:00:00.000").
    pub(super) fn comments(&self, chapters: &[Chapter]) -> Vec<(String, String)> {
        let given = [
            ("TITLE", &self.title),
            ("ARTIST", &self.artist),
            ("ALBUM", &self.album),
            ("DATE", &self.date),
            ("COMMENT", &self.comment),
        ];
        let given = given.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let mut comments: Vec<_> =
            given.map(|(name, value)| (name.to_owned(), one_line(value))).collect();
        for (index, chapter) in chapters.iter().enumerate() {
            let number = index + 1;
            comments.push((format!("CHAPTER{number:03}"), timestamp(chapter.start_s, '.')));
            comments.push((format!("CHAPTER{number:03}NAME"), one_line(&chapter.name)));
        }
        comments
    }

    /// As text frames of ID3v2.3; date and comment have forms of their own.
    pub(super) fn id3(&self) -> impl Iterator<Item = (&'static [u8; 4], &str)> {
        let frames: [(&'static [u8; 4], &Option<String>); 3] =
            [(b"TIT2", &self.title), (b"TPE1", &self.artist), (b"TALB", &self.album)];
        frames.into_iter().filter_map(|(id, value)| Some((id, value.as_deref()?)))
    }

    /// As the parts of a LIST INFO chunk of WAV.
    pub(super) fn info(&self) -> impl Iterator<Item = (&'static [u8; 4], &str)> {
        let parts: [(&'static [u8; 4], &Option<String>); 5] = [
            (b"INAM", &self.title),
            (b"IART", &self.artist),
            (b"IPRD", &self.album),
            (b"ICRD", &self.date),
            (b"ICMT", &self.comment),
        ];
        parts.into_iter().filter_map(|(id, value)| Some((id, value.as_deref()?)))
    }
}

/// Names the markers at or after the end of the mix, which no file has a place for.
pub(super) fn left_out(session: &Session) -> Option<String> {
    let end = session.heard_end();
    let mut late: Vec<_> =
        session.markers.values().filter(|marker| marker.position >= end).collect();
    late.sort_by_key(|marker| marker.position);
    let at = |marker: &&deskhand_session::Marker| {
        let seconds = marker.position.seconds(session.rate).0;
        format!("\"{}\" at {}", marker.name, timestamp(seconds, '.'))
    };
    let (markers, are) = match late.len() {
        0 => return None,
        1 => ("1 marker is".to_owned(), "is"),
        more => (format!("{more} markers are"), "are"),
    };
    let names = late.iter().map(at).collect::<Vec<_>>().join(", ");
    Some(format!(
        "{markers} after the end of the audio at {} and {are} no chapter: {names}. Move the markers to keep them.",
        timestamp(end.seconds(session.rate).0, '.')
    ))
}

/// The markers between two places as chapters: each lasts until the next one, and markers at one place are
/// joined. `wanted` says which markers by id or name; without it all that have no code, since a code is a label for
/// who edits.
pub(super) fn chapters(
    session: &Session,
    range: Range<Frames>,
    wanted: Option<&[String]>,
) -> Vec<Chapter> {
    let is_wanted = |id: &MarkerId, marker: &Marker| match wanted {
        Some(wanted) => wanted.iter().any(|it| *it == id.to_string() || *it == marker.name),
        None => marker.code.is_none(),
    };
    let mut marks: Vec<_> = session
        .markers
        .iter()
        .filter(|(id, marker)| range.contains(&marker.position) && is_wanted(id, marker))
        .map(|(_, marker)| (marker.position, marker.name.clone()))
        .collect();
    marks.sort_by_key(|(position, _)| *position);
    marks.dedup_by(|next, first| {
        let same = next.0 == first.0;
        if same {
            first.1 = format!("{} / {}", first.1, next.1);
        }
        same
    });
    let seconds = |frames: Frames| (frames - range.start).seconds(session.rate).0;
    let chapter = |(index, (start, name)): (usize, &(Frames, String))| Chapter {
        name: name.clone(),
        start_s: seconds(*start),
        end_s: seconds(marks.get(index + 1).map_or(range.end, |next| next.0)),
    };
    marks.iter().enumerate().map(chapter).collect()
}
