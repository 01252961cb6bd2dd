//! The sequence of a track: clips and silence one after another, with a transition where one fades into the other.

use super::super::lanes::shared;
use super::super::timeline::Clip;
use super::definitions::{AMPLITUDE, DISSOLVE, GAIN, LEVEL, LINEAR, POWER, RATIONAL, SOUND};
use super::media::{Parts, component, source_clip};
use super::object::{Object, PARAMETER_KEY, Target, Value, indirect};
use deskhand_dsp::{FadeCurve, Frames};
use uuid::Uuid;

/// The sequence of one channel, counted from 1, of a lane.
pub(super) fn sequence(lane: &[&Clip], channel: impl Fn(&Clip) -> u16, parts: &Parts) -> Object {
    let mut items = Vec::new();
    let mut last: Option<(&Clip, Frames)> = None;
    for (n, clip) in lane.iter().enumerate() {
        let crossed = last.map_or(Frames::ZERO, |(last, _)| shared(last, clip));
        let next = lane.get(n + 1).map_or(Frames::ZERO, |next| shared(clip, next));
        let (fade_in, fade_out) = fades(clip, crossed, next);
        if crossed > Frames::ZERO {
            items.push(transition(crossed, Frames(crossed.0 / 2), clip.fade_in.curve));
        } else {
            let end = last.map_or(Frames::ZERO, |(last, _)| last.end());
            silence(&mut items, clip.position - end, last, (clip, fade_in));
        }
        items.push(played(clip, channel(clip), parts));
        last = Some((clip, fade_out));
    }
    if let Some((clip, fade_out)) = last.filter(|(_, fade_out)| *fade_out > Frames::ZERO) {
        items.push(transition(fade_out, fade_out, clip.fade_out.curve));
        items.push(component("Filler", SOUND, fade_out));
    }
    let end = lane.last().map_or(Frames::ZERO, |clip| clip.end());
    component("Sequence", SOUND, end).vector("Components", items)
}

/// The fades of a clip to and from silence, so long that they fit between its crossfades.
fn fades(clip: &Clip, crossed: Frames, next: Frames) -> (Frames, Frames) {
    let fade_in = clip.fade_in.length.min(clip.length - next).max(Frames::ZERO);
    let fade_in = if crossed > Frames::ZERO { Frames::ZERO } else { fade_in };
    let left = clip.length - fade_in - crossed;
    let fade_out = clip.fade_out.length.min(left).max(Frames::ZERO);
    (fade_in, if next > Frames::ZERO { Frames::ZERO } else { fade_out })
}

/// Silence between two clips. A transition lies over what it joins: the silence is longer by the fades.
fn silence(
    items: &mut Vec<Object>,
    gap: Frames,
    last: Option<(&Clip, Frames)>,
    (clip, fade_in): (&Clip, Frames),
) {
    let fade_out = last.map_or(Frames::ZERO, |(_, fade_out)| fade_out);
    if let Some((last, fade_out)) = last.filter(|_| fade_out > Frames::ZERO) {
        items.push(transition(fade_out, fade_out, last.fade_out.curve));
    }
    let length = gap + fade_out + fade_in;
    if length > Frames::ZERO {
        items.push(component("Filler", SOUND, length));
    }
    if fade_in > Frames::ZERO {
        items.push(transition(fade_in, Frames::ZERO, clip.fade_in.curve));
    }
}

/// A clip, in a gain if it has one. A muted clip has a gain of nothing.
fn played(clip: &Clip, channel: u16, parts: &Parts) -> Object {
    let (mob, start) = parts.place(clip);
    let source = source_clip(mob, channel, start, clip.length);
    let amplitude = if clip.mute { 0.0 } else { clip.gain.amplitude() };
    if amplitude == 1.0 { source } else { gained(source, clip.length, amplitude) }
}

/// A segment in a gain.
pub(super) fn gained(segment: Object, length: Frames, amplitude: f64) -> Object {
    operation(GAIN, length, constant(AMPLITUDE, amplitude)).vector("InputSegments", vec![segment])
}

/// A group that does one operation with one parameter.
pub(super) fn operation(id: Uuid, length: Frames, (key, parameter): (Uuid, Object)) -> Object {
    let parameters = Value::Set(PARAMETER_KEY, vec![(key.to_bytes_le().into(), parameter)]);
    component("OperationGroup", SOUND, length)
        .weak("Operation", Target::Operations, id)
        .with("Parameters", parameters)
}

/// A parameter that stays, under its id.
pub(super) fn constant(id: Uuid, value: f64) -> (Uuid, Object) {
    let value = indirect(RATIONAL, &fraction(value));
    (id, Object::new("ConstantValue").id("Definition", id).bytes("Value", value))
}

fn transition(length: Frames, cut: Frames, curve: FadeCurve) -> Object {
    let curve = match curve {
        FadeCurve::Linear => LINEAR,
        FadeCurve::EqualPower => POWER,
    };
    let point = |at: u32| {
        let value = indirect(RATIONAL, &fraction(at.into()));
        Object::new("ControlPoint").rational("Time", at, 1).bytes("Value", value)
    };
    let level = Object::new("VaryingValue")
        .id("Definition", LEVEL)
        .weak("Interpolation", Target::Interpolations, curve)
        .vector("PointList", vec![point(0), point(1)]);
    component("Transition", SOUND, length)
        .one("OperationGroup", operation(DISSOLVE, length, (LEVEL, level)))
        .long("CutPoint", cut.0)
}

/// A number as a fraction of 32 bits, with as many bits after the point as fit.
fn fraction(value: f64) -> Vec<u8> {
    let most = f64::from(i32::MAX);
    let value = value.clamp(0.0, most);
    let denominators = (0..31).map(|bits| 1_i32 << bits);
    let fitting = denominators.rev().find(|d| value * f64::from(*d) <= most).unwrap_or(1);
    #[expect(clippy::cast_possible_truncation, reason = "it fits: the denominator was chosen so")]
    let numerator = (value * f64::from(fitting)).round() as i32;
    [numerator.to_le_bytes(), fitting.to_le_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::clip;
    use super::*;
    use deskhand_dsp::Fade;
    use proptest::prelude::*;

    /// Clips with fades, gaps and crossfades.
    fn lane() -> impl Strategy<Value = Vec<Clip>> {
        let part = (0_i64..3000, 1000_i64..9000, 0_i64..300, 0_i64..300, 0_i64..300, any::<bool>());
        prop::collection::vec(part, 1..20).prop_map(|parts| {
            let (mut at, mut clips) = (0_i64, Vec::<Clip>::new());
            for (gap, length, cross, fade_in, fade_out, mute) in parts {
                let cross = if gap < 1000 && !clips.is_empty() { cross } else { 0 };
                let fade = |length| Fade { length: Frames(length), ..Fade::default() };
                let gap = if gap < 2000 { 0 } else { gap };
                let position = at + gap - if gap == 0 { cross } else { 0 };
                let crosses = position < at;
                let mut next = Clip { start: Frames(at), mute, ..clip(position, length) };
                next.fade_in = fade(if crosses { cross } else { fade_in });
                next.fade_out = fade(fade_out);
                if let Some(last) = clips.last_mut().filter(|_| crosses) {
                    last.fade_out = fade(cross);
                }
                at = position + length;
                clips.push(next);
            }
            clips
        })
    }

    fn long(object: &Object, name: &str) -> i64 {
        let data = object.properties.iter().find_map(|(own, value)| match value {
            Value::Data(bytes) if *own == name => Some(bytes.clone()),
            _ => None,
        });
        i64::from_le_bytes(data.unwrap().try_into().unwrap())
    }

    fn vector<'a>(object: &'a Object, name: &str) -> &'a [Object] {
        let found = object.properties.iter().find_map(|(own, value)| match value {
            Value::Vector(objects) if *own == name => Some(objects.as_slice()),
            _ => None,
        });
        found.unwrap()
    }

    /// Position, length, start and both fades of all clips, by the rules for transitions.
    fn played(sequence: &Object) -> Vec<[i64; 5]> {
        let (mut at, mut clips) = (0, Vec::<[i64; 5]>::new());
        let items = vector(sequence, "Components");
        for (n, item) in items.iter().enumerate() {
            let length = long(item, "Length");
            if item.class == "Transition" {
                at -= length;
                if items[n - 1].class != "Filler" {
                    clips.last_mut().unwrap()[4] = length;
                }
                continue;
            }
            if item.class != "Filler" {
                let source = if item.class == "SourceClip" {
                    item
                } else {
                    &vector(item, "InputSegments")[0]
                };
                let before = n.checked_sub(1).map(|n| &items[n]);
                let before = before.filter(|item| item.class == "Transition");
                let fade_in = before.map_or(0, |item| long(item, "Length"));
                clips.push([at, length, long(source, "StartTime"), fade_in, 0]);
            }
            at += length;
        }
        assert_eq!(long(sequence, "Length"), clips.last().map_or(0, |clip| clip[0] + clip[1]));
        clips
    }

    proptest! {
        #[test]
        fn all_clips_and_fades_are_in_it_to_the_sample(clips in lane()) {
            let expected: Vec<_> = clips.iter().map(|clip| {
                let fades = (clip.fade_in.length.0, clip.fade_out.length.0);
                [clip.position.0, clip.length.0, clip.start.0, fades.0, fades.1]
            }).collect();
            let lane: Vec<&Clip> = clips.iter().collect();
            let sequence = sequence(&lane, |_| 1, &Parts::default());
            prop_assert_eq!(played(&sequence), expected);
        }

        #[test]
        fn a_gain_is_held_to_a_thousandth_of_a_decibel(gain in -90.0_f64..60.0) {
            let bytes = fraction(10_f64.powf(gain / 20.0));
            let part = |at: usize| f64::from(i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
            let held = 20.0 * (part(0) / part(4)).log10();
            prop_assert!((held - gain).abs() < 1e-3, "{} {}", held, gain);
        }
    }

    #[test]
    fn fades_that_are_too_long_are_shortened() {
        let long_fade = Fade { length: Frames(80), ..Fade::default() };
        let first = Clip { fade_in: long_fade, fade_out: long_fade, ..clip(0, 100) };
        let fades = |crossed, next| fades(&first, Frames(crossed), Frames(next));
        assert_eq!(fades(0, 0), (Frames(80), Frames(20)));
        assert_eq!(fades(40, 0), (Frames(0), Frames(60)));
        assert_eq!(fades(0, 40), (Frames(60), Frames(0)));
    }
}
