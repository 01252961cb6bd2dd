//! Turns a tool's results into a plan. Its files become sources of the session, which replace clips or come
//! next to them. Its findings become markers and facts.

use crate::candidate::Candidate;
use crate::launch::LARGEST_ROOM;
use crate::manifest::Gives;
use crate::outcome::{Given, Outcome};
use crate::plan_changes::Notes;
use crate::run_folder::{Part, Room, copy, unwritten};
use crate::sanitize;
use deskhand_dsp::{EnvelopePoint, Frames, Seconds};
use deskhand_session::digest::digest;
use deskhand_session::text;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{
    Artifact, Change, Clip, ClipId, ContentHash, Edit, Fades, IdSeed, Media, Read, Source,
    SourceId, Track, TrackId,
};
use deskhand_toolkit::{Code, Draft, Phase, PlanContext, ToolError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The session folder for files that tools made.
const MADE: &str = "media/made";

pub(crate) fn draft(
    candidate: &Candidate,
    room: &Room,
    parts: &[Part],
    outcome: Outcome,
    context: &PlanContext,
) -> Result<Draft, ToolError> {
    let mut taking = Taking {
        candidate,
        room,
        parts,
        context,
        draft: Draft::default(),
        ids: context.ids(),
        sources: BTreeMap::new(),
        tracks: BTreeMap::new(),
        written: Vec::new(),
    };
    let taken = taking.all(outcome);
    if taken.is_err() {
        // Nobody will ever name them.
        taking.written.iter().for_each(|file| drop(std::fs::remove_file(file)));
    }
    taken
}

/// The plan while it grows.
struct Taking<'a> {
    candidate: &'a Candidate,
    room: &'a Room,
    parts: &'a [Part],
    context: &'a PlanContext,
    draft: Draft,
    ids: IdSeed,
    /// Sources that this plan adds, by content.
    sources: BTreeMap<String, (SourceId, String, Source)>,
    /// Tracks that this plan adds, by the track above them.
    tracks: BTreeMap<TrackId, (TrackId, String)>,
    /// Files that were not there before.
    written: Vec<PathBuf>,
}

impl Taking<'_> {
    fn wrong(&self, what: &str) -> ToolError {
        let message = format!("{}: {what}", self.candidate.manifest.name);
        ToolError::run(Code::Invalid, message, "nothing was changed; the tool has to be mended")
    }

    fn all(&mut self, outcome: Outcome) -> Result<Draft, ToolError> {
        if self.candidate.manifest.gives == Gives::Nothing && !outcome.files.is_empty() {
            return Err(self.wrong("it gave audio, which its manifest does not say"));
        }
        for (index, given) in outcome.files.iter().enumerate() {
            let before = outcome.files.get(..index).unwrap_or_default();
            let part = self.part_of(given, before)?;
            self.file(given, part)?;
        }
        self.finish(outcome)
    }

    /// The clip that a file was made from: one of those that were given, and each once where it is replaced.
    fn part_of(&self, given: &Given, before: &[Given]) -> Result<Option<Part>, ToolError> {
        let in_place = self.candidate.manifest.gives == Gives::InPlace;
        let Some(id) = given.clip else {
            let missing =
                format!("it gave {:?} in place of no clip", sanitize::line(&given.file, 80));
            return if in_place { Err(self.wrong(&missing)) } else { Ok(None) };
        };
        if in_place && before.iter().any(|other| other.clip == Some(id)) {
            return Err(self.wrong(&format!("it gave two files in place of {id}")));
        }
        match self.parts.iter().find(|part| part.id == id) {
            Some(part) => Ok(Some(part.clone())),
            None => Err(self.wrong(&format!("it names {id}, which it was not given"))),
        }
    }

    fn file(&mut self, given: &Given, part: Option<Part>) -> Result<(), ToolError> {
        let path = given.path(self.room.path()).map_err(|why| self.wrong(&why))?;
        let (source, needs, facts) = self.source(given, &path, part.as_ref())?;
        match (self.candidate.manifest.gives, part) {
            (Gives::InPlace, Some(part)) => self.replace(&part, source, needs, &facts),
            (Gives::Beside, Some(part)) => self.beside(&part, source, needs, &facts),
            (Gives::Beside, None) => self.alone(given, source, needs, &facts),
            // Refused before.
            (Gives::InPlace, None) | (Gives::Nothing, _) => {}
        }
        Ok(())
    }

    /// The file as a source of the session; one that was given twice is one source.
    fn source(
        &mut self,
        given: &Given,
        path: &Path,
        part: Option<&Part>,
    ) -> Result<(SourceId, String, Source), ToolError> {
        let source = self.made(given, path, part)?;
        if let Some(known) = self.sources.get(&source.hash.0) {
            return Ok(known.clone());
        }
        let id = SourceId::new(self.ids.next_bits());
        let change = Change::AddSource(Edit::create(id, source.clone()));
        let reason = format!("made by {}", self.candidate.manifest.name);
        let change = self.draft.change(change, source.name.clone(), reason);
        let known = (id, change, source);
        self.sources.insert(known.2.hash.0.clone(), known.clone());
        Ok(known)
    }

    /// Reads the tool's file and writes a new one into the session, so that only samples get there.
    fn made(
        &mut self,
        given: &Given,
        path: &Path,
        part: Option<&Part>,
    ) -> Result<Source, ToolError> {
        let context = self.context;
        let rate = context.session.rate;
        let shown = sanitize::line(&given.file, 80);
        let no_audio = |error: String| {
            self.wrong(&format!("it gave {shown:?}, which cannot be used as audio: {error}"))
        };
        let mut reader = context
            .opener
            .open_at(path, rate)
            .map_err(|error| no_audio(sanitize::line(&error.to_string(), 300)))?;
        let frames = reader.frames();
        let bytes = (frames.index() as u64).saturating_mul(4 * reader.channels() as u64);
        if bytes > LARGEST_ROOM {
            return Err(no_audio(format!("it is longer than {LARGEST_ROOM} bytes of samples")));
        }
        let content = deskhand_media::content_hash(path).map_err(ToolError::media)?;
        let key = digest(&("external", 1, &self.candidate.fingerprint, content.0, rate.0));
        let short: String = key.trim_start_matches("blake3:").chars().take(24).collect();
        let relative = format!("{MADE}/{short}.wav");
        let file = context.folder.join(&relative);
        std::fs::create_dir_all(context.folder.join(MADE)).map_err(unwritten)?;
        if !file.is_file() {
            copy(reader.as_mut(), Frames::ZERO..frames, &file, context)?;
            self.written.push(file.clone());
        }
        self.fact(&relative, &file, self.name_of(given, part))
    }

    /// What the session knows of a file that was made.
    fn fact(&mut self, relative: &str, file: &Path, name: String) -> Result<Source, ToolError> {
        let rate = self.context.session.rate;
        let (probe, reader) =
            self.context.opener.probe_and_open_at(file, rate).map_err(ToolError::media)?;
        let about = file.metadata().map_err(unwritten)?;
        let real = file.canonicalize().map_err(unwritten)?;
        let since = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let hash = deskhand_media::content_hash(file).map_err(ToolError::media)?;
        let artifact = Artifact { path: relative.into(), bytes: about.len() };
        if !self.draft.artifacts.contains(&artifact) {
            self.draft.artifacts.push(artifact);
        }
        Ok(Source {
            name,
            hash: ContentHash(hash.0),
            path: real.to_string_lossy().into_owned(),
            size: about.len(),
            modified_ns: since.and_then(|t| i64::try_from(t.as_nanos()).ok()).unwrap_or(0),
            format: format!("{} {}", probe.format, probe.sample_format),
            rate,
            channels: u16::try_from(probe.channels).unwrap_or(u16::MAX),
            channel: None,
            frames: reader.frames(),
            origin: None,
            same_sound: Vec::new(),
            // In the session's own folder, so that it moves and is copied with it.
            media: Media::Conformed(relative.into()),
        })
    }

    fn name_of(&self, given: &Given, part: Option<&Part>) -> String {
        let title = &self.candidate.manifest.title;
        let own = given.name.as_deref().map(|name| sanitize::line(name, 100));
        let own = own.filter(|name| !name.is_empty());
        own.unwrap_or_else(|| match part {
            Some(part) => format!("{} ({title})", sanitize::line(&part.clip.name, 100)),
            None => title.clone(),
        })
    }

    /// The clip with another source: same name, place, gain and fades.
    fn replace(&mut self, part: &Part, source: SourceId, needs: String, facts: &Source) {
        let Part { id, clip: old } = part;
        let clip = successor(old, source, facts.frames);
        self.draft.reads.push(Read::audio(&self.context.session, *id));
        if clip.length != old.length {
            let rate = self.context.session.rate;
            let (was, is) = (old.length.seconds(rate).0, clip.length.seconds(rate).0);
            let name = &old.name;
            self.draft
                .warnings
                .push(format!("\"{name}\" was {was:.3} s long and becomes {is:.3} s"));
        }
        let reason = format!("in its place: {}", facts.name);
        let first = self.draft.changes.len();
        let change = Change::RemoveClip(Edit::remove(*id, old.clone()));
        let removed = self.draft.dependent(change, old.name.clone(), reason, vec![needs.clone()]);
        let new = ClipId::new(self.ids.next_bits());
        let change = Change::AddClip(Edit::create(new, clip));
        let reason = format!("what {} made of it", self.candidate.manifest.name);
        self.draft.dependent(change, old.name.clone(), reason, vec![needs, removed.clone()]);
        self.draft.row(first, &removed, format!("processed by {}", self.candidate.manifest.title));
    }

    /// A clip at the same time on a new track under the clip's own.
    fn beside(&mut self, part: &Part, source: SourceId, needs: String, facts: &Source) {
        let old = &part.clip;
        self.draft.reads.push(Read::audio(&self.context.session, part.id));
        let (track, made) = match self.tracks.get(&old.track).cloned() {
            Some(known) => known,
            None => self.track_under(old.track),
        };
        let clip = Clip { track, ..successor(old, source, facts.frames) };
        self.clip(clip, &facts.name, vec![needs, made]);
    }

    fn track_under(&mut self, under: TrackId) -> (TrackId, String) {
        let session = &self.context.session;
        let place = session.track_order.iter().position(|id| *id == under);
        let own = session.tracks.get(&under);
        let title = &self.candidate.manifest.title;
        let name = own.map_or_else(|| title.clone(), |own| format!("{} ({title})", own.name));
        let name = sanitize::line(&name, 100);
        let track = Track {
            color: own.and_then(|own| own.color.clone()),
            output: own.map(|own| own.output).unwrap_or_default(),
            ..Track::audio(name.clone())
        };
        let index = place.map_or(session.track_order.len(), |place| place + 1 + self.tracks.len());
        let known = self.add_track(track, index, name);
        self.tracks.insert(under, known.clone());
        known
    }

    fn add_track(&mut self, track: Track, index: usize, name: String) -> (TrackId, String) {
        let id = TrackId::new(self.ids.next_bits());
        let most = self.context.session.track_order.len() + self.tracks.len();
        let placed = PlacedTrack { index: index.min(most), track };
        let change = Change::AddTrack(Edit::create(id, placed));
        (id, self.draft.change(change, name, "a track for what was made"))
    }

    /// Audio that was made from no clip, on a track of its own.
    fn alone(&mut self, given: &Given, source: SourceId, needs: String, facts: &Source) {
        let session = &self.context.session;
        let at = given.at_s.filter(|at| at.is_finite() && (0.0..=360_000.0).contains(at));
        let position = Seconds(at.unwrap_or(0.0)).frames(session.rate);
        let index = session.track_order.len() + self.tracks.len();
        let (track, made) =
            self.add_track(Track::audio(facts.name.clone()), index, facts.name.clone());
        // No track of the session has this id, so it goes below none.
        self.tracks.insert(track, (track, made.clone()));
        let clip = Clip { position, ..Clip::new(facts.name.clone(), track, source, facts.frames) };
        self.clip(clip, &facts.name, vec![needs, made]);
    }

    fn clip(&mut self, clip: Clip, name: &str, needs: Vec<String>) {
        let id = ClipId::new(self.ids.next_bits());
        let reason = format!("made by {}", self.candidate.manifest.name);
        let change = Change::AddClip(Edit::create(id, clip));
        self.draft.dependent(change, name.to_owned(), reason, needs);
    }

    /// Notes markers and findings, which rely on the clips that they were heard in.
    fn heard(&mut self, outcome: &mut Outcome) -> Result<(), ToolError> {
        let marks = outcome.markers.take();
        let findings = std::mem::take(&mut outcome.findings);
        let named = marks.iter().flatten().filter_map(|mark| mark.clip);
        let mut clips: Vec<ClipId> =
            named.chain(findings.iter().map(|finding| finding.clip)).collect();
        clips.sort_unstable();
        clips.dedup();
        let (context, parts) = (self.context, self.parts);
        let tool = self.candidate.manifest.name.as_str();
        let notes = Notes { session: &context.session, tool, parts };
        let noted =
            notes.findings(findings, &mut self.ids, &mut self.draft).and_then(|()| match &marks {
                Some(marks) => notes.marks(marks, &mut self.ids, &mut self.draft),
                None => Ok(()),
            });
        noted.map_err(|why| self.wrong(&why))?;
        for clip in clips {
            let read = Read::audio(&context.session, clip);
            if !self.draft.reads.contains(&read) {
                self.draft.reads.push(read);
            }
        }
        Ok(())
    }

    fn finish(&mut self, mut outcome: Outcome) -> Result<Draft, ToolError> {
        let said = counts(&outcome);
        self.heard(&mut outcome)?;
        let manifest = &self.candidate.manifest;
        self.draft.warnings.extend(outcome.warnings);
        let files = outcome.files.len();
        if manifest.gives == Gives::InPlace && files < self.parts.len() {
            let left = self.parts.len() - files;
            self.draft
                .warnings
                .push(format!("{left} of {} clips stay as they are", self.parts.len()));
        }
        self.draft.summary = match outcome.summary {
            Some(words) => format!("{}: {words}", manifest.title),
            None if said.is_empty() => format!("{}: nothing to change", manifest.title),
            None => format!("{}: {said}", manifest.title),
        };
        self.draft.answer = outcome.answer;
        self.draft.check(&self.context.session, Phase::Run)?;
        Ok(std::mem::take(&mut self.draft))
    }
}

/// "1 file, 3 markers": the results, in words.
fn counts(outcome: &Outcome) -> String {
    let all = [
        (outcome.files.len(), "file"),
        (outcome.markers.as_ref().map_or(0, Vec::len), "marker"),
        (outcome.findings.len(), "finding"),
    ];
    let words = all.into_iter().filter(|(number, _)| *number > 0);
    let words = words.map(|(number, what)| text::count(number, what));
    words.collect::<Vec<_>>().join(", ")
}

/// The clip that plays all of another source in place of `old`. Gain points are scaled to the new length,
/// and fades are limited to it.
fn successor(old: &Clip, source: SourceId, length: Frames) -> Clip {
    let scaled = |position: Frames| {
        let at = i128::from((position - old.start).0) * i128::from(length.0);
        Frames(i64::try_from(at / i128::from(old.length.0.max(1))).unwrap_or(0))
    };
    let move_point =
        |point: &EnvelopePoint| EnvelopePoint { position: scaled(point.position), ..*point };
    let Fades { fade_in, fade_out } = old.fades().fitted(length);
    Clip {
        source,
        start: Frames::ZERO,
        length,
        fade_in,
        fade_out,
        envelope: old.envelope.iter().map(move_point).collect(),
        ..old.clone()
    }
}
