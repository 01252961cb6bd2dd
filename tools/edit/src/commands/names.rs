//! How people give names.

use deskhand_session::intent::{Intent, Kinds};

/// How people give a name to a track, a clip or a marker, which is the parameter.
pub(super) fn says_rename(param: &str, kinds: Kinds) -> [Intent; 1] {
    [Intent::verbs("rename | call | name | label")
        .also("track | clip | marker | bus")
        .name("to | as | called | -")
        .needs("name")
        .lacks("it does not say the name", "rename track 1 to \"Lead Vocal\"")
        .named(param, "-", kinds)
        .only_named()]
}
