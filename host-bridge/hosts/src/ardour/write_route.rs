//! Routes: what they are called and play to, their order, new ones, and those that are deleted.

use super::read::{Parsed, buses_first};
use super::write::Ids;
use crate::format::WriteError;
use crate::project::{NEW, Project, ProjectTrack, linear};
use crate::splice::Splices;
use crate::validate::refused;
use crate::xml::escaped;
use std::collections::{HashMap, HashSet};

/// The routes as they are wanted.
pub(super) struct Routes<'r, 'a> {
    parsed: &'r Parsed<'a>,
    wanted: &'r Project,
    /// The new name and output of each route of the session, by its present name.
    fates: HashMap<&'r str, Fate<'r>>,
    /// The places in the order of the session, by the place in `wanted`; `None` where it stays.
    orders: Vec<Option<usize>>,
    master: String,
}

struct Fate<'r> {
    /// `None` if the route is deleted.
    name: Option<&'r str>,
    /// Whether its output changes.
    is_rerouted: bool,
}

impl<'r, 'a> Routes<'r, 'a> {
    pub(super) fn new(parsed: &'r Parsed<'a>, wanted: &'r Project) -> Result<Self, WriteError> {
        let known = wanted.tracks.iter().filter_map(|track| Some((track.known_id()?, track)));
        let known: HashMap<&str, &ProjectTrack> = known.collect();
        let mut fates = HashMap::new();
        for old in &parsed.project.tracks {
            let new = old.id.as_deref().and_then(|id| known.get(id));
            let is_rerouted = new.is_some_and(|new| new.parent != old.parent);
            if new.is_some_and(|new| new.is_bus != old.is_bus) {
                let why = "a track cannot become a bus in Ardour, nor a bus a track";
                return Err(refused(format!("track {:?}", old.name), why));
            }
            let name = new.map(|new| new.name.as_str());
            fates.insert(old.name.as_str(), Fate { name, is_rerouted });
        }
        let orders = orders(parsed, &wanted.tracks);
        let routes = Self { parsed, wanted, fates, orders, master: master(parsed) };
        routes.check_names()?;
        Ok(routes)
    }

    /// Ardour names ports after routes, so each route needs a name of its own.
    fn check_names(&self) -> Result<(), WriteError> {
        let stays = |track: &&ProjectTrack| {
            let mut before = self.parsed.project.tracks.iter();
            before.any(|old| {
                track.known_id().is_some() && (&old.id, &old.name) == (&track.id, &track.name)
            })
        };
        let (old, new): (Vec<_>, Vec<_>) = self.wanted.tracks.iter().partition(stays);
        let mut taken: HashSet<&str> = old.into_iter().map(|track| track.name.as_str()).collect();
        // The monitor, too, and what else is no track.
        let document = &self.parsed.document;
        let list = document.child(0, "Routes").into_iter();
        let routes = list.flat_map(|at| document.named(at, "Route").collect::<Vec<_>>());
        let names: Vec<String> = routes.filter_map(|at| document.owned(at, "name")).collect();
        let others = names.iter().map(String::as_str).filter(|name| !self.fates.contains_key(name));
        taken.extend(others.chain([self.master.as_str()]));
        for track in new {
            let why = match track.name.as_str() {
                "" => "Ardour needs a name: give it one",
                name if name.contains(['/', ':']) => {
                    "Ardour allows no / and : in names of tracks: give it another name"
                }
                name if taken.insert(name) => continue,
                _ => "Ardour has another track of this name: give it a name of its own",
            };
            return Err(refused(format!("track {:?}", track.name), why));
        }
        Ok(())
    }

    /// Writes all changes of the routes that the session has.
    pub(super) fn write(&self, splices: &mut Splices) -> Result<(), WriteError> {
        self.connections(splices);
        for old in &self.parsed.project.tracks {
            let Some(fate) = self.fates.get(old.name.as_str()) else { continue };
            match fate.name {
                None => self.delete(old, splices)?,
                Some(name) if name != old.name => self.rename(old, name, splices),
                Some(_) => {}
            }
        }
        for (track, order) in self.wanted.tracks.iter().zip(&self.orders) {
            self.known(track, *order, splices)?;
        }
        Ok(())
    }

    /// Writes the order and the output of a route that the session has.
    fn known(
        &self,
        track: &ProjectTrack,
        order: Option<usize>,
        splices: &mut Splices,
    ) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        let place = track.known_id().and_then(|id| self.parsed.tracks.get(id));
        let Some(route) = place.map(|place| place.route) else { return Ok(()) };
        let order = order.map(|order| order.to_string()).unwrap_or_default();
        let information = document.child(route, "PresentationInfo");
        let is_same = |at: &usize| order.is_empty() || document.is(*at, "order", &order);
        if let Some(at) = information.filter(|at| !is_same(at)) {
            document.set(splices, at, "order", &order);
        }
        let name = document.owned(route, "name").unwrap_or_default();
        if !self.fates.get(name.as_str()).is_some_and(|fate| fate.is_rerouted) {
            return Ok(());
        }
        let outputs = self.outputs(route);
        if outputs.is_empty() {
            let why = "the session does not say its outputs: save it in Ardour once";
            return Err(refused(format!("track {:?}", track.name), why));
        }
        for (number, port) in outputs.into_iter().enumerate() {
            document.append(splices, port, &self.connection(track, number));
        }
        Ok(())
    }

    /// The elements Port of a route's outputs.
    fn outputs(&self, route: usize) -> Vec<usize> {
        let document = &self.parsed.document;
        let mut sides = document.named(route, "IO");
        let out = sides.find(|side| document.is(*side, "direction", "Output"));
        out.into_iter().flat_map(|out| document.named(out, "Port").collect::<Vec<_>>()).collect()
    }

    /// Writes new names into connections, and removes old ones. A session may state a connection at both of its ends.
    fn connections(&self, splices: &mut Splices) {
        let document = &self.parsed.document;
        let all = document.inside(0).filter(|at| document.name(*at) == "Connection");
        for connection in all {
            let other = document.owned(connection, "other").unwrap_or_default();
            let Some(port) = document.parent(connection) else { continue };
            let own = document.owned(port, "name").unwrap_or_default();
            let own =
                own.split_once('/').and_then(|(name, port)| Some((self.fates.get(name)?, port)));
            let there =
                other.split_once('/').and_then(|(name, port)| Some((self.fates.get(name)?, port)));
            let leaves = |end: Option<(&Fate<'_>, &str)>| {
                end.is_some_and(|(fate, port)| fate.is_rerouted && port.starts_with("audio_out"))
            };
            match (own, there) {
                // It goes with its route.
                (Some((Fate { name: None, .. }, _)), _) => {}
                (own, there) if leaves(own) || leaves(there) => {
                    document.delete(splices, connection);
                }
                (_, Some((Fate { name: None, .. }, _))) => document.delete(splices, connection),
                (_, Some((Fate { name: Some(name), .. }, port))) => {
                    let to = format!("{name}/{port}");
                    if to != other {
                        document.set(splices, connection, "other", &to);
                    }
                }
                (_, None) => {}
            }
        }
    }

    fn rename(&self, old: &ProjectTrack, name: &str, splices: &mut Splices) {
        let document = &self.parsed.document;
        let place = old.id.as_ref().and_then(|id| self.parsed.tracks.get(id));
        let Some(place) = place else { return };
        document.set(splices, place.route, "name", name);
        let parts = document.children(place.route).chain(place.playlist);
        let parts =
            parts.filter(|at| matches!(document.name(*at), "IO" | "Processor" | "Playlist"));
        for part in parts {
            for value in ["name", "output"] {
                if document.is(part, value, &old.name) {
                    document.set(splices, part, value, name);
                }
            }
            for port in document.named(part, "Port") {
                let port_name = document.owned(port, "name").unwrap_or_default();
                let own = port_name.strip_prefix(&old.name).filter(|rest| rest.starts_with('/'));
                if let Some(rest) = own {
                    document.set(splices, port, "name", &format!("{name}{rest}"));
                }
            }
        }
    }

    fn delete(&self, old: &ProjectTrack, splices: &mut Splices) -> Result<(), WriteError> {
        let document = &self.parsed.document;
        let id = old.id.as_deref().unwrap_or_default();
        let Some(place) = self.parsed.tracks.get(id) else { return Ok(()) };
        let own = document.inside(place.route);
        let names_it = |at: &usize| {
            let group = document.text(*at, "routes").unwrap_or_default();
            document.is(*at, "target", id) || group.split_whitespace().any(|one| one == id)
        };
        if document.inside(0).filter(|at| !own.contains(at)).any(|at| names_it(&at)) {
            let why = "a send or a group of tracks needs it: delete it in Ardour";
            return Err(refused(format!("track {:?}", old.name), why));
        }
        document.delete(splices, place.route);
        if let Some(playlist) = place.playlist {
            document.delete(splices, playlist);
        }
        Ok(())
    }

    /// The port that output `number` of a track plays to, as a line.
    fn connection(&self, track: &ProjectTrack, number: usize) -> String {
        let mut tracks = self.wanted.tracks.iter();
        let bus = tracks.find(|it| it.id.is_some() && it.id == track.parent);
        let inputs = self.inputs(bus).max(1);
        let name = escaped(bus.map_or(&self.master, |bus| &bus.name));
        let (port, end) = (number.min(inputs - 1) + 1, self.parsed.document.line_end());
        format!("          <Connection other=\"{name}/audio_in {port}\"/>{end}")
    }

    /// How many inputs a bus has, or the master.
    fn inputs(&self, bus: Option<&ProjectTrack>) -> usize {
        let document = &self.parsed.document;
        let route = match bus {
            None => self.parsed.master.and_then(|fader| route_of(self.parsed, fader)),
            Some(bus) => match bus.known_id().and_then(|id| self.parsed.tracks.get(id)) {
                Some(place) => Some(place.route),
                None => return OUTPUTS,
            },
        };
        let mut sides =
            route.into_iter().flat_map(|at| document.named(at, "IO").collect::<Vec<_>>());
        let side = sides.find(|side| document.is(*side, "direction", "Input"));
        side.map_or(OUTPUTS, |side| document.named(side, "Port").count())
    }

    /// A route that is new, as text.
    pub(super) fn new_route(&self, at: usize, own: &NewIds, ids: &mut Ids) -> String {
        let track = &self.wanted.tracks[at];
        let (kind, plays) = match track.is_bus {
            true => ("AudioBus", String::new()),
            false => {
                ("AudioTrack", format!(" audio-playlist=\"{}\" mode=\"Normal\"", own.playlist))
            }
        };
        let mut text = String::new();
        for (index, part) in TEMPLATE.split('{').enumerate() {
            let (mark, rest) = part.split_once('}').filter(|_| index > 0).unwrap_or(("", part));
            text += &match mark {
                "id" => ids.next(),
                "own" => own.route.clone(),
                "name" => escaped(&track.name).into_owned(),
                "plays" => plays.clone(),
                "kind" => kind.to_owned(),
                "order" => self.orders[at].unwrap_or_default().to_string(),
                "color" => color(track.color).to_string(),
                "inputs" => new_inputs(track),
                "outputs" => self.new_outputs(track),
                "mute" => u8::from(track.mute).to_string(),
                "solo" => u8::from(track.solo).to_string(),
                "pan" => f64::midpoint(track.pan, 1.0).to_string(),
                "gain" => linear(track.gain_db).to_string(),
                _ => String::new(),
            };
            text += rest;
        }
        text
    }

    fn new_outputs(&self, track: &ProjectTrack) -> String {
        let name = escaped(&track.name);
        let output = |number| {
            let to = self.connection(track, number).replace("\r\n", "\n");
            let port = number + 1;
            format!(
                "        <Port type=\"audio\" name=\"{name}/audio_out {port}\">\n{to}        </Port>\n"
            )
        };
        (0..OUTPUTS).map(output).collect()
    }
}

fn new_inputs(track: &ProjectTrack) -> String {
    let (name, channels) = (escaped(&track.name), track.clips.iter().filter_map(|it| it.channels));
    let inputs = if track.is_bus { OUTPUTS } else { usize::from(channels.max().unwrap_or(1)) };
    let port = |port| format!("        <Port type=\"audio\" name=\"{name}/audio_in {port}\"/>\n");
    (1..=inputs).map(port).collect()
}

/// The ids of a new route and of its playlist.
pub(super) struct NewIds {
    pub(super) route: String,
    pub(super) playlist: String,
}

/// How many outputs a new route has.
const OUTPUTS: usize = 2;

/// What Ardour needs of a route; it makes the rest itself.
const TEMPLATE: &str = r#"    <Route id="{own}" name="{name}" default-type="audio" strict-io="0" active="1" meter-point="MeterPostFader"{plays}>
      <PresentationInfo order="{order}" flags="{kind},OrderSet" color="{color}"/>
      <Controllable name="solo" id="{id}" flags="Toggle,RealTime" value="{solo}" self-solo="{solo}" soloed-by-upstream="0" soloed-by-downstream="0"/>
      <IO name="{name}" id="{id}" direction="Input" default-type="audio">
{inputs}      </IO>
      <IO name="{name}" id="{id}" direction="Output" default-type="audio">
{outputs}      </IO>
      <MuteMaster mute-point="PostFader,Listen,Main" muted="{mute}"/>
      <Controllable name="mute" id="{id}" flags="Toggle,RealTime" value="{mute}"/>
      <Pannable>
        <Controllable name="pan-azimuth" id="{id}" flags="" value="{pan}"/>
      </Pannable>
      <Processor id="{id}" name="Amp" active="1" type="amp">
        <Controllable name="gaincontrol" id="{id}" flags="GainLike" value="{gain}"/>
      </Processor>
      <Processor id="{id}" name="{name}" active="1" own-input="1" own-output="0" output="{name}" type="main-outs" role="Main">
        <PannerShell bypassed="0" user-panner="" linked-to-route="1"/>
      </Processor>
    </Route>
"#;

/// Ardour's number of a color; 0 is none.
pub(super) fn color(color: Option<[u8; 3]>) -> u32 {
    color.map_or(0, |[red, green, blue]| u32::from_be_bytes([red, green, blue, 255]))
}

/// The name of the route that has the master's fader.
fn master(parsed: &Parsed<'_>) -> String {
    let route = parsed.master.and_then(|fader| route_of(parsed, fader));
    route.and_then(|route| parsed.document.owned(route, "name")).unwrap_or_else(|| "Master".into())
}

fn route_of(parsed: &Parsed<'_>, element: usize) -> Option<usize> {
    let document = &parsed.document;
    let mut up = std::iter::successors(Some(element), |at| document.parent(*at));
    up.find(|at| document.name(*at) == "Route")
}

/// The place of each wanted track in the order of the session, where it needs another: new tracks come last, if that is
/// where they are wanted.
fn orders(parsed: &Parsed<'_>, wanted: &[ProjectTrack]) -> Vec<Option<usize>> {
    let document = &parsed.document;
    let here = |track: &ProjectTrack| {
        let place = parsed.tracks.get(track.known_id()?)?;
        let information = document.child(place.route, "PresentationInfo")?;
        document.number(information, "order").ok()?.map(|order| order as usize)
    };
    let here = wanted.iter().map(here).collect::<Vec<_>>();
    let mut free = here.iter().flatten().max().map_or(1, |last| last + 1)..;
    let is_new = |track: &ProjectTrack| track.known_id().is_none();
    let new = wanted.iter().map(|track| is_new(track).then(|| free.next()).flatten());
    let new = new.collect::<Vec<_>>();
    let order = |at: usize| here[at].or(new[at]).unwrap_or(usize::MAX);
    if comes_as_wanted(wanted, order) {
        return new;
    }
    let mut numbers = here.into_iter().zip(&new).filter_map(|(here, new)| here.or(*new));
    let mut numbers = numbers.by_ref().collect::<Vec<_>>();
    numbers.extend(free.take(wanted.len() - numbers.len()));
    numbers.sort_unstable();
    numbers.into_iter().map(Some).collect()
}

/// Whether tracks that are in this order are read as they are wanted.
fn comes_as_wanted(wanted: &[ProjectTrack], order: impl Fn(usize) -> usize) -> bool {
    let track = |(at, track): (usize, &ProjectTrack)| ProjectTrack {
        id: track.id.clone().or(Some(format!("{NEW} {at}"))),
        name: at.to_string(),
        is_bus: track.is_bus,
        parent: track.parent.clone(),
        ..ProjectTrack::default()
    };
    let mut tracks = wanted.iter().enumerate().map(track).collect::<Vec<_>>();
    let expected = tracks.clone();
    tracks.sort_by_key(|track| track.name.parse().map_or(0, &order));
    buses_first(tracks) == expected
}
