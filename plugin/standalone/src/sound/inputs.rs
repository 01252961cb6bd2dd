//! The real number of inputs of a device. Channels that a system would convert to, or a person would have
//! to connect, do not count.

use cpal::Device;

/// The offer while there is no input yet: a pair that something can be connected to.
const PAIR: usize = 2;
/// A device that accepts every number of channels up to this one really has no such number: the system
/// converts between them.
const CONVERTS: usize = 32;

/// The number of inputs of a device that accepts these numbers of channels; usually `usual`. A server has
/// `plugs` real ones.
pub(super) fn inputs(
    counts: &[usize],
    plugs: Option<usize>,
    usual: impl FnOnce() -> usize,
) -> usize {
    let most = counts.iter().copied().max().unwrap_or(0);
    match plugs {
        Some(0) => most.min(PAIR),
        Some(plugs) => most.min(plugs),
        None if (1..=CONVERTS).all(|count| counts.contains(&count)) => usual().clamp(1, most),
        None => most,
    }
}

/// The number of hardware inputs of a JACK device, which itself accepts any number; `None` for any other
/// device.
#[cfg(target_os = "linux")]
pub(super) fn plugs(device: &Device) -> Option<usize> {
    use cpal::traits::DeviceTrait;
    use jack::{Client, ClientOptions, PortFlags};

    device.id().ok().filter(|id| id.host() == cpal::HostId::Jack)?;
    let (client, _) = Client::new("deskhand_inputs", ClientOptions::NO_START_SERVER).ok()?;
    let comes_in = PortFlags::IS_PHYSICAL | PortFlags::IS_OUTPUT;
    Some(client.ports(None, Some("audio"), comes_in).len())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn plugs(_: &Device) -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_editor::InputChannels;

    fn offered(counts: &[usize], plugs: Option<usize>, usual: usize) -> Vec<String> {
        let all = InputChannels::all(inputs(counts, plugs, || usual));
        all.into_iter().map(InputChannels::words).collect()
    }

    #[test]
    fn an_interface_has_as_many_inputs_as_it_takes_channels() {
        assert_eq!(offered(&[1], None, 1), ["input 1"]);
        assert_eq!(offered(&[2, 4], None, 2)[..2], ["input 1 + 2", "input 3 + 4"]);
        assert_eq!(inputs(&[18], None, || 18), 18);
        assert_eq!(inputs(&[], None, || 2), 0, "at no rate that fits");
    }

    #[test]
    fn what_a_system_converts_to_is_no_input() {
        let any: Vec<usize> = (1..=64).collect();
        let pair = ["input 1 + 2", "input 1", "input 2"];
        assert_eq!(offered(&any, None, 2), pair);
        assert_eq!(offered(&any, Some(2), 2), pair, "a server with a pair of inputs");
        assert_eq!(offered(&any, Some(0), 2), pair, "nothing is there: something may be led to it");
        assert_eq!(inputs(&any, Some(8), || 2), 8);
        assert_eq!(offered(&any, Some(1), 2), ["input 1"]);
    }
}
