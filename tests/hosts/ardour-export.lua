-- Ardour without a window: two tracks record a tone each, get an instance each, and are exported. The instances
-- then have captured what the export gave them, faster than real time. Behind what was exported it plays on, in real
-- time. Run by `cargo xtask hosts` with what it needs in the environment.

local folder = os.getenv("HOSTS_FOLDER")
local frames = tonumber(os.getenv("HOSTS_FRAMES"))
local behind = tonumber(os.getenv("HOSTS_BEHIND"))
local ROLL = ARDOUR.TransportRequestSource.TRS_UI
local NO_GROUP = PBD.GroupControlDisposition.NoGroup

local function sleep(seconds) ARDOUR.LuaAPI.usleep(math.floor(seconds * 1000000)) end
local function told(what, value) print(string.format("HOSTS %s %s", what, tostring(value))) end

-- How often the session, as the command line shows it, has these words.
local function shown(words)
	local found = io.popen("ls -d '" .. os.getenv("HOSTS_SESSIONS") .. "'/* 2>&1")
	local session = found:read("l")
	found:close()
	local pipe = io.popen(os.getenv("HOSTS_DESKHAND") .. " --json show '" .. session .. "' 2>&1")
	local _, times = pipe:read("a"):gsub(words, "")
	pipe:close()
	return times
end

-- Waits until it has them so often.
local function wait_for(words, times)
	local asked = 0
	repeat sleep(0.2); asked = asked + 1 until shown(words) == times or asked > 100
end

-- Plays a few seconds, as fast as they are.
local function play(from)
	Session:request_locate(from, false, ARDOUR.LocateTransportDisposition.MustStop, ROLL)
	sleep(1)
	Session:request_roll(ROLL)
	sleep(3)
	Session:request_stop(false, false, ROLL)
	sleep(1)
end

local function recorded()
	local order = ARDOUR.PresentationInfo.max_order
	local tracks = Session:new_audio_track(2, 2, nil, 2, "Voice", order, ARDOUR.TrackMode.Normal, true)
	for route in tracks:iter() do
		route:to_track():rec_enable_control():set_value(1, NO_GROUP)
	end
	Session:maybe_enable_record()
	Session:goto_start()
	Session:request_roll(ROLL)
	repeat sleep(0.1) until Session:transport_sample() > frames + 96000
	Session:request_stop(false, false, ROLL)
	sleep(2)
	return tracks
end

local function run()
	for route in recorded():iter() do
		route:to_track():rec_enable_control():set_value(0, NO_GROUP)
		local instance = ARDOUR.LuaAPI.new_plugin(Session, "Deskhand", ARDOUR.PluginType.VST3, "")
		assert(not instance:isnil(), "Ardour does not know the plugin")
		assert(route:add_processor_by_index(instance, 0, nil, true) == 0)
	end
	wait_for('"kind": "audio"', 2)
	told("clips", shown('"source": '))
	local export = Session:simple_export()
	export:set_name("mix")
	export:set_folder(folder)
	export:set_range(0, frames)
	local started = ARDOUR.LuaAPI.monotonic_time()
	told("exported", export:run_export())
	told("seconds", (ARDOUR.LuaAPI.monotonic_time() - started) / 1000000)
	wait_for('"source": ', 2)
	play(behind)
	wait_for('"source": ', 4)
	-- What has exported is not taken down: Ardour 7.3 writes past what an export holds, with any plugin or none,
	-- and would end in the middle of that.
	io.stdout:flush()
	os.exit(0)
end

local backend = AudioEngine:set_backend("None (Dummy)", "deskhand", "")
backend:set_device_name("Sine Wave")
backend:set_driver("Normal Speed")
backend:set_sample_rate(48000)
backend:set_buffer_size(512)
assert(AudioEngine:start(false) == 0, "the dummy backend does not start")
assert(create_session(folder .. "/export", "export", 48000))
run()
