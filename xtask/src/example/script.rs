//! What is said in the example interview: written for it.

use super::voices::Voice;

/// One thing said: who, what, and the pause after it in seconds.
pub(super) type Line = (Voice, &'static str, f64);

const H: Voice = Voice::Host;
const G: Voice = Voice::Guest;

/// The interview. Each part between commas is spoken by itself, so its times are exact. A comma before a filler is a
/// short break.
// tidy: table
pub(super) const SCRIPT: &[Line] = &[
    (H, "Welcome to Rooftop Stories, the show about, uh,", 1.7),
    (H, "Welcome to Rooftop Stories, the show about people who look after the city.", 0.6),
    (H, "My guest keeps bees, um, on the roof of the public library.", 0.5),
    (G, "Thank you. It is, um, it is good to be here.", 0.5),
    (H, "How does a person start with that?", 0.7),
    (G, "Well, you know, my neighbor moved away, and, uh, he left me two hives.", 2.6),
    (G, "I knew nothing. I read one book, and then, um, I read it again.", 0.5),
    (H, "Were you, were you ever stung?", 0.4),
    (G, "Every day, that first summer.", 1.2),
    (G, "The bees were calm. You know, I was, I was the nervous one.", 0.7),
    (H, "And what, um, what do two hives give you?", 0.6),
    (G, "In a good year, about forty jars.", 3.0),
    (G, "In a bad year, uh, a lesson.", 0.6),
    (H, "What would you tell somebody who wants to begin?", 0.9),
    (G, "Begin in spring. And, um, find a patient teacher.", 0.6),
    (H, "Thank you for coming down from the roof.", 0.4),
    (G, "Thank you. The honey is for you.", 0.8),
    (H, "This was Rooftop Stories. See you, uh, next,", 1.5),
    (H, "This was Rooftop Stories. See you next week.", 0.0),
];
