//! Targets held against a request: which objects they are for it, or why that cannot be told.

use crate::part::{Part, Phrase, Pick, Thing};
use crate::targets::Scope;
use deskhand_session::{Clip, ClipId, ObjectId, TrackId, TrackKind};
use serde_json::{Value, json};

/// Why a request is unclear, and what could be said instead.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trouble {
    pub reason: String,
    pub suggestions: Vec<String>,
    /// Whether the words are understood, and only cannot be done.
    pub is_understood: bool,
}

impl Trouble {
    /// Words that are understood: what they ask for is incomplete, or cannot be done now.
    pub(crate) fn new<S: Into<String>>(
        reason: impl Into<String>,
        suggestions: impl IntoIterator<Item = S>,
    ) -> Self {
        Self {
            reason: reason.into(),
            suggestions: suggestions.into_iter().map(Into::into).collect(),
            is_understood: true,
        }
    }

    /// Words of which it cannot be told what they ask for.
    pub(crate) fn not_understood<S: Into<String>>(
        reason: impl Into<String>,
        suggestions: impl IntoIterator<Item = S>,
    ) -> Self {
        Self { is_understood: false, ..Self::new(reason, suggestions) }
    }
}

/// What a request works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// Tracks or clips.
    Sound,
    /// Tracks.
    Tracks,
    /// Clips.
    Clips,
    /// Anything that has a name.
    Any,
}

/// Targets of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Resolved {
    /// `"all"`, `"selection"` or a list of ids.
    pub param: Value,
    /// The objects.
    pub ids: Vec<ObjectId>,
}

/// What a request does, as far as it matters to what its names mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Deed {
    /// It works on what is heard.
    #[default]
    Sound,
    /// It is about the mutes themselves, or names: muted tracks are meant as well.
    OfAll,
    /// It takes away: nothing is offered that was not named.
    Remove,
}

/// What the rest of the words says about a clause.
#[derive(Clone)]
pub(crate) struct Context<'a> {
    pub scope: Scope<'a>,
    /// Whether it is the only request: then what is not said is the selection.
    pub alone: bool,
    /// What the request before was about.
    pub previous: Vec<ObjectId>,
    /// What was spoken of so far.
    pub mentioned: Vec<ObjectId>,
    /// What must stay as it is.
    pub protected: Vec<ObjectId>,
    /// What is done.
    pub deed: Deed,
    /// Whether all other readers were asked.
    pub is_last: bool,
}

impl<'a> Context<'a> {
    /// For a request by itself.
    pub(crate) fn of(scope: Scope<'a>) -> Self {
        Self {
            scope,
            alone: true,
            previous: Vec::new(),
            mentioned: Vec::new(),
            protected: Vec::new(),
            deed: Deed::Sound,
            is_last: false,
        }
    }
}

impl Context<'_> {
    /// The objects of a phrase for a request; without a phrase, the selection.
    pub(crate) fn resolve(&self, phrase: Option<Phrase>, want: Want) -> Result<Resolved, Trouble> {
        let phrase = match phrase {
            Some(phrase) => self.without_pronoun(phrase)?,
            None => self.unsaid()?,
        };
        let mut ids = self.fit(self.expand_all(&phrase.parts, want)?, want, phrase.is_broad())?;
        let said = ids.len();
        if phrase.has_role() {
            self.leave_muted(&mut ids);
        }
        let out = self.excepted(&phrase)?;
        self.take_out(&mut ids, &out);
        let before = ids.len();
        self.take_out(&mut ids, &self.protected);
        if ids.len() < before && !phrase.is_broad() {
            return Err(self.contradiction(&self.protected));
        }
        if let Some(part) = self.part_of_any(&ids, out.iter().chain(&self.protected)) {
            return Err(self.misfit(part, want));
        }
        if ids.is_empty() {
            return Err(Trouble::new("nothing is left to work on", self.others()));
        }
        let whole = if ids.len() == said { phrase.single() } else { None };
        let has_time = self.scope.session.selection.range.is_some();
        let is_of_clips = want == Want::Tracks && !has_time && ids != self.chosen();
        let param = match whole {
            Some(Pick::All(Thing::Everything | Thing::Tracks | Thing::Clips)) => json!("all"),
            Some(Pick::All(Thing::Heard)) if ids.len() == self.everything(want).len() => {
                json!("all")
            }
            // Tools that are asked for the selection would take the clips.
            Some(Pick::Selection | Pick::Selected) if is_of_clips => list(&ids),
            Some(Pick::Selection) => json!("selection"),
            Some(Pick::Selected) if !has_time => json!("selection"),
            _ => list(&ids),
        };
        Ok(Resolved { param, ids })
    }

    /// The clips of a phrase; of a track with several, the one that is chosen among them.
    pub(crate) fn clip_of_each(
        &self,
        phrase: Option<Phrase>,
        choose: impl Fn(&[(ClipId, &Clip)]) -> Option<ClipId>,
    ) -> Result<Resolved, Trouble> {
        let session = self.scope.session;
        let one = |id: &ObjectId| match id {
            ObjectId::Track(track) => choose(&session.clips_on(*track)).map(ObjectId::from),
            _ => None,
        };
        self.resolve(phrase.clone(), Want::Clips).or_else(|trouble| {
            let Ok(found) = self.resolve(phrase, Want::Tracks) else { return Err(trouble) };
            let ids: Option<Vec<ObjectId>> = found.ids.iter().map(one).collect();
            let ids = ids.filter(|ids| !ids.is_empty()).ok_or(trouble)?;
            Ok(Resolved { param: list(&ids), ids })
        })
    }

    /// A word for what something sounds like means what is heard, where any of it is: not what is muted, or replaced, beside
    /// that. What asks about the mutes themselves means all.
    fn leave_muted(&self, ids: &mut Vec<ObjectId>) {
        if self.deed == Deed::Sound {
            *ids = self.heard(std::mem::take(ids));
        }
    }

    /// What is not muted; all, if all is.
    fn heard(&self, ids: Vec<ObjectId>) -> Vec<ObjectId> {
        let session = self.scope.session;
        session.unmuted(ids, |id| *id)
    }

    fn contradiction(&self, kept: &[ObjectId]) -> Trouble {
        let names: Vec<String> = kept.iter().map(|id| self.scope.session.name_of(*id)).collect();
        let reason =
            format!("it both asks for an edit and says to leave {} as it is", names.join(", "));
        Trouble::new(reason, Vec::<String>::new())
    }

    /// "it" is what was spoken of before, or the selection.
    fn without_pronoun(&self, phrase: Phrase) -> Result<Phrase, Trouble> {
        let settle = |part: Part| match part.pick {
            Pick::It if !self.previous.is_empty() => {
                Ok(crate::part::objects(self.previous.clone()))
            }
            Pick::It => Ok(self.unsaid()?.parts.remove(0)),
            _ => Ok(part),
        };
        let parts = phrase.parts.into_iter().map(settle).collect::<Result<_, Trouble>>()?;
        Ok(Phrase { parts, ..phrase })
    }

    /// "make it louder": if "it" points at nothing, all that is heard.
    pub(crate) fn or_all(&self, phrase: Phrase) -> Phrase {
        let is_open = phrase.is_it() && self.points_at_nothing();
        if is_open { Phrase::all(Thing::Heard) } else { phrase }
    }

    /// "cut the silences", "tighten it": a tool that measures, or plans levels, noise, silence or fades, means all that
    /// is heard if nothing is named or selected. A single track is meant by its name.
    pub(crate) fn or_heard(&self, phrase: Option<Phrase>) -> Option<Phrase> {
        let is_open = match &phrase {
            None => self.alone && self.chosen().is_empty(),
            Some(phrase) => phrase.is_it() && self.points_at_nothing(),
        };
        let means_all = is_open && self.scope.session.tracks.len() > 1;
        if means_all { Some(Phrase::all(Thing::Heard)) } else { phrase }
    }

    fn points_at_nothing(&self) -> bool {
        self.previous.is_empty() && self.chosen().is_empty() && self.alone
    }

    /// What is meant where nothing is said: the selection, or the only track.
    fn unsaid(&self) -> Result<Phrase, Trouble> {
        let session = self.scope.session;
        let selected = !self.chosen().is_empty();
        let tracks: Vec<ObjectId> = self.audio_tracks();
        let pick = match (self.alone, selected, &tracks[..]) {
            (true, true, _) => crate::part::whole(Pick::Selection),
            (_, _, [only]) if session.tracks.len() == 1 => crate::part::objects(vec![*only]),
            _ => {
                let all = ["everything".to_owned(), "the selection".to_owned()];
                let offers = all.into_iter().filter(|_| self.deed != Deed::Remove);
                return Err(Trouble::new("it does not say on what", offers.chain(self.others())));
            }
        };
        Ok(Phrase { parts: vec![pick], except: Vec::new() })
    }

    /// What could be meant; nothing is offered to be removed that was not named.
    fn others(&self) -> Vec<String> {
        match self.deed {
            Deed::Remove => vec!["list the tracks".to_owned()],
            _ => self.scope.track_names(),
        }
    }

    fn audio_tracks(&self) -> Vec<ObjectId> {
        let tracks = self.scope.session.tracks_in_order();
        tracks
            .filter(|(_, track)| track.kind == TrackKind::Audio)
            .map(|(id, _)| id.into())
            .collect()
    }

    /// All tracks, or all clips.
    fn everything(&self, want: Want) -> Vec<ObjectId> {
        if want == Want::Clips { self.all_clips() } else { self.audio_tracks() }
    }

    fn all_clips(&self) -> Vec<ObjectId> {
        let tracks = self.scope.session.tracks_in_order();
        tracks.flat_map(|(id, _)| self.clips_on(id)).collect()
    }

    fn clips_on(&self, track: TrackId) -> Vec<ObjectId> {
        self.scope.session.clips_on(track).into_iter().map(|(id, _)| id.into()).collect()
    }

    /// The selected clips, or if there are none the selected tracks: clips are narrower than their tracks, which editors
    /// select with them. Tools that are asked for the selection take the same.
    fn selected(&self) -> Vec<ObjectId> {
        let session = self.scope.session;
        let clips = session.selection.clips.iter().filter(|id| session.clips.contains_key(id));
        let clips: Vec<ObjectId> = clips.map(|id| (*id).into()).collect();
        if clips.is_empty() { self.selected_tracks() } else { clips }
    }

    fn selected_tracks(&self) -> Vec<ObjectId> {
        let session = self.scope.session;
        let tracks = session.selection.tracks.iter().filter(|id| session.tracks.contains_key(id));
        tracks.map(|id| (*id).into()).collect()
    }

    /// What a request for tracks is about where clips are selected with their tracks: the tracks of those clips.
    fn selected_for(&self, want: Want, selected: Vec<ObjectId>) -> Vec<ObjectId> {
        let of = |id: &ObjectId| self.scope.session.track_of(*id).map(ObjectId::from);
        let mut tracks = self.selected_tracks();
        tracks.retain(|track| selected.iter().any(|id| of(id) == Some(*track)));
        if want == Want::Tracks && !tracks.is_empty() { tracks } else { selected }
    }

    /// What is selected; where that is a time alone, that time of all tracks.
    pub(crate) fn chosen(&self) -> Vec<ObjectId> {
        let selected = self.selected();
        let is_time = selected.is_empty() && self.scope.session.selection.range.is_some();
        if is_time { self.audio_tracks() } else { selected }
    }

    /// Whether what is selected is meant, and with it the selected time: "this", or nothing said.
    pub(crate) fn is_selection(&self, phrase: Option<&Phrase>) -> bool {
        let is_meant = match phrase.map(Phrase::single) {
            None => self.alone,
            Some(Some(Pick::Selection)) => true,
            Some(Some(Pick::It)) => self.alone && self.previous.is_empty(),
            Some(_) => false,
        };
        is_meant && !self.chosen().is_empty()
    }

    fn expand_all(&self, parts: &[Part], want: Want) -> Result<Vec<ObjectId>, Trouble> {
        let mut ids = Vec::new();
        for part in parts {
            let more = self.expand(&part.pick, want)?;
            ids.extend(more.into_iter().filter(|id| !ids.contains(id)).collect::<Vec<_>>());
        }
        Ok(ids)
    }

    fn expand(&self, pick: &Pick, want: Want) -> Result<Vec<ObjectId>, Trouble> {
        let session = self.scope.session;
        Ok(match pick {
            Pick::Objects(ids) => ids.clone(),
            Pick::All(Thing::Clips) => self.all_clips(),
            Pick::All(Thing::Everything | Thing::Tracks) => self.everything(want),
            Pick::All(Thing::Heard) => self.heard(self.everything(want)),
            Pick::All(Thing::Buses) => {
                let buses =
                    session.tracks_in_order().filter(|(_, track)| track.kind == TrackKind::Bus);
                buses.map(|(id, _)| id.into()).collect()
            }
            Pick::All(Thing::Markers) => session.markers.keys().map(|id| (*id).into()).collect(),
            Pick::Selection => self.some_selected(self.selected_for(want, self.chosen()))?,
            Pick::Selected => self.some_selected(self.selected_for(want, self.selected()))?,
            Pick::Mix => vec![session.id.into()],
            Pick::It => self.previous.clone(),
            Pick::Rest => self.rest()?,
            Pick::Ambiguous(ids) => return Err(self.which(ids)),
            Pick::Missing(reason, offers) => return Err(Trouble::new(reason, offers.clone())),
        })
    }

    fn some_selected(&self, ids: Vec<ObjectId>) -> Result<Vec<ObjectId>, Trouble> {
        match ids.is_empty() {
            true => Err(Trouble::new("nothing is selected", self.scope.track_names())),
            false => Ok(ids),
        }
    }

    fn rest(&self) -> Result<Vec<ObjectId>, Trouble> {
        if self.mentioned.is_empty() {
            return Err(Trouble::new(
                "it does not say what the rest is the rest of",
                self.scope.track_names(),
            ));
        }
        let mut ids = self.audio_tracks();
        self.take_out(&mut ids, &self.mentioned);
        Ok(ids)
    }

    fn which(&self, ids: &[ObjectId]) -> Trouble {
        let named = |id: &ObjectId| match id {
            ObjectId::Clip(clip) => self.clip_apart(*clip),
            other => self.scope.session.name_of(*other),
        };
        Trouble::new(
            "more than one thing could be meant, or fewer than were counted",
            ids.iter().map(named),
        )
    }

    /// The name of a clip; its place on its track where others are called so too.
    fn clip_apart(&self, id: ClipId) -> String {
        let session = self.scope.session;
        let name = session.name_of(id.into());
        let same = session.clips.values().filter(|clip| clip.name == name).count();
        let track = session.clips.get(&id).filter(|_| same > 1).map(|clip| clip.track);
        let place = track.and_then(|track| {
            let clips = session.clips_on(track);
            Some((clips.iter().position(|(clip, _)| *clip == id)?, session.name_of(track.into())))
        });
        place.map_or(name, |(at, track)| format!("clip {} on {track}", at + 1))
    }

    /// Turns what was named into what the request works on.
    fn fit(&self, ids: Vec<ObjectId>, want: Want, broad: bool) -> Result<Vec<ObjectId>, Trouble> {
        let mut fitted = Vec::new();
        for id in ids {
            let more = match (id, want) {
                (ObjectId::Group(group), Want::Sound | Want::Tracks) => {
                    let group = self.scope.session.groups.get(&group);
                    group
                        .map(|group| group.tracks.iter().map(|id| (*id).into()).collect())
                        .unwrap_or_default()
                }
                (ObjectId::Track(_), Want::Sound | Want::Tracks)
                | (ObjectId::Clip(_), Want::Sound | Want::Clips)
                | (_, Want::Any) => vec![id],
                (ObjectId::Track(track), Want::Clips) => self.clips_of(track, broad)?,
                (_, Want::Sound | Want::Tracks | Want::Clips) => return Err(self.misfit(id, want)),
            };
            fitted.extend(more.into_iter().filter(|id| !fitted.contains(id)).collect::<Vec<_>>());
        }
        Ok(fitted)
    }

    fn clips_of(&self, track: TrackId, broad: bool) -> Result<Vec<ObjectId>, Trouble> {
        let clips = self.clips_on(track);
        let name = self.scope.session.name_of(track.into());
        match clips.len() {
            0 if !broad => {
                Err(Trouble::new(format!("there is no clip on {name}"), self.scope.track_names()))
            }
            0 | 1 => Ok(clips),
            _ if broad => Ok(clips),
            count => {
                let offers = clips.iter().map(|id| self.scope.session.name_of(*id));
                Err(Trouble::new(
                    format!("{name} has {count} clips, and it does not say which"),
                    offers,
                ))
            }
        }
    }

    fn misfit(&self, id: ObjectId, want: Want) -> Trouble {
        let name = self.scope.session.name_of(id);
        let needed = match want {
            Want::Tracks => "a track",
            Want::Clips => "a clip",
            Want::Sound => "a track or a clip",
            Want::Any => "something in the session",
        };
        let reason = format!("\"{name}\" is {}, and this works on {needed}", kind_of(id));
        let track = self.scope.session.track_of(id).filter(|track| id != (*track).into());
        let names = track.map(|track| vec![self.scope.session.name_of(track.into())]);
        Trouble::new(reason, names.unwrap_or_else(|| self.scope.track_names()))
    }

    fn excepted(&self, phrase: &Phrase) -> Result<Vec<ObjectId>, Trouble> {
        let ids = self.expand_all(&phrase.except, Want::Sound)?;
        self.fit(ids, Want::Sound, phrase.is_broad())
    }

    /// A clip to leave out that is on a track that is not: "mute everything but the intro clip".
    fn part_of_any<'o>(
        &self,
        ids: &[ObjectId],
        mut out: impl Iterator<Item = &'o ObjectId>,
    ) -> Option<ObjectId> {
        let is_part = |id: &&ObjectId| {
            let track = self.scope.session.track_of(**id).map(ObjectId::from);
            track.is_some_and(|track| track != **id && ids.contains(&track))
        };
        out.find(is_part).copied()
    }

    /// Removes objects, and clips on tracks that are removed.
    fn take_out(&self, ids: &mut Vec<ObjectId>, out: &[ObjectId]) {
        ids.retain(|id| {
            let track = self.scope.session.track_of(*id);
            !out.contains(id) && !track.is_some_and(|track| out.contains(&track.into()))
        });
    }

    /// An edit of the mix touches everything that must be left alone.
    pub(crate) fn may_touch_all(&self) -> Result<(), Trouble> {
        match self.protected.is_empty() {
            true => Ok(()),
            false => Err(self.contradiction(&self.protected)),
        }
    }
}

/// Ids as JSON.
pub(crate) fn list(ids: &[ObjectId]) -> Value {
    Value::from(ids.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// What an object is, for people.
pub(crate) fn kind_of(id: ObjectId) -> &'static str {
    match id {
        ObjectId::Session(_) => "the mix",
        ObjectId::Track(_) => "a track",
        ObjectId::Clip(_) => "a clip",
        ObjectId::Source(_) => "a source",
        ObjectId::Marker(_) => "a marker",
        ObjectId::Group(_) => "a group",
        ObjectId::Insert(_) => "a processor",
        ObjectId::Segment(_) => "a segment",
        ObjectId::Code(_) => "a code",
        ObjectId::Phrase(_) => "a phrase",
    }
}
