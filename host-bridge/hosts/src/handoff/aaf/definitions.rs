//! The kinds of data, operations, parameters and curves that a file refers to, with their registered ids.

use super::object::{DEFINITION_KEY, Object, Target, Value};
use uuid::{Uuid, uuid};

/// Sound.
pub(super) const SOUND: Uuid = uuid!("01030202-0200-0000-060e-2b3404010101");
/// Timecode.
pub(super) const TIMECODE: Uuid = uuid!("01030201-0100-0000-060e-2b3404010101");
/// Markers.
pub(super) const DESCRIPTION: Uuid = uuid!("01030201-1000-0000-060e-2b3404010101");
/// A gain for one channel.
pub(super) const GAIN: Uuid = uuid!("9d2ea894-0968-11d3-8a38-0050040ef7d2");
/// The place of one channel.
pub(super) const PAN: Uuid = uuid!("9d2ea893-0968-11d3-8a38-0050040ef7d2");
/// A crossfade of one channel.
pub(super) const DISSOLVE: Uuid = uuid!("0c3bea41-fc05-11d2-8a29-0050040ef7d2");
/// The factor of a gain.
pub(super) const AMPLITUDE: Uuid = uuid!("e4962321-2267-11d3-8a4c-0050040ef7d2");
/// 0 for left, 1/2 for center, 1 for right.
pub(super) const PAN_VALUE: Uuid = uuid!("e4962322-2267-11d3-8a4c-0050040ef7d2");
/// How much of the second is heard.
pub(super) const LEVEL: Uuid = uuid!("e4962320-2267-11d3-8a4c-0050040ef7d2");
/// A straight line.
pub(super) const LINEAR: Uuid = uuid!("5b6c85a4-0ede-11d3-80a9-006008143e6f");
/// A curve that keeps the power.
pub(super) const POWER: Uuid = uuid!("c09153f7-bd18-4e5a-ad09-cbdd654fa001");
/// The AAF file itself.
pub(super) const INSIDE: Uuid = uuid!("4313b571-d8ba-11d2-809b-006008143e6f");
/// WAV files.
pub(super) const WAVE: Uuid = uuid!("0d011301-0101-0100-060e-2b3404010106");
/// The type of parameters: a fraction.
pub(super) const RATIONAL: Uuid = uuid!("03010100-0000-0000-060e-2b3401040101");
/// A composition that a person opens.
pub(super) const TOP_LEVEL: Uuid = uuid!("0d010102-0101-0700-060e-2b3404010101");
/// The AAF Edit Protocol.
pub(super) const EDIT_PROTOCOL: Uuid = uuid!("0d011201-0100-0000-060e-2b3404010105");

/// The dictionary of a file.
pub(super) fn dictionary() -> Object {
    let plain = |class, name, id| defined(Object::new(class), name, id);
    let data = |name, id| plain("DataDefinition", name, id);
    let curve = |name, id| plain("InterpolationDefinition", name, id);
    let container = |name, id| plain("ContainerDefinition", name, id);
    let parameter = |name, id| {
        defined(Object::new("ParameterDefinition").weak("Type", Target::Types, RATIONAL), name, id)
    };
    let operations = [
        operation("Mono Audio Gain", GAIN, AMPLITUDE, 1),
        operation("Mono Audio Pan", PAN, PAN_VALUE, 1),
        operation("Mono Audio Dissolve", DISSOLVE, LEVEL, 2),
    ];
    let parameters =
        [parameter("Amplitude", AMPLITUDE), parameter("Pan", PAN_VALUE), parameter("Level", LEVEL)];
    let kinds = [
        data("DataDef_Sound", SOUND),
        data("DataDef_Timecode", TIMECODE),
        data("DataDef_DescriptiveMetadata", DESCRIPTION),
    ];
    let containers =
        [container("ContainerDef_RIFFWAVE", WAVE), container("ContainerDef_AAF", INSIDE)];
    Object::new("Dictionary")
        .with("OperationDefinitions", set(operations))
        .with("ParameterDefinitions", set(parameters))
        .with("DataDefinitions", set(kinds))
        .with("ContainerDefinitions", set(containers))
        .with(
            "InterpolationDefinitions",
            set([curve("LinearInterp", LINEAR), curve("PowerInterp", POWER)]),
        )
}

/// A definition under its key.
type Keyed = (Vec<u8>, Object);

fn set(objects: impl Into<Vec<Keyed>>) -> Value {
    Value::Set(DEFINITION_KEY, objects.into())
}

fn defined(object: Object, name: &str, id: Uuid) -> Keyed {
    let object = object.id("Identification", id).text("Name", name).text("Description", "");
    (id.to_bytes_le().into(), object)
}

fn operation(name: &str, id: Uuid, parameter: Uuid, inputs: u32) -> Keyed {
    let object = Object::new("OperationDefinition")
        .weak("DataDefinition", Target::Data, SOUND)
        .number("NumberInputs", inputs)
        .with("ParametersDefined", Value::WeakSet(Target::Parameters, vec![parameter]));
    defined(object, name, id)
}
