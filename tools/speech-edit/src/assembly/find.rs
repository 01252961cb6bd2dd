//! `tool_find_phrases`: groups words into phrases and lays them out as an assembly on tracks of its own.

use super::places::{common, total};
use super::regroup::Heirs;
use super::says::find as says;
use super::spans::{Said, said};
use super::timeline::{ANEW, Step};
use super::unassigned_words;
use super::unit::{Unit, built, units};
use deskhand_dsp::Frames;
use deskhand_dsp::silence::union;
use deskhand_edit::assembly::ids;
use deskhand_edit::group_offer;
use deskhand_session::text::{count, names, quoted};
use deskhand_session::{
    Assembly, Change, Clip, ClipId, Edit, ObjectId, Phrase, PhraseId, Session, TrackId,
};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, Offers, PlanContext, Targets, ToolError, ToolSpec, Trust,
    TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeSet;
use std::ops::Range;

/// `tool_find_phrases`.
pub(super) struct FindPhrases;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The transcribed clips. Each clip includes all tracks of its group, else tracks recorded together with
    /// it.
    #[serde(default)]
    targets: Targets,
}

/// The call against the session.
pub(super) struct Resolved {
    units: Vec<Unit>,
    clips: Vec<ClipId>,
}

impl TypedTool for FindPhrases {
    type Params = Params;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_find_phrases",
            "Find phrases",
            "Starts an assembly: splits the transcript into phrases (by sentence, or at a pause over 0.7 s) \
             and places them in order on new tracks \"… (assembly)\", one clip per phrase and track, cut at \
             quiet points with short crossfades; longer pauses are shortened to 0.6 s. Tracks of a group, or \
             recorded together, stay in sync to the sample. Phrases come in order of time; overlapping takes \
             of one speaker come one after another. The recordings stay, muted. Transcribe first. Next: \
             tool_list_phrases, tool_mark_duplicates, tool_reorder_segments, tool_remove_segments, cmd_finish. \
             A second call adds new phrases.",
            Category::Edit,
            Trust::Suggest,
            vec![json!({"targets": "all"}), json!({"targets": ["Take*"]})],
        )
        .says(says())
        .command("assemble phrases", "Find the phrases of transcripts and put them one after another")
        .arg("[TARGETS...]", "targets", "Clips or sources (default: all clips)")
        .or("all")
        .offers(Offers::said("find the phrases").by(Gesture::FindPhrases))
    }

    fn resolve(params: Params, session: &Session) -> Result<Resolved, ToolError> {
        let made = ids::originals(session);
        let mut clips = params.targets.clips(session)?;
        clips.retain(|id| session.clips.get(id).is_some_and(|c| !made.contains_key(&c.track)));
        let tracks: BTreeSet<TrackId> =
            clips.iter().filter_map(|id| session.clips.get(id)).map(|clip| clip.track).collect();
        let units = units(session, &tracks);
        let clips = with_mates(session, &units, &clips);
        let meant: Vec<&Clip> = clips.iter().filter_map(|id| session.clips.get(id)).collect();
        let sources: BTreeSet<_> = meant.iter().map(|clip| clip.source).collect();
        if !sources.iter().any(|source| !session.transcript_of(*source).is_empty()) {
            let message = "nothing that is said there is written down";
            let fix = "transcribe the recordings first: tool_transcribe; where that writes nothing \
                       down, nothing is said in them";
            return Err(ToolError::prepare(Code::NoTarget, message, fix));
        }
        Ok(Resolved { units, clips })
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.clips.iter().map(|id| (*id).into()).collect()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &*context.session;
        let mut draft = Draft::default();
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let all: Vec<&Clip> = call.clips.iter().filter_map(|id| session.clips.get(id)).collect();
        for unit in &call.units {
            let meant = meant(session, &call, unit);
            let said = said(session, &unit.tracks, &meant, &all);
            // A phrase heard on several tracks is assembled from the first.
            found.extend(said.into_iter().filter(|said| seen.insert(said.id)));
        }
        in_order(session, &call, &mut found);
        let stale = stale(session, &call, &found);
        let heirs = Heirs::new(session, &found, &stale);
        let after = assembled(session, &found, &stale, &heirs);
        phrases(&mut draft, session, &found, &stale);
        let renewed = with_phrases(session, &found, &stale);
        tell(&mut draft, &renewed, &call, &found);
        let wanted = missing(&renewed, &after);
        let built = built(context, &renewed, &call.units, wanted.clone(), &mut draft)?;
        draft.warnings.extend(unassigned_words::told(&renewed, &call.units, &wanted, &built));
        let (phrases, new) = (found.len(), built.blocks.len());
        let step = Step {
            built: built.blocks,
            heirs,
            renewed: Some(renewed),
            ..Step::new(after, "as it is said")
        };
        step.add_to(&mut draft, context, 0);
        draft.summary = summary(draft.changes.is_empty(), count(phrases, "phrase"), new);
        Ok(draft)
    }
}

fn summary(is_done: bool, phrases: String, new: usize) -> String {
    match (is_done, new) {
        (true, _) => format!("Nothing to change: {phrases} are in the assembly"),
        (false, 0) => format!("Renew the assembly of {phrases}"),
        (false, new) => format!("Assemble {} on tracks of their own", count(new, "phrase")),
    }
}

/// The clips, and those of the other tracks of their groups that play at the same time.
fn with_mates(session: &Session, units: &[Unit], clips: &[ClipId]) -> Vec<ClipId> {
    let mut all = Vec::new();
    for unit in units {
        let on_unit =
            |id: &ClipId| session.clips.get(id).filter(|clip| unit.tracks.contains(&clip.track));
        let meant: Vec<&Clip> = clips.iter().filter_map(on_unit).collect();
        let heard = |clip: &Clip| {
            meant.iter().any(|own| own.position < clip.end() && clip.position < own.end())
        };
        let own = unit.tracks.iter().flat_map(|track| session.clips_on(*track));
        all.extend(own.filter(|(_, clip)| heard(clip)).map(|(id, _)| id));
    }
    all
}

/// Sorts by time. Takes that overlap come one after the other, by start and then by track order.
fn in_order(session: &Session, call: &Resolved, found: &mut [Said]) {
    let talks = talks(session, call, found);
    let begin: Vec<Option<Frames>> = (0..talks.len()).map(|at| take_begin(&talks, at)).collect();
    found.sort_by_key(|said| {
        let unit = unit_of(&call.units, said);
        let own = unit.and_then(|at| begin.get(at).copied().flatten());
        (own.unwrap_or(said.span.start), own.and(unit), said.span.start, said.span.end, said.id)
    });
}

/// Which unit a phrase is said in.
fn unit_of(units: &[Unit], said: &Said) -> Option<usize> {
    units.iter().position(|unit| unit.tracks.contains(&said.track))
}

/// The speech in a unit.
struct Talk {
    /// Where its clips begin.
    begin: Option<Frames>,
    /// When, on the timeline.
    spans: Vec<Range<Frames>>,
    /// The speakers; an unknown speaker counts as one as well.
    speakers: BTreeSet<Option<String>>,
}

fn talks(session: &Session, call: &Resolved, found: &[Said]) -> Vec<Talk> {
    let talk = |at: usize| {
        let own = found.iter().filter(|said| unit_of(&call.units, said) == Some(at));
        let segments = own.clone().flat_map(|said| &said.segments);
        let known = segments.filter_map(|id| session.segments.get(id));
        let clips = call.units.get(at).map(|unit| meant(session, call, unit)).unwrap_or_default();
        Talk {
            begin: clips.iter().map(|clip| clip.position).min(),
            spans: union(own.map(|said| said.span.clone())),
            speakers: known.map(|segment| segment.speaker.clone()).collect(),
        }
    };
    (0..call.units.len()).map(talk).collect()
}

impl Talk {
    /// Whether both may be takes of one speaker: most of one is said while the other is.
    fn is_take_of(&self, other: &Self) -> bool {
        let is_unknown = |talk: &Self| talk.speakers.contains(&None);
        let is_one =
            is_unknown(self) || is_unknown(other) || !self.speakers.is_disjoint(&other.speakers);
        let over =
            self.spans.iter().flat_map(|own| other.spans.iter().filter_map(|it| common(own, it)));
        let over = total(&over.collect::<Vec<_>>());
        is_one && over > Frames::ZERO && over + over >= total(&self.spans).min(total(&other.spans))
    }
}

/// Where a unit begins that is a take of another unit.
fn take_begin(talks: &[Talk], at: usize) -> Option<Frames> {
    let own = talks.get(at)?;
    let mut others = talks.iter().enumerate().filter(|(other, _)| *other != at);
    let is_take = others.any(|(_, other)| own.is_take_of(other));
    own.begin.filter(|_| is_take)
}

/// The chosen clips of a unit.
fn meant<'a>(session: &'a Session, call: &Resolved, unit: &Unit) -> Vec<&'a Clip> {
    let clips = call.clips.iter().filter_map(|id| session.clips.get(id));
    clips.filter(|clip| unit.tracks.contains(&clip.track)).collect()
}

/// Known phrases of the chosen sources that are not found any more.
fn stale(session: &Session, call: &Resolved, found: &[Said]) -> BTreeSet<PhraseId> {
    let sources: BTreeSet<_> =
        call.clips.iter().filter_map(|id| session.clips.get(id)).map(|clip| clip.source).collect();
    let found: BTreeSet<PhraseId> = found.iter().map(|said| said.id).collect();
    let is_meant = |phrase: &Phrase| {
        let first = phrase.segments.first().and_then(|id| session.segments.get(id));
        first.is_some_and(|segment| sources.contains(&segment.source))
    };
    let known =
        session.phrases.iter().filter(|(id, phrase)| is_meant(phrase) && !found.contains(id));
    known.map(|(id, _)| *id).collect()
}

/// The assembly with the found phrases, without the stale ones. A replacement takes the place of its stale
/// phrase. A new phrase comes after the one that is said before it.
fn assembled(
    session: &Session,
    found: &[Said],
    stale: &BTreeSet<PhraseId>,
    heirs: &Heirs,
) -> Assembly {
    let old = &session.assembly;
    let mut after = heirs.placed(old, stale);
    let others: BTreeSet<_> =
        after.duplicates.iter().flat_map(deskhand_session::Duplicates::others).collect();
    let mut last = None;
    // A phrase said before all known ones goes to the beginning; another recording goes to the end.
    let is_begun = found.iter().any(|said| after.order.contains(&said.id));
    let begin = if is_begun { 0 } else { after.order.len() };
    for said in found {
        let is_known = after.order.contains(&said.id);
        if !is_known && !after.removed.contains(&said.id) && !others.contains(&said.id) {
            let ahead = last.and_then(|last| after.order.iter().position(|id| *id == last));
            let at =
                ahead.map_or(if last.is_none() { begin } else { after.order.len() }, |at| at + 1);
            after.order.insert(at, said.id);
        }
        if after.order.contains(&said.id) {
            last = Some(said.id);
        }
    }
    let known = session.phrases.keys().filter(|id| !stale.contains(id));
    let lost = known.filter(|id| !after.order.contains(id) && !after.removed.contains(id));
    let lost: Vec<PhraseId> = lost.filter(|id| !others.contains(id)).copied().collect();
    after.order.extend(lost);
    if after.order != old.order {
        after.finished = None;
    }
    after
}

/// The changes of phrases: stale ones are removed while the assembly names none, then new ones are added.
fn phrases(draft: &mut Draft, session: &Session, found: &[Said], stale: &BTreeSet<PhraseId>) {
    if !stale.is_empty() {
        let old = session.assembly.clone();
        let clear = Change::SetAssembly(Edit::new(session.id, old, Assembly::default()));
        draft.change(clear, "Assembly".into(), "what is written down is another than before");
    }
    for id in stale {
        if let Some(phrase) = session.phrases.get(id) {
            let name = session.name_of((*id).into());
            let change = Change::SetPhrase(Edit::remove(*id, phrase.clone()));
            draft.change(change, name, ANEW);
        }
    }
    let renewed = with_phrases(session, found, stale);
    for said in found.iter().filter(|said| !session.phrases.contains_key(&said.id)) {
        let phrase = Phrase { segments: said.segments.clone() };
        let change = Change::SetPhrase(Edit::create(said.id, phrase));
        draft.change(change, renewed.name_of(said.id.into()), "said without a longer pause");
    }
}

/// The session with the phrases as they will be.
fn with_phrases(session: &Session, found: &[Said], stale: &BTreeSet<PhraseId>) -> Session {
    let mut renewed = session.clone();
    renewed.phrases.retain(|id, _| !stale.contains(id));
    let new = found.iter().map(|said| (said.id, Phrase { segments: said.segments.clone() }));
    renewed.phrases.extend(new);
    renewed
}

/// The phrases that play in `after` and have no clip yet, or were not in the assembly.
fn missing(session: &Session, after: &Assembly) -> BTreeSet<PhraseId> {
    let known: BTreeSet<_> = session.assembly.order.iter().collect();
    after.order.iter().filter(|id| !known.contains(id)).copied().collect()
}

/// Adds the warnings that a person should read first.
fn tell(draft: &mut Draft, session: &Session, call: &Resolved, found: &[Said]) {
    let along = session.along();
    let along = found.iter().filter_map(|said| along.get(&said.id)).flatten();
    let along: Vec<String> = along.map(|id| session.name_of((*id).into())).collect();
    if !along.is_empty() {
        let told = "said over a longer phrase of another track, plays along with it";
        draft.warnings.push(format!("{}: {told}", names(&along)));
    }
    if let Some((warning, tracks)) = apart(session, call, found) {
        draft.offers.extend(group_offer(session, &tracks, &warning));
        draft.warnings.push(warning);
    }
    draft.warnings.extend(at_once(session, call, found));
    let tracks = call.units.iter().flat_map(|unit| &unit.tracks);
    let rides = tracks.filter_map(|id| session.tracks.get(id));
    let rides: Vec<String> =
        rides.filter(|track| !track.envelope.is_empty()).map(|track| track.name.clone()).collect();
    if !rides.is_empty() {
        let told = "gain over time belongs to the old order and does not go along";
        draft.warnings.push(format!("{}: {told}", names(&rides)));
    }
}

/// Takes that lie over each other and come one after the other, and the tracks of both.
fn apart(session: &Session, call: &Resolved, found: &[Said]) -> Option<(String, Vec<TrackId>)> {
    let talks = talks(session, call, found);
    let is_take = |at: &usize| take_begin(&talks, *at).is_some();
    let takes: Vec<usize> = (0..talks.len()).filter(is_take).collect();
    let [first, second, ..] = takes[..] else { return None };
    let name = |at: usize| {
        let track = call.units.get(at).and_then(|unit| unit.tracks.first());
        track.map(|track| quoted(&session.name_of((*track).into()))).unwrap_or_default()
    };
    let (a, b) = (name(first), name(second));
    let told = format!(
        "{a} and {b} say different things at the same time, so all of {a} comes first. If they were recorded together, \
         group them."
    );
    let both = [first, second].into_iter().filter_map(|at| call.units.get(at));
    Some((told, both.flat_map(|unit| unit.tracks.iter().copied()).collect()))
}

/// Phrases of a group that are cut where two speak.
fn at_once(session: &Session, call: &Resolved, found: &[Said]) -> Option<String> {
    let slack = Frames(i64::from(session.rate.0) / 10);
    let over = found.windows(2).filter(|pair| {
        let is_one = unit_of(&call.units, &pair[0]) == unit_of(&call.units, &pair[1]);
        is_one && pair[0].span.end - pair[1].span.start > slack
    });
    let [first, second] = over.clone().next()? else { return None };
    let more = match over.count() {
        1 => String::new(),
        number => format!(", and {} more", count(number - 1, "pair")),
    };
    let (a, b) = (session.name_of(first.id.into()), session.name_of(second.id.into()));
    Some(format!(
        "\"{a}\" and \"{b}\" are said over each other{more}: what both say there stays with the first"
    ))
}
