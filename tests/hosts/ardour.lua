-- Ardour without a window: two tracks with an instance each play a tone of -18 dBFS, the second trimmed by
-- -6 dB. A plan across both is made from what they captured and applied through the hub, and Ardour's own
-- meters are read before and after. Then the session is saved with one trim and closed with another. Run by
-- `cargo xtask hosts` with what it needs in the environment; a second time with HOSTS_REOPENS, which opens the session.

local folder = os.getenv("HOSTS_FOLDER")
local deskhand = os.getenv("HOSTS_DESKHAND")
local sessions = os.getenv("HOSTS_SESSIONS")
local trim = tonumber(os.getenv("HOSTS_TRIM_INDEX"))

local function sleep(seconds) ARDOUR.LuaAPI.usleep(math.floor(seconds * 1000000)) end
local function told(what, value) print(string.format("HOSTS %s %s", what, tostring(value))) end

local function run(words)
	local pipe = io.popen(deskhand .. " " .. words .. " 2>&1")
	local said = pipe:read("a")
	pipe:close()
	return said
end

local backend = AudioEngine:set_backend("None (Dummy)", "deskhand", "")
backend:set_device_name("Sine Wave")
backend:set_driver("Normal Speed")
backend:set_sample_rate(48000)
backend:set_buffer_size(512)
assert(AudioEngine:start(false) == 0, "the dummy backend does not start")
local routes, instances = {}, {}

-- The largest of ten looks: a block of a tone does not always hold its crest.
local function levels(moment)
	local highest = {}
	for _ = 1, 10 do
		for index, route in ipairs(routes) do
			local level = route:peak_meter():meter_level(0, ARDOUR.MeterType.MeterPeak)
			highest[index] = math.max(highest[index] or -200, level)
		end
		sleep(0.1)
	end
	for index, level in ipairs(highest) do told(moment .. index, level) end
end

local function play(seconds, moment)
	Session:goto_start()
	Session:request_roll(ARDOUR.TransportRequestSource.TRS_UI)
	sleep(seconds)
	levels(moment)
	Session:request_stop(false, false, ARDOUR.TransportRequestSource.TRS_UI)
	sleep(1.5)
end

-- A second program: Ardour 7.3 ends when it opens a session in one that closed a session, with any plugin or none.
if os.getenv("HOSTS_REOPENS") then
	assert(load_session(folder .. "/ardour", "hosts"), "the saved session does not open")
	for route in Session:get_tracks():iter() do routes[#routes + 1] = route end
	play(5, "reopened")
	told("knob", (ARDOUR.LuaAPI.get_processor_param(routes[1]:nth_plugin(0), trim)))
	told("kept", run("--json show '" .. os.getenv("HOSTS_REOPENS") .. "'"):gsub("\n", " "))
	close_session()
	quit()
	return
end

assert(create_session(folder .. "/ardour", "hosts", 48000))

local order = ARDOUR.PresentationInfo.max_order
local normal = ARDOUR.TrackMode.Normal
local tracks = Session:new_audio_track(2, 2, nil, 2, "Voice", order, normal, true)
for route in tracks:iter() do
	local instance = ARDOUR.LuaAPI.new_plugin(Session, "Deskhand", ARDOUR.PluginType.VST3, "")
	assert(not instance:isnil(), "Ardour does not know the plugin")
	assert(route:add_processor_by_index(instance, 0, nil, true) == 0)
	route:to_track():monitoring_control():set_value(
		ARDOUR.MonitorChoice.MonitorInput, PBD.GroupControlDisposition.NoGroup)
	routes[#routes + 1] = route
	instances[#instances + 1] = instance
end

ARDOUR.LuaAPI.set_processor_param(instances[2], trim, tonumber(os.getenv("HOSTS_TRIM_VALUE")))
sleep(3)
play(5, "before")
local found = io.popen("ls -d " .. sessions .. "/*")
local session = found:read("l")
found:close()
told("session", session)
if session then
	told("shown", run("--json show '" .. session .. "'"):gsub("\n", " "))
	-- Far below what any tone has: Ardour plays them at frequencies of its own choice, which are not equally loud.
	local ask = " tool_normalize targets='[\"Voice 1\", \"Voice 2\"]' target_lufs=-50 per=track"
	local said = run("--json plan '" .. session .. "'" .. ask)
	told("planned", said:gsub("\n", " "))
	local plan = said:match('"id": "(plan_%w+)"')
	if plan then told("applied", run("apply '" .. session .. "' " .. plan .. " --yes"):gsub("\n", "|")) end
	play(4, "after")
	if plan then told("receipt", run("plans '" .. session .. "' " .. plan):gsub("\n", "|")) end
	told("undone", run("undo '" .. session .. "'"):gsub("\n", "|"))
	play(4, "undo")
end
ARDOUR.LuaAPI.set_processor_param(instances[1], trim, tonumber(os.getenv("HOSTS_SAVED")))
sleep(1)
Session:save_state("")
ARDOUR.LuaAPI.set_processor_param(instances[1], trim, tonumber(os.getenv("HOSTS_UNSAVED")))
play(4, "unsaved")
close_session()
quit()
