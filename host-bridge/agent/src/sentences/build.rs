//! Sentences to calls: which tool a sentence calls.

use super::amounts::Way;
use super::clip_edges::Edge;
use super::said::{Built, One, Params, Said};
use super::spoken::Among;
use super::{
    Job, advice, choose, clip_edges, codes, complaints, correct, delivery, hear, moves, order,
    stems, takes, transport, word_cut, written,
};
use crate::draft::Draft;
use crate::reading::{Question, RequestKind};
use crate::resolve::Want;

/// Builds the calls of a sentence: an arm each.
// tidy: table
pub(super) fn build(job: Job, said: &Said<'_>) -> Built {
    let one = match job {
        Job::ImportTranscript => said.on("target", "tool_import_transcript", said.file("file")?),
        Job::CorrectPhrase => correct::whole(said),
        Job::CorrectIn => return correct::in_phrase(said),
        Job::CorrectAll => return correct::throughout(said),
        Job::CorrectOnce => return correct::at_once(said),
        Job::Important => return codes::important(said, 1),
        Job::Unimportant => return codes::important(said, 0),
        Job::FindPhrases => takes::find_phrases(said),
        Job::ListPhrases => Ok(Draft::call("tool_list_phrases", Params::new())),
        Job::FindDuplicates | Job::RemoveDuplicates => {
            Ok(Draft::call("tool_mark_duplicates", Params::new()))
        }
        Job::KeepTake => choose::keep_take(said),
        Job::ChooseTake => choose::choose(said),
        Job::ChooseEach => return choose::choose_each(said),
        Job::RankTakes => choose::rank(said),
        Job::TakesOf => choose::takes_of(said),
        Job::AreTakes => choose::are_takes(said),
        Job::AskTakes => choose::ask(said),
        Job::PlayTake => return choose::play(said),
        Job::PlayPhrase => return hear::play(said),
        Job::SeekPhrase => return hear::seek(said),
        Job::LoopPhrase => return hear::repeat(said),
        Job::HowLong => hear::how_long(said),
        Job::PhraseFirst => order::moved(said, |_, _| Some(0)),
        Job::PhraseLast => order::moved(said, |rest, _| Some(rest.len())),
        Job::PhraseBefore => order::moved(said, order::place_of),
        Job::PhraseBehind => {
            order::moved(said, |rest, other| Some(order::place_of(rest, other)? + 1))
        }
        Job::PhraseBetween => order::between(said),
        Job::PhraseUp => order::stepped(said, order::Way::Up),
        Job::PhraseDown => order::stepped(said, order::Way::Down),
        Job::PhraseNth => order::to_place(said),
        Job::SwapPhrases => order::swap(said),
        Job::SwapNext => order::swap_beside(said, order::Way::Down),
        Job::SwapBefore => order::swap_beside(said, order::Way::Up),
        Job::OrderAs => order::as_listed(said),
        Job::OriginalOrder => order::original(said),
        Job::ReverseOrder => order::reversed(said),
        Job::KeepOnly => order::keep_only(said),
        Job::AskRemoved => Ok(takes::ask_removed()),
        Job::RestoreGone => takes::restore_gone(said),
        Job::RoughBest => return Ok(takes::rough_cut_of_the_best()),
        Job::RemovePhrases => word_cut::no_part(said)
            .and_then(|()| said.groups("tool_remove_segments", Among::Playing)),
        Job::RestorePhrases => said.groups("tool_restore_segments", Among::Removed),
        Job::RestoreAll => takes::restore_all(said),
        Job::EditPauses => takes::shorten_pauses(said),
        Job::FillersTone => takes::fillers_in_tone(said),
        Job::ToneAlone => takes::tone_alone(),
        Job::OtherFillers => takes::other_fillers(),
        Job::ExportForeign => written::foreign(said),
        Job::ExportHow => written::how(),
        Job::Classify => said.on("targets", "tool_classify_content", Params::new()),
        Job::SplitStems => stems::split(said),
        Job::RemoveHum => said.on("targets", "tool_remove_hum", Params::new()),
        Job::Deliver => delivery::deliver(said),
        Job::LevelSpeech => said.on("targets", "tool_level_speech", Params::new()),
        Job::ClipBehind => return clip_edges::behind(said),
        Job::CutRange => return clip_edges::cut_range(said),
        Job::WithoutStem => return stems::without(said),
        Job::Flaw => return complaints::answer("flaw", said),
        Job::Wish => return complaints::answer("wish", said),
        Job::Nuisance => return complaints::answer("nuisance", said),
        Job::RemoveBefore => order::remove_beyond(said, order::Way::Up),
        Job::RemoveBehind => order::remove_beyond(said, order::Way::Down),
        Job::CutBefore | Job::CutFirst => return clip_edges::cut_off(said, Edge::Start),
        Job::CutBehind | Job::CutLast => return clip_edges::cut_off(said, Edge::End),
        Job::AddChapter => transport::chapter(said),
        Job::IsItClipping => asked_of(said, Question::Clipping),
        Job::CutWord => return word_cut::told(said, word_cut::Wish::Gone),
        Job::HushWord => return word_cut::told(said, word_cut::Wish::Silent),
        Job::CodePhrase => return codes::code_phrases(said),
        Job::ToPhrase => moves::to_phrase(said, Edge::Start),
        Job::BehindPhrase => moves::to_phrase(said, Edge::End),
        Job::LouderPhrase => moves::phrase_gain(said, Way::Up),
        Job::QuieterPhrase => moves::phrase_gain(said, Way::Down),
        Job::SelectPhrase => moves::select_phrase(said),
        Job::Advice(advice) => return advice::told(advice, said),
        Job::Recording
        | Job::Looking
        | Job::Saving
        | Job::Leaving
        | Job::NotMade
        | Job::StemFiles
        | Job::NeedsModel => return complaints::elsewhere(job, said),
    };
    one.map(|draft| vec![draft])
}

/// A question about what is named, or "it": what is selected, or the whole.
fn asked_of(said: &Said<'_>, asked: Question) -> One {
    let found = match said.tokens("on") {
        Some(_) => said.sound("on", Want::Sound)?,
        None => said.context.resolve(None, Want::Sound).ok(),
    };
    Ok(Draft { targets: found.map(|found| found.ids).unwrap_or_default(), ..question(asked) })
}

fn question(question: Question) -> Draft {
    Draft { kind: RequestKind::Question(question), targets: Vec::new() }
}
