//! Builds changes that fit the current state of a session, from dice.

use deskhand_dsp::{Decibels, Fade, FadeCurve, Frames, SampleRate};
use deskhand_session::change::Edit;
use deskhand_session::track::PlacedTrack;
use deskhand_session::*;
use proptest::prelude::*;

/// Numbers that follow from a seed (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `low` to `high`, both included.
    pub(crate) fn range(&mut self, low: i64, high: i64) -> i64 {
        low + (self.bits() % (high - low + 1).unsigned_abs()).cast_signed()
    }

    pub(crate) fn index(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.bits() & 64 == 0
    }

    pub(crate) fn pick<T>(&mut self, from: impl IntoIterator<Item = T>) -> Option<T> {
        let mut all: Vec<T> = from.into_iter().collect();
        if all.is_empty() {
            return None;
        }
        let index = self.index(all.len());
        Some(all.swap_remove(index))
    }

    fn frames(&mut self, low: i64, high: i64) -> Frames {
        Frames(self.range(low, high))
    }

    fn db(&mut self) -> Decibels {
        Decibels(self.range(-1000, 240) as f64 / 10.0)
    }

    fn name(&mut self) -> String {
        let words = ["Kick", "Vocal 2", "été", "🎤 lead", "\"quoted\"", "a\\b", "x"];
        words[self.index(words.len())].into()
    }

    fn fade(&mut self, most: i64) -> Fade {
        let curve = if self.coin() { FadeCurve::Linear } else { FadeCurve::EqualPower };
        Fade { length: self.frames(0, most), curve }
    }
}

/// Steps: for each an op and a seed.
pub(crate) fn steps(most: usize) -> impl Strategy<Value = Vec<(usize, u64)>> {
    prop::collection::vec((0..Change::OPS.len(), any::<u64>()), 1..most)
}

/// A session with tracks, sources, clips and groups, so that every op has something to work on.
pub(crate) fn base(seed: u64) -> Session {
    let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
    let mut dice = Dice(seed);
    let ops = ["add_track", "add_source", "add_clip", "add_clip", "set_group", "add_marker"];
    for _ in 0..6 {
        for op in ops {
            if let Some(change) = change(&session, op, &mut dice) {
                session = session.with([&change]).unwrap();
            }
        }
    }
    session
}

/// The changes of those steps that can be applied in sequence, and the session after each.
pub(crate) fn walk(session: &Session, steps: &[(usize, u64)]) -> Vec<(Change, Session)> {
    let mut states: Vec<(Change, Session)> = Vec::new();
    for (op, seed) in steps {
        let now = states.last().map_or(session, |(_, state)| state);
        if let Some(change) = change(now, Change::OPS[*op], &mut Dice(*seed)) {
            let next = now.with([&change]).unwrap_or_else(|error| panic!("{change:?}: {error}"));
            states.push((change, next));
        }
    }
    states
}

/// A valid change with the given op; `None` if there is nothing to change.
pub(crate) fn change(s: &Session, op: &str, dice: &mut Dice) -> Option<Change> {
    track_change(s, op, dice)
        .or_else(|| clip_change(s, op, dice))
        .or_else(|| library_change(s, op, dice))
        .or_else(|| session_change(s, op, dice))
        .or_else(|| super::build_sound::change(s, op, dice))
        .or_else(|| super::build_words::change(s, op, dice))
}

// tidy: table
fn track_change(s: &Session, op: &str, dice: &mut Dice) -> Option<Change> {
    let id = dice.pick(s.tracks.keys().copied());
    Some(match op {
        "add_track" => {
            let index = dice.index(s.track_order.len() + 1);
            let placed = PlacedTrack { index, track: new_track(s, dice) };
            Change::AddTrack(Edit::create(TrackId::new(dice.bits()), placed))
        }
        "remove_track" => {
            let free = s.tracks.keys().copied().filter(|id| is_free(s, *id));
            let id = dice.pick(free)?;
            let index = s.track_order.iter().position(|other| *other == id)?;
            let placed = PlacedTrack { index, track: s.tracks[&id].clone() };
            Change::RemoveTrack(Edit::remove(id, placed))
        }
        "move_track" => {
            let index = s.track_order.iter().position(|other| Some(*other) == id)?;
            Change::MoveTrack(Edit::new(id?, index, dice.index(s.track_order.len())))
        }
        "rename_track" => {
            Change::RenameTrack(Edit::new(id?, s.tracks[&id?].name.clone(), dice.name()))
        }
        "set_track_gain" => Change::SetTrackGain(Edit::new(id?, s.tracks[&id?].gain, dice.db())),
        "set_track_pan" => {
            let pan = dice.range(-100, 100) as f64 / 100.0;
            Change::SetTrackPan(Edit::new(id?, s.tracks[&id?].pan, pan))
        }
        "set_track_mute" => Change::SetTrackMute(Edit::new(id?, s.tracks[&id?].mute, dice.coin())),
        "set_track_solo" => Change::SetTrackSolo(Edit::new(id?, s.tracks[&id?].solo, dice.coin())),
        "set_track_color" => {
            let color = format!("#{:06x}", dice.bits() & 0xff_ffff);
            let color = dice.coin().then(|| Color::try_from(color).unwrap());
            Change::SetTrackColor(Edit::new(id?, s.tracks[&id?].color.clone(), color))
        }
        "set_track_output" => {
            let open = buses(s).filter(|bus| !s.path_of(*bus).any(|step| Some(step) == id));
            let bus = dice.pick(open).map_or(Output::Master, Output::Bus);
            let after = if dice.coin() { bus } else { Output::Master };
            Change::SetTrackOutput(Edit::new(id?, s.tracks[&id?].output, after))
        }
        "set_group" => set_group(s, dice),
        _ => return None,
    })
}

fn buses(s: &Session) -> impl Iterator<Item = TrackId> {
    let buses = s.tracks.iter().filter(|(_, track)| track.kind == TrackKind::Bus);
    buses.map(|(id, _)| *id)
}

fn is_free(s: &Session, id: TrackId) -> bool {
    s.clips_on(id).is_empty()
        && s.group_of(id).is_none()
        && s.inserts_on(InsertOwner::Track(id)).is_empty()
        && !s.tracks.values().any(|track| track.output == Output::Bus(id))
}

fn new_track(s: &Session, dice: &mut Dice) -> Track {
    let name = dice.name();
    let track = if dice.index(3) == 0 { Track::bus(name) } else { Track::audio(name) };
    let output = dice.pick(buses(s)).map_or(Output::Master, Output::Bus);
    Track { gain: dice.db(), solo: dice.index(5) == 0, mute: dice.index(5) == 0, output, ..track }
}

fn set_group(s: &Session, dice: &mut Dice) -> Change {
    let known = dice.pick(s.groups.keys().copied());
    let id = known.filter(|_| dice.coin()).unwrap_or(GroupId::new(dice.bits()));
    let before = s.groups.get(&id).cloned();
    let free = s.tracks.keys().copied();
    let free = free.filter(|track| s.group_of(*track).is_none_or(|(other, _)| other == id));
    let tracks = free.filter(|_| dice.coin()).collect();
    let group = Group { name: dice.name(), tracks };
    let after = (before.is_none() || dice.coin()).then_some(group);
    Change::SetGroup(Edit::new(id, before, after))
}

// tidy: table
fn clip_change(s: &Session, op: &str, dice: &mut Dice) -> Option<Change> {
    let id = dice.pick(s.clips.keys().copied());
    let new_id = ClipId::new(dice.bits());
    Some(match op {
        "add_clip" => Change::AddClip(Edit::create(new_id, new_clip(s, dice)?)),
        "remove_clip" => Change::RemoveClip(Edit::remove(id?, s.clips[&id?].clone())),
        "duplicate_clip" => {
            let position = dice.frames(0, 5000);
            let copy = Clip { position, ..s.clips[&id?].clone() };
            Change::DuplicateClip(Edit::create(new_id, copy))
        }
        "move_clip" => {
            let place = ClipPlace { track: audio_track(s, dice)?, position: dice.frames(0, 5000) };
            Change::MoveClip(Edit::new(id?, s.clips[&id?].place(), place))
        }
        "trim_clip" => trim(s, id?, dice)?,
        "split_clip" => {
            let splittable = s.clips.iter().filter(|(_, clip)| clip.length.0 > 1);
            let (id, clip) = dice.pick(splittable)?;
            let at = dice.frames(1, clip.length.0 - 1);
            let whole = SplitState::Whole { clip: clip.clone(), right_id: new_id };
            Change::SplitClip(Edit::new(*id, whole, SplitState::parts(clip, new_id, at)))
        }
        "rename_clip" => {
            Change::RenameClip(Edit::new(id?, s.clips[&id?].name.clone(), dice.name()))
        }
        "set_clip_gain" => Change::SetClipGain(Edit::new(id?, s.clips[&id?].gain, dice.db())),
        "set_clip_polarity" => {
            let before = s.clips[&id?].polarity;
            Change::SetClipPolarity(Edit::new(id?, before, before.reversed()))
        }
        "set_clip_mute" => Change::SetClipMute(Edit::new(id?, s.clips[&id?].mute, dice.coin())),
        "set_clip_fades" => {
            let half = s.clips[&id?].length.0 / 2;
            let after = Fades { fade_in: dice.fade(half), fade_out: dice.fade(half) };
            Change::SetClipFades(Edit::new(id?, s.clips[&id?].fades(), after))
        }
        "ripple_delete" => {
            let (group, before) = time(s, dice, 1)?;
            let after = before.closed(|| ClipId::new(dice.bits()));
            Change::RippleDelete(Edit::new(group, before, after))
        }
        "ripple_insert" => {
            let (group, before) = time(s, dice, 0)?;
            let length = dice.frames(0, 700);
            let after = before.opened(length, || ClipId::new(dice.bits()));
            Change::RippleInsert(Edit::new(group, before, after))
        }
        _ => return None,
    })
}

/// Some time on the tracks of a group: a length if `least` is one, else a point.
fn time(s: &Session, dice: &mut Dice, least: i64) -> Option<(GroupId, Ripple)> {
    let (group, members) = dice.pick(s.groups.iter())?;
    let mut ripple = Ripple {
        tracks: members.tracks.clone(),
        at: dice.frames(0, 4000),
        length: dice.frames(least, least * 900),
        ..Ripple::default()
    };
    let clips =
        s.clips.iter().filter(|(_, c)| ripple.tracks.contains(&c.track) && ripple.touches(c));
    ripple.clips = clips.map(|(id, clip)| (*id, clip.clone())).collect();
    Some((*group, ripple))
}

fn audio_track(s: &Session, dice: &mut Dice) -> Option<TrackId> {
    let audio = s.tracks.iter().filter(|(_, track)| track.kind == TrackKind::Audio);
    dice.pick(audio.map(|(id, _)| *id))
}

fn new_clip(s: &Session, dice: &mut Dice) -> Option<Clip> {
    let (source, frames) = dice.pick(s.sources.iter().map(|(id, source)| (*id, source.frames)))?;
    let start = dice.range(0, frames.0 - 1);
    let length = dice.range(1, frames.0 - start);
    Some(Clip {
        name: dice.name(),
        track: audio_track(s, dice)?,
        source,
        start: Frames(start),
        length: Frames(length),
        position: dice.frames(0, 5000),
        gain: dice.db(),
        fade_in: dice.fade(length / 2),
        fade_out: dice.fade(length / 2),
        envelope: Vec::new(),
        polarity: Default::default(),
        mute: false,
    })
}

fn trim(s: &Session, id: ClipId, dice: &mut Dice) -> Option<Change> {
    let clip = &s.clips[&id];
    let least = (clip.fade_in.length + clip.fade_out.length).0.max(1);
    let frames = s.sources[&clip.source].frames.0;
    let length = dice.range(least, frames);
    let window = ClipWindow {
        start: dice.frames(0, frames - length),
        length: Frames(length),
        position: dice.frames(0, 5000),
    };
    Some(Change::TrimClip(Edit::new(id, clip.window(), window)))
}

fn library_change(s: &Session, op: &str, dice: &mut Dice) -> Option<Change> {
    let id = dice.pick(s.markers.keys().copied());
    Some(match op {
        "add_marker" => {
            let marker = Marker {
                name: dice.name(),
                position: dice.frames(0, 5000),
                length: dice.frames(0, 100),
                code: None,
            };
            Change::AddMarker(Edit::create(MarkerId::new(dice.bits()), marker))
        }
        "remove_marker" => Change::RemoveMarker(Edit::remove(id?, s.markers[&id?].clone())),
        "move_marker" => {
            let span = MarkerSpan { position: dice.frames(0, 5000), length: dice.frames(0, 9) };
            Change::MoveMarker(Edit::new(id?, s.markers[&id?].span(), span))
        }
        "rename_marker" => {
            Change::RenameMarker(Edit::new(id?, s.markers[&id?].name.clone(), dice.name()))
        }
        "set_marker_code" => {
            let code = dice.coin().then(|| dice.name());
            Change::SetMarkerCode(Edit::new(id?, s.markers[&id?].code.clone(), code))
        }
        "add_source" => {
            Change::AddSource(Edit::create(SourceId::new(dice.bits()), new_source(dice)))
        }
        "remove_source" => {
            let unused = s.sources.iter();
            let unused = unused.filter(|(id, _)| !s.clips.values().any(|c| c.source == **id));
            let unused = unused.filter(|(id, _)| s.segments_of(**id).is_empty());
            let (id, source) = dice.pick(unused)?;
            Change::RemoveSource(Edit::remove(*id, source.clone()))
        }
        _ => return None,
    })
}

fn new_source(dice: &mut Dice) -> Source {
    Source {
        name: dice.name(),
        hash: ContentHash(format!("{:064x}", dice.bits())),
        path: "/audio/a.wav".into(),
        size: dice.bits() >> 20,
        modified_ns: dice.range(0, 1 << 60),
        format: "WAV 24 bit".into(),
        rate: SampleRate(44_100),
        channels: 2,
        channel: dice.coin().then_some(1),
        frames: dice.frames(1, 2000),
        origin: dice.coin().then(|| dice.frames(0, 1 << 40)),
        same_sound: Vec::new(),
        media: if dice.coin() { Media::InPlace } else { Media::Conformed("media/a.wav".into()) },
    }
}

// tidy: table
fn session_change(s: &Session, op: &str, dice: &mut Dice) -> Option<Change> {
    Some(match op {
        "set_selection" => {
            let after = Selection {
                tracks: dice.pick(s.tracks.keys().copied()).into_iter().collect(),
                clips: dice.pick(s.clips.keys().copied()).into_iter().collect(),
                range: dice.coin().then(|| TimeRange { start: Frames(5), end: dice.frames(6, 99) }),
            };
            Change::SetSelection(Edit::new(s.id, s.selection.clone(), after))
        }
        "set_current_source" => {
            let after = dice.pick(s.sources.keys().copied());
            Change::SetCurrentSource(Edit::new(s.id, s.current_source, after))
        }
        "set_master_gain" => Change::SetMasterGain(Edit::new(s.id, s.master_gain, dice.db())),
        "set_tempo" => {
            let first = TempoPoint { position: Frames::ZERO, bpm: dice.range(10, 999) as f64 };
            let second = TempoPoint { position: dice.frames(1, 9), bpm: 100.0 / 3.0 };
            Change::SetTempo(Edit::new(s.id, s.tempo.clone(), vec![first, second]))
        }
        "set_meter" => {
            let meter = Meter { numerator: dice.range(1, 64) as u8, denominator: 8 };
            let after = vec![MeterPoint { position: Frames::ZERO, meter }];
            Change::SetMeter(Edit::new(s.id, s.meter.clone(), after))
        }
        "set_binding" => {
            let track = dice.pick(s.tracks.keys().copied());
            let named = |id: TrackId| (id.into(), HostRef { id: format!("{{{id}}}") });
            let after = Binding {
                program: "REAPER".into(),
                path: "/music/song.RPP".into(),
                hash: ContentHash("blake3:00".into()),
                objects: track.map(named).into_iter().collect(),
                left: vec!["2 plugins".into()],
                is_linked: false,
            };
            Change::SetBinding(Edit::new(s.id, s.host.clone(), Some(after.into())))
        }
        _ => return None,
    })
}
