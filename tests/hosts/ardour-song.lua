-- Makes a session of Ardour's with an instance on its one track, to be opened in a window. Run by
-- `cargo xtask hosts` with the folder to fill in the environment.

local backend = AudioEngine:set_backend("None (Dummy)", "deskhand", "")
backend:set_device_name("Sine Wave")
backend:set_driver("Normal Speed")
backend:set_sample_rate(48000)
backend:set_buffer_size(512)
assert(AudioEngine:start(false) == 0, "the dummy backend does not start")
assert(create_session(os.getenv("HOSTS_FOLDER") .. "/song", "song", 48000))

local order = ARDOUR.PresentationInfo.max_order
local tracks = Session:new_audio_track(1, 2, nil, 1, "Voice", order, ARDOUR.TrackMode.Normal, true)
for route in tracks:iter() do
	local instance = ARDOUR.LuaAPI.new_plugin(Session, "Deskhand", ARDOUR.PluginType.VST3, "")
	assert(not instance:isnil(), "Ardour does not know the plugin")
	assert(route:add_processor_by_index(instance, 0, nil, true) == 0)
end
Session:save_state("")
close_session()
quit()
