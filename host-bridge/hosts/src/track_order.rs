//! In which order a file holds its tracks, and which of them need not move. Called by the writers.

use std::collections::HashMap;

use crate::project::ProjectTrack;

/// A wanted track at its place in the file.
pub(crate) struct Placed<'a> {
    pub(crate) wanted: &'a ProjectTrack,
    /// Its number among the original's tracks.
    pub(crate) known: Option<usize>,
    /// Whether its bytes stay where they are.
    pub(crate) stays: bool,
    /// How many buses it is in.
    pub(crate) depth: usize,
}

/// The wanted tracks, each bus followed by what is in it. As few as possible move.
pub(crate) fn placed<'a>(original: &[ProjectTrack], wanted: &'a [ProjectTrack]) -> Vec<Placed<'a>> {
    let numbers = original.iter().enumerate();
    let numbers = numbers.filter_map(|(number, track)| Some((track.known_id()?, number)));
    let numbers = numbers.collect::<HashMap<_, _>>();
    let mut order = nested(wanted);
    for track in &mut order {
        track.known = track.wanted.known_id().and_then(|id| numbers.get(id).copied());
    }
    let known = order.iter().map(|track| track.known).collect::<Vec<_>>();
    for place in longest_rising(&known) {
        order[place].stays = true;
    }
    order
}

fn nested(wanted: &[ProjectTrack]) -> Vec<Placed<'_>> {
    let mut inside: HashMap<Option<&str>, Vec<&ProjectTrack>> = HashMap::new();
    for track in wanted {
        inside.entry(track.parent.as_deref()).or_default().push(track);
    }
    let mut order = Vec::new();
    let mut open = vec![(0, inside.remove(&None).unwrap_or_default().into_iter())];
    while let Some((depth, tracks)) = open.last_mut() {
        let depth = *depth;
        let Some(wanted) = tracks.next() else {
            open.pop();
            continue;
        };
        order.push(Placed { wanted, known: None, stays: false, depth });
        if let Some(tracks) = wanted.id.as_deref().and_then(|id| inside.remove(&Some(id))) {
            open.push((depth + 1, tracks.into_iter()));
        }
    }
    order
}

/// The places of a longest rising subsequence of the numbers that are known.
fn longest_rising(numbers: &[Option<usize>]) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    let mut previous = vec![None; numbers.len()];
    for (place, number) in numbers.iter().enumerate().filter(|(_, number)| number.is_some()) {
        let length = ends.partition_point(|end| numbers[*end] < *number);
        previous[place] = length.checked_sub(1).map(|before| ends[before]);
        match ends.get_mut(length) {
            Some(end) => *end = place,
            None => ends.push(place),
        }
    }
    let mut rising = Vec::new();
    let mut place = ends.last().copied();
    while let Some(at) = place {
        rising.push(at);
        place = previous[at];
    }
    rising
}
