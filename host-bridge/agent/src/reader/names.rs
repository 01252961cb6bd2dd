//! The names of a request: to which parameter they belong, and which objects of the session they are.

use super::clause::{Clause, Miss, Taking};
use super::items::Kind;
use super::kinds::{asked_about, at_place, is_all_of_mix, mix, of_kind, or_everything, the_mix};
use super::spans::{self, Edge};
use super::vocabulary::Way;
use crate::draft::Draft;
use crate::in_time::{self, Stretch};
use crate::part::{Phrase, Thing, objects};
use crate::resolve::{Context, Deed, Resolved, Want, list};
use deskhand_session::intent::{Kinds, Reference, Unsaid};
use deskhand_session::{ObjectId, Session};
use serde_json::{Map, Value, json};

/// The parameter that says what a tool works on.
const TARGETS: &str = "targets";

/// Takes all names, and makes the call.
pub(super) fn take(
    way: Way<'_>,
    clause: &Clause<'_>,
    context: &Context<'_>,
    taking: &mut Taking<'_>,
) -> Result<Draft, Miss> {
    let session = context.scope.session;
    let phrases: Vec<Option<Phrase>> = way
        .intent
        .refs
        .iter()
        .map(|it| named(it, taking, session).or_else(|| everywhere(it, taking)))
        .collect();
    // What is left over is about something else, whatever the names mean.
    let left: Vec<usize> = taking.left().map(|(at, _)| at).collect();
    if !left.is_empty() {
        return Err(Miss::Left(left));
    }
    if let Some(trouble) = taking.trouble.take() {
        let target = way.intent.refs.iter().position(|it| it.param == TARGETS);
        let phrase = target.and_then(|at| phrases[at].as_ref());
        return Err(in_time::by_name(trouble, taking.words.first(), phrase, context).into());
    }
    let removes = taking.words.iter().any(|word| word == "remove");
    let deed = if removes { Deed::Remove } else { context.deed };
    let context = &Context { deed, ..context.clone() };
    let is_beside_place = clause.is_beside_place;
    let mut named = Named { way, targets: Vec::new(), is_broad: false, is_beside_place };
    // "crossfade all overlaps": not only those of the selection.
    let is_every = taking.words.iter().any(|word| word == "every");
    let every = |reference: &Reference| {
        let is_meant = is_every
            && is_object(reference)
            && !matches!(way.intent.unsaid, Unsaid::LeftOut | Unsaid::EverythingLater);
        is_meant.then(|| Phrase::all(Thing::Everything))
    };
    for (reference, phrase) in way.intent.refs.iter().zip(phrases) {
        let phrase = phrase.or_else(|| shared(reference, clause)).or_else(|| every(reference));
        named.set(reference, phrase, context, &mut taking.params)?;
    }
    let params = nested(std::mem::take(&mut taking.params));
    let pairs = params.iter().map(|(param, value)| (param.as_str(), value.clone())).collect();
    let targets = if named.targets.is_empty() { taking.named.clone() } else { named.targets };
    Ok(Draft { targets, ..Draft::call(way.tool, pairs) })
}

/// "Remove the hum everywhere": on everything.
fn everywhere(reference: &Reference, taking: &mut Taking<'_>) -> Option<Phrase> {
    let is_said = reference.param == TARGETS && taking.word("everywhere", false).is_some();
    is_said.then(|| Phrase::all(Thing::Everything))
}

/// Parameters inside others, `effect.bands.0.gain`, as JSON writes them.
fn nested(flat: Map<String, Value>) -> Map<String, Value> {
    let mut whole = Map::new();
    for (path, value) in flat {
        let mut steps = path.split('.');
        let first = steps.next().unwrap_or_default();
        let place = whole.entry(first).or_insert(Value::Null);
        *steps.fold(place, inside) = value;
    }
    whole
}

/// A member of an object, or an element of a list, that may be new.
fn inside<'a>(whole: &'a mut Value, step: &str) -> &'a mut Value {
    match step.parse::<usize>() {
        Ok(at) => {
            if !whole.is_array() {
                *whole = json!([]);
            }
            if let Value::Array(list) = whole {
                list.resize(list.len().max(at + 1), Value::Null);
            }
            &mut whole[at]
        }
        Err(_) => &mut whole[step],
    }
}

/// What the names of a request set.
struct Named<'a> {
    way: Way<'a>,
    targets: Vec<ObjectId>,
    /// Whether the targets are named as a whole.
    is_broad: bool,
    /// Whether another request says where.
    is_beside_place: bool,
}

impl Named<'_> {
    /// Sets the parameter of some names.
    fn set(
        &mut self,
        reference: &Reference,
        phrase: Option<Phrase>,
        context: &Context<'_>,
        params: &mut Map<String, Value>,
    ) -> Result<(), Miss> {
        if let (Some((param, value)), true) =
            (&self.way.intent.each_track, phrase.as_ref().is_some_and(is_each_track))
        {
            params.insert(param.clone(), value.clone());
        }
        if phrase.is_none() && self.way.intent.unsaid == Unsaid::LeftOut {
            return Ok(());
        }
        if reference.kinds == Kinds::Span {
            return span(reference, phrase, (self.way, context), params);
        }
        let is_target = is_object(reference);
        self.is_broad |= is_target && phrase.as_ref().is_none_or(Phrase::is_broad);
        let found = match selected_time(self.way, reference, phrase.as_ref(), params, context) {
            Some(time) => {
                params.extend(time.edges().into_iter().map(|(param, at)| (param.to_owned(), at)));
                in_time::on(reference.kinds, time, context)?
            }
            None => resolve(self.way, reference, phrase, (context, params, self.is_beside_place))?,
        };
        if is_target || matches!(reference.kinds, Kinds::Mix | Kinds::Marker) {
            self.targets.clone_from(&found.ids);
        }
        if reference.kinds == Kinds::OtherTracks {
            self.leave_out(&found.ids, params)?;
        }
        if !matches!(reference.kinds, Kinds::Mix | Kinds::AllOfMix | Kinds::Any | Kinds::Whole) {
            params.insert(reference.param.clone(), value(reference, found));
        }
        Ok(())
    }

    /// "everything under the voice": all but the voice.
    fn leave_out(
        &mut self,
        others: &[ObjectId],
        params: &mut Map<String, Value>,
    ) -> Result<(), Miss> {
        let is_kept = |id: &&ObjectId| !others.contains(id);
        let kept: Vec<ObjectId> = self.targets.iter().filter(is_kept).copied().collect();
        let is_fewer = !kept.is_empty() && kept.len() < self.targets.len();
        if self.is_broad && is_fewer {
            params.insert(TARGETS.into(), list(&kept));
            self.targets = kept;
        }
        match self.targets.iter().any(|id| others.contains(id)) {
            true => Err(self.way.lacking().map_or(Miss::Other, Miss::Trouble)),
            false => Ok(()),
        }
    }
}

/// Whether a reference is what a tool works on.
fn is_object(reference: &Reference) -> bool {
    reference.param == TARGETS || reference.kinds.is_each()
}

/// A stretch of time that is named, as the parameters of its start and its end, unless numbers say both.
fn span(
    reference: &Reference,
    phrase: Option<Phrase>,
    (way, context): (Way<'_>, &Context<'_>),
    params: &mut Map<String, Value>,
) -> Result<(), Miss> {
    let end = reference.param.replace("from_s", "to_s");
    let is_said = [&reference.param, &end].into_iter().all(|param| params.contains_key(param));
    let is_object = reference.preps.iter().any(|prep| prep == "-");
    match phrase {
        None if is_said => Ok(()),
        None => Err(way.lacking().map_or(Miss::Other, Miss::Trouble)),
        Some(_) if is_said => Err(Miss::Other),
        Some(phrase) => {
            let found = spans::of(&phrase, is_object, context);
            let Stretch { from, to } = found.map_err(|miss| match miss {
                Miss::Other => way.lacking().map_or(Miss::Other, Miss::Trouble),
                miss => miss,
            })?;
            params.insert(reference.param.clone(), json!(from));
            params.insert(end, json!(to));
            Ok(())
        }
    }
}

/// What was found, as a parameter: one id, where it takes one.
fn value(reference: &Reference, found: Resolved) -> Value {
    if let (true, Value::Array(list)) = (reference.kinds.is_each(), &found.param)
        && let [only] = &list[..]
    {
        return only.clone();
    }
    let is_one = matches!(
        reference.kinds,
        Kinds::OneSound | Kinds::OneTrack | Kinds::OneClip | Kinds::Marker
    );
    match is_one && reference.param != TARGETS {
        true => json!(found.ids.first().map(ToString::to_string)),
        false => found.param,
    }
}

/// The selected time, for a tool that can work on a time of what is selected, where that is meant.
fn selected_time(
    way: Way<'_>,
    reference: &Reference,
    phrase: Option<&Phrase>,
    params: &Map<String, Value>,
    context: &Context<'_>,
) -> Option<Stretch> {
    let has_edges = ["start_s", "end_s"].iter().all(|it| way.has(it) && !params.contains_key(*it));
    let is_of_part = matches!(
        reference.kinds,
        Kinds::Clips | Kinds::LooseClips | Kinds::ClipOfTrack | Kinds::Groups
    );
    let time = Stretch::selected(context.scope.session).filter(|_| has_edges && is_of_part)?;
    context.is_selection(phrase).then_some(time)
}

fn is_everything(phrase: &Phrase) -> bool {
    phrase.is_all(Thing::Everything) && phrase.except.is_empty()
}

fn is_each_track(phrase: &Phrase) -> bool {
    phrase.is_all(Thing::Tracks)
}

/// The names that stand behind one of the prepositions.
fn named(reference: &Reference, taking: &mut Taking<'_>, session: &Session) -> Option<Phrase> {
    let fits = |prep: Option<&str>| reference.preps.iter().any(|it| it == prep.unwrap_or("-"));
    let found = taking.left().find_map(|(at, item)| match &item.kind {
        Kind::Names(phrase) if fits(item.prep) => Some((at, phrase.clone())),
        // The file of a recording stands for it.
        Kind::File(name) if fits(item.prep) && reference.kinds == Kinds::Sound => {
            let id = super::files::source_of(session, name)?;
            Some((at, Phrase { parts: vec![objects(vec![id.into()])], except: Vec::new() }))
        }
        _ => None,
    });
    let (at, phrase) = found?;
    taking.used[at] = true;
    taking.score += 2;
    Some(phrase)
}

/// What the requests around name, where it is what is worked on.
fn shared(reference: &Reference, clause: &Clause<'_>) -> Option<Phrase> {
    clause.shared.clone().filter(|_| is_object(reference) && reference.kinds != Kinds::Mix)
}

fn resolve(
    way: Way<'_>,
    reference: &Reference,
    phrase: Option<Phrase>,
    (context, params, is_beside_place): (&Context<'_>, &Map<String, Value>, bool),
) -> Result<Resolved, Miss> {
    if reference.kinds == Kinds::Any {
        return asked_about(phrase, context);
    }
    if reference.kinds == Kinds::Whole {
        return whole(way, phrase.as_ref(), context);
    }
    let may_be_unsaid = is_object(reference) || reference.kinds == Kinds::AllOfMix;
    if phrase.is_none() && !may_be_unsaid {
        return Err(way.lacking().map_or(Miss::Other, Miss::Trouble));
    }
    if reference.kinds == Kinds::Mix {
        return mix(phrase.as_ref(), context);
    }
    if reference.kinds == Kinds::AllOfMix {
        let is_all = phrase.as_ref().is_none_or(is_all_of_mix);
        return if is_all { Ok(the_mix(context)) } else { mix(phrase.as_ref(), context) };
    }
    let is_unsaid = phrase.is_none();
    let is_guess = match way.intent.unsaid {
        Unsaid::Named => true,
        Unsaid::Whole => false,
        Unsaid::All => is_beside_place,
        // A clause has its verb; whole sentences are read first, and have none.
        Unsaid::EverythingLater => !context.is_last || !context.alone,
        Unsaid::Ask | Unsaid::ItIsAll | Unsaid::Everything | Unsaid::LeftOut => !context.alone,
    };
    if is_unsaid && is_object(reference) && is_guess {
        let open = context.resolve(None, Want::Sound).err().filter(|_| is_asked(way));
        return Err(open.map_or(Miss::Other, Miss::Unsaid));
    }
    let found = found(way, reference.kinds, phrase, (context, params));
    if reference.kinds == Kinds::OneSound && matches!(found, Err(Miss::Other)) {
        return Err(way.lacking().map_or(Miss::Other, Miss::Trouble));
    }
    let is_remark =
        matches!(reference.kinds, Kinds::LooseClips | Kinds::NamedTracks | Kinds::Phrases);
    found.map_err(|miss| match miss {
        // Older readers know more of what can be removed.
        Miss::Trouble(trouble) if is_remark || is_unsaid => Miss::Unsaid(trouble),
        miss => miss,
    })
}

/// Everything, by its name; "it" and nothing are the same, where the way to ask says so.
fn whole(way: Way<'_>, phrase: Option<&Phrase>, context: &Context<'_>) -> Result<Resolved, Miss> {
    let is_it_all = way.intent.unsaid == Unsaid::ItIsAll;
    match phrase {
        Some(phrase) if is_everything(phrase) => Ok(the_mix(context)),
        Some(phrase) if is_it_all && phrase.is_it() => Ok(the_mix(context)),
        Some(_) => Err(Miss::Other),
        None if is_it_all => Ok(the_mix(context)),
        None => Err(way.lacking().map_or(Miss::Other, Miss::Trouble)),
    }
}

/// The objects that are meant, or what is meant if nothing is named.
fn found(
    way: Way<'_>,
    kinds: Kinds,
    phrase: Option<Phrase>,
    (context, params): (&Context<'_>, &Map<String, Value>),
) -> Result<Resolved, Miss> {
    let whole = |phrase| or_everything(phrase, way.intent.unsaid, context);
    match kinds {
        Kinds::Opening => spans::outer(phrase, Edge::Start, context, params),
        Kinds::Closing => spans::outer(phrase, Edge::End, context, params),
        Kinds::ClipAtPlace => at_place(whole(phrase), context, params),
        kinds => of_kind(kinds, whole(phrase), context),
    }
}

/// Whether a person is asked what is meant, if that is not clear.
fn is_asked(way: Way<'_>) -> bool {
    !matches!(way.intent.unsaid, Unsaid::Named | Unsaid::EverythingLater)
}
