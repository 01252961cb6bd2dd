//! Words that point at things without naming them, as data. Longer ones stand before their beginnings.

use crate::part::{Pick, Thing};

/// The words and what they point at.
// tidy: table
#[rustfmt::skip]
pub(crate) static POINTERS: [(&str, Pick); 7] = [
    ("everything else|all the rest|all the others|the rest|the others|the other tracks|all other tracks", Pick::Rest),
    ("all of it|all of them|both of them", Pick::It),
    ("everything|the session|the audio|the project|the whole session|the entire session|the whole project", Pick::All(Thing::Everything)),
    ("the selection|selection|the selected range|the selected time|the selected part|the selected section", Pick::Selection),
    ("selected clips|the selected clips|the selected clip|the selected tracks|the selected track|\
      selected tracks|this clip|these clips|this track|these tracks", Pick::Selected),
    ("the whole show|the whole episode|the whole podcast|the whole song|the whole thing|the whole mix|\
      the entire mix|the mix|mix|the master bus|the master track|the master fader|the master|master|\
      the main mix|the mixdown", Pick::Mix),
    ("it|them|this|that|these|those", Pick::It),
];
