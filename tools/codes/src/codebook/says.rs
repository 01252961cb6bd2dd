//! How people ask for changes of the codebook, and for memos.

use deskhand_session::intent::{Intent, TextKind};

/// `cmd_set_code`.
pub(super) fn code() -> Vec<Intent> {
    let one = |intent: Intent| intent.said("code_id", "- | of", TextKind::Code).needs("code_id");
    let known =
        |intent: Intent| intent.said("code_id", "- | of", TextKind::KnownCode).needs("code_id");
    let named =
        |intent: Intent| intent.said("name", "- | to | as | called", TextKind::Text).needs("name");
    let colored = |verbs: &str| {
        Intent::verbs(verbs).also("color | code | of:code").color("color").needs("color")
    };
    vec![
        Intent::verbs("add | make | create | want")
            .about("code")
            .said("name", "- | called", TextKind::NewCode)
            .said("parent", "below", TextKind::Code)
            .also("with:description")
            .said("description", "- | with | says", TextKind::Quote)
            .needs("name"),
        named(one(Intent::verbs("rename | change | call | give")
            .about("code | of:code")
            .also("name"))),
        named(known(Intent::verbs("rename"))),
        one(Intent::verbs("describe").about("code"))
            .said("description", "as | with", TextKind::Text)
            .needs("description"),
        one(Intent::verbs("move | put").also("code"))
            .said("parent", "below", TextKind::Code)
            .needs("parent"),
        known(colored("color | make | change | set | turn | give")),
        one(colored("color | make").about("code")),
        known(
            Intent::verbs("remove | take+off")
                .about("color")
                .also("code | from:code")
                .sets("color", ""),
        ),
    ]
}

/// `cmd_set_memo`: what is written already stays.
pub(super) fn memo() -> Vec<Intent> {
    let target = |intent: Intent, preps: &str| {
        intent
            .also("code | to:code | on:code | for:code")
            .said("target", preps, TextKind::Noted)
            .needs("target")
    };
    let written = |intent: Intent| {
        target(intent, "- | on | to | about | of | for | as")
            .said("text", "- | says", TextKind::Text)
            .needs("text")
            .sets("add", true)
    };
    vec![
        written(Intent::verbs("memo")),
        written(Intent::verbs("add | put | make | export | leave").about("memo | as:memo")),
        target(
            Intent::verbs("remove").about("memo").sets("text", ""),
            "- | on | from | of | about",
        ),
    ]
}
