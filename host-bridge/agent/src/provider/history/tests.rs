//! What repair and trimming promise, for any history.

use super::*;
use proptest::prelude::*;

/// The rules that the Messages API and chat completions share; strict, and told apart from the code.
fn check(history: &[Message]) -> Result<(), String> {
    let mut seen = std::collections::HashSet::new();
    let mut waiting: Vec<String> = Vec::new();
    for (place, message) in history.iter().enumerate() {
        let fail = |what: &str| Err(format!("message {place}: {what}"));
        let role = if place % 2 == 0 { Role::User } else { Role::Assistant };
        if message.role != role || message.parts.is_empty() {
            return fail("empty, or roles do not alternate");
        }
        let calls: Vec<String> = message.calls().map(|(id, ..)| id.to_owned()).collect();
        if role == Role::User && !calls.is_empty() {
            return fail("a call by the user");
        }
        if !message.parts.iter().all(is_accepted) || !calls.iter().all(|id| seen.insert(id.clone()))
        {
            return fail("an empty text, or an id or a name that is not accepted");
        }
        if results(message) != Some(waiting) {
            return fail("results are not those of the calls before, or words stand before them");
        }
        waiting = calls;
    }
    if waiting.is_empty() { Ok(()) } else { Err("calls without results at the end".into()) }
}

fn is_accepted(part: &Part) -> bool {
    let letters = |text: &str, longest| {
        (1..=longest).contains(&text.len())
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
    };
    match part {
        Part::Text { text } => !text.trim().is_empty(),
        Part::ToolCall { id, name, .. } => letters(id, 40) && letters(name, 64),
        Part::ToolResult { id, .. } => letters(id, 40),
    }
}

/// The ids of the results, if all of them stand in front.
fn results(message: &Message) -> Option<Vec<String>> {
    let ids = message.parts.iter().map(|part| match part {
        Part::ToolResult { id, .. } => Some(id.clone()),
        Part::Text { .. } | Part::ToolCall { .. } => None,
    });
    let front: Vec<String> = ids.clone().map_while(|id| id).collect();
    (ids.flatten().count() == front.len()).then_some(front)
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec!["a", "b", "c", "d"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["", "f.g:0", "é", "call_1"]).prop_map(str::to_owned),
        1 => Just("x".repeat(60)),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        prop::sample::select(vec!["", " \n", "words", "é\u{202e}"]).prop_map(Part::text),
        (id(), prop::sample::select(vec!["get_session", "", "a b", "tool.x"]), any::<bool>())
            .prop_map(|(id, name, whole)| Part::ToolCall {
                id,
                name: name.to_owned(),
                arguments: Arguments::read(if whole { "{\"a\":1}" } else { "{\"a\"" }),
            }),
        (id(), any::<bool>(), 0_usize..400).prop_map(|(id, is_error, length)| {
            Part::ToolResult { id, content: json!("r".repeat(length)), is_error }
        }),
    ]
}

pub(crate) fn any_history() -> impl Strategy<Value = Vec<Message>> {
    let role = prop_oneof![Just(Role::User), Just(Role::Assistant)];
    let message = (role, prop::collection::vec(part(), 0..5))
        .prop_map(|(role, parts)| Message { role, parts });
    prop::collection::vec(message, 0..12)
}

proptest! {
    #[test]
    fn any_history_is_accepted_after_repair(mut history in any_history()) {
        repair(&mut history);
        prop_assert_eq!(check(&history), Ok(()));
        let once = history.clone();
        repair(&mut history);
        prop_assert_eq!(&history, &once);
        say(&mut history, "and now?");
        prop_assert_eq!(check(&history), Ok(()));
    }

    #[test]
    fn repair_loses_no_words_and_no_call(mut history in any_history()) {
        let before = (words(&history), calls(&history));
        repair(&mut history);
        let kept = words(&history).into_iter().filter(|text| text != BEGINNING).collect();
        prop_assert_eq!((kept, calls(&history)), before);
    }

    #[test]
    fn any_history_can_be_trimmed(history in any_history(), budget in 0_usize..4_000) {
        let Trimmed { messages, bytes: size, turns_left_out, .. } = trimmed(&history, budget);
        prop_assert_eq!(check(&messages), Ok(()));
        prop_assert_eq!(size, bytes(&messages));
        let mut whole = history;
        repair(&mut whole);
        if bytes(&whole) <= budget {
            prop_assert_eq!(&messages, &whole);
            prop_assert_eq!(turns_left_out, 0);
        }
        let (kept, all) = (words(&messages), words(&whole));
        prop_assert_eq!(kept.last(), all.last());
    }
}

fn words(history: &[Message]) -> Vec<String> {
    let parts = history.iter().flat_map(|message| &message.parts);
    parts
        .filter_map(|part| match part {
            Part::Text { text } if !text.trim().is_empty() => Some(text.clone()),
            Part::Text { .. } | Part::ToolCall { .. } | Part::ToolResult { .. } => None,
        })
        .collect()
}

fn calls(history: &[Message]) -> usize {
    let by_model = history.iter().filter(|message| message.role == Role::Assistant);
    by_model.map(|message| message.calls().count()).sum()
}

fn call(id: &str) -> Part {
    Part::ToolCall { id: id.into(), name: "get_session".into(), arguments: Arguments::read("") }
}

#[test]
fn a_crash_between_call_and_result_is_told() {
    let mut history = vec![
        Message::user("look"),
        Message::assistant(vec![call("a"), call("b")]),
        Message::results(vec![Part::result("b", json!("done"))]),
    ];
    repair(&mut history);
    let [Part::ToolResult { id, content, is_error: true }, second] = &history[2].parts[..] else {
        panic!("{history:?}")
    };
    assert_eq!(id, "a");
    assert!(content["summary"].as_str().unwrap().starts_with("interrupted: "));
    assert_eq!(second, &Part::result("b", json!("done")));
}

#[test]
fn an_id_that_is_used_again_keeps_each_result_with_its_call() {
    let mut history = vec![
        Message::user("look"),
        Message::assistant(vec![call("a"), call("a")]),
        Message::results(vec![Part::result("a", json!(1)), Part::result("a", json!(2))]),
        Message::assistant(vec![call("a")]),
        Message::results(vec![Part::result("a", json!(3)), Part::result("a", json!("orphan"))]),
    ];
    repair(&mut history);
    assert_eq!(check(&history), Ok(()));
    let contents: Vec<_> = history.iter().flat_map(|message| &message.parts).collect();
    let contents: Vec<_> = contents
        .iter()
        .filter_map(|part| match part {
            Part::ToolResult { content, .. } => Some(content.clone()),
            Part::Text { .. } | Part::ToolCall { .. } => None,
        })
        .collect();
    assert_eq!(contents, [json!(1), json!(2), json!(3)]);
}

#[test]
fn a_late_result_moves_to_its_call_and_words_follow_it() {
    let mut history = vec![
        Message::user("look"),
        Message::assistant(vec![call("a")]),
        Message::user("stop"),
        Message::results(vec![Part::result("a", json!("late"))]),
    ];
    repair(&mut history);
    assert_eq!(history.len(), 3);
    assert_eq!(history[2].parts, [Part::result("a", json!("late")), Part::text("stop")]);
}

#[test]
fn the_oldest_turns_go_first_and_then_the_oldest_results() {
    let turn = |name: &str, size: usize| {
        vec![
            Message::user(name),
            Message::assistant(vec![call(name)]),
            Message::results(vec![Part::result(name, json!("r".repeat(size)))]),
            Message::assistant(vec![Part::text("done")]),
        ]
    };
    let history = [turn("one", 1_000), turn("two", 1_000), turn("three", 3_000)].concat();
    let all = trimmed(&history, 1 << 20);
    assert_eq!((all.turns_left_out, all.messages.len()), (0, 12));
    let two = trimmed(&history, 5_000);
    assert_eq!((two.turns_left_out, two.results_left_out), (1, 0));
    assert_eq!(words(&two.messages)[0], "two");
    let short = trimmed(&history, 1_000);
    assert_eq!((short.turns_left_out, short.results_left_out), (2, 1));
    assert!(short.bytes <= 1_000);
}
