//! The conversation: models over HTTP ([`provider`]), and the offline planner, which turns plain English
//! into tool calls.
//!
//! Thread: any; `provider` runs on net. [`plan_words`] is a pure function of the words, a session snapshot
//! and the [`Vocabulary`]: what the tools say of how they are asked for.
//!
//! The planner does not know: the tool registry (front ends receive the vocabulary with the list of tools), the bridge,
//! files, the network. It never guesses at an edit: words that could change the meaning and are not understood
//! make the request unclear.
//!
//! What words without numbers mean: "a hair" and "a touch" 1 dB, "a bit" 1.5 dB, "louder" 3 dB, "much
//! louder" 6 dB, "twice as loud" 10 dB; "left" 50 %, "a bit left" 25 %, "hard left" 100 %. Standards:
//! broadcast -23 LUFS and -1 dBTP (EBU R 128), ATSC -24 and -2 (A/85), streaming -14 and -1, podcast -16 and
//! -1. A bare number from -9 to -40 behind "normalize" is LUFS.
//!
//! `reader` reads by the vocabulary: it explains every word of a request, else it reads request by request, and tells why
//! one is not understood. `meanings` finds what words of a person's own mean: phrases, takes, codes, speakers.
//!
//! `lexer`, `spelling`, `numbers`, `times`, `names`, `targets` and `roles` serve both. `halves` keeps what is understood
//! ahead of what is not, `offers` with `offered_times` makes what is said instead of an answer something that can be
//! said, `musings` are words about an edit that ask for none, `in_time` holds what is asked of "this" to the selected
//! time, `revisions` answers who wants a plan to be other than it is, `speakers` tells who speaks from what is a track,
//! and `known_words` are the words that are no names.

#![forbid(unsafe_code)]

pub mod answers;
mod draft;
mod grammar_names;
mod halves;
mod in_order;
mod in_time;
mod known_words;
mod lexer;
mod meanings;
mod musings;
mod names;
mod numbered;
mod numbers;
mod offered_times;
mod offers;
mod part;
mod place_first;
mod planner;
mod pointers;
pub mod provider;
mod reader;
mod reading;
mod resolve;
mod revisions;
mod roles;
mod speakers;
mod spelling;
mod suggest;
pub mod talk;
mod targets;
mod times;

pub use in_order::{read_again, rests_on};
pub use planner::{plan_words, read_words};
pub use reader::{Vocabulary, understand};
pub use reading::{
    Among, Listing, Question, Rank, Reading, Request, RequestKind, Setting, Target, TrackState,
    Unclear,
};
pub use suggest::{examples, help_suggestions};
