//! Names of the channels of surround, by what the formats say of their order.
//!
//! Sources: Microsoft "Multiple channel audio data and WAVE files" (the mask); RFC 9639 section 9.1.3
//! (FLAC); Apple "Core Audio Format Specification" (the layout of a `CHAN` chunk).

/// Short names of the speaker positions, in the order of the bits of the channel mask.
const POSITIONS: [&str; 18] = [
    "L", "R", "C", "LFE", "Lb", "Rb", "Lc", "Rc", "Cb", "Ls", "Rs", "Tc", "Tfl", "Tfc", "Tfr",
    "Tbl", "Tbc", "Tbr",
];

/// Layouts by the upper half of Apple's tag; the lower half is the number of channels.
const TAGS: [(u32, &str); 18] = [
    (108, "L R Ls Rs"),
    (113, "L R C"),
    (114, "C L R"),
    (115, "L R C Cb"),
    (116, "C L R Cb"),
    (117, "L R C Ls Rs"),
    (118, "L R Ls Rs C"),
    (119, "L C R Ls Rs"),
    (120, "C L R Ls Rs"),
    (121, "L R C LFE Ls Rs"),
    (122, "L R Ls Rs C LFE"),
    (123, "L C R Ls Rs LFE"),
    (124, "C L R Ls Rs LFE"),
    (125, "L R C LFE Ls Rs Cb"),
    (126, "L R C LFE Ls Rs Lc Rc"),
    (127, "C Lc Rc L R Ls Rs LFE"),
    (128, "L R C LFE Ls Rs Lb Rb"),
    (142, "C L R Ls Rs Cb LFE"),
];

/// The tag that says: the mask tells.
const USE_MASK: u32 = 1 << 16;

/// The names of `channels` channels in the order of a mask; empty if it does not fit.
pub(crate) fn of_mask(mask: u32, channels: usize) -> Vec<String> {
    let set = POSITIONS.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
    let names: Vec<&str> = set.map(|(_, name)| *name).collect();
    if names.len() != channels || mask >> POSITIONS.len() != 0 {
        return Vec::new();
    }
    // The one rear pair of 5.0 and 5.1 is the surrounds, by whichever bits.
    let one_pair = names.contains(&"C") && !names.contains(&"Ls");
    let named = |name: &str| match name {
        "Lb" if one_pair => "Ls".to_owned(),
        "Rb" if one_pair => "Rs".to_owned(),
        name => name.to_owned(),
    };
    names.into_iter().map(named).collect()
}

/// The names of `channels` channels by Apple's layout tag and, where that says so, its mask.
pub(crate) fn of_tag(tag: u32, mask: u32, channels: usize) -> Vec<String> {
    if tag == USE_MASK {
        return of_mask(mask, channels);
    }
    let known = TAGS.iter().find(|(upper, _)| *upper == tag >> 16);
    let names = known.map_or("", |(_, names)| *names).split_whitespace();
    let names: Vec<String> = names.map(str::to_owned).collect();
    if names.len() == channels { names } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_has_as_many_names_as_channels() {
        for (upper, names) in TAGS {
            let count = names.split_whitespace().count();
            assert_eq!(of_tag(upper << 16 | 6, 0, count).join(" "), names);
            assert!(of_tag(upper << 16 | 6, 0, count + 1).is_empty());
        }
    }

    #[test]
    fn a_mask_names_its_channels_or_none() {
        for mask in [0x3f, 0x60f] {
            assert_eq!(of_mask(mask, 6), ["L", "R", "C", "LFE", "Ls", "Rs"]);
        }
        assert_eq!(of_mask(0x33, 4), ["L", "R", "Lb", "Rb"]);
        let seven = ["L", "R", "C", "LFE", "Lb", "Rb", "Ls", "Rs"];
        assert_eq!(of_mask(0x63f, 8), seven);
        assert_eq!(of_tag(USE_MASK, 0x63f, 8), seven);
        assert!(of_mask(0x3f, 5).is_empty());
        assert!(of_mask(1 << 20 | 1, 1).is_empty());
        assert!(of_tag(0, 0x3f, 6).is_empty());
    }
}
