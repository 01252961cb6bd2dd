-- Makes a session of Ardour's with a bus and two tracks, or opens one and saves it again, saying what is in it. Run by
-- `cargo xtask hosts` with the folder and the name of the session in the environment.

local folder, name = os.getenv("HOSTS_FOLDER") .. "/talk", os.getenv("HOSTS_SESSION")
if os.getenv("HOSTS_NEW") then
	assert(create_session(folder, name, 48000))
	local order, mode = ARDOUR.PresentationInfo.max_order, ARDOUR.TrackMode.Normal
	Session:new_audio_track(1, 2, nil, 2, "Voice", order, mode, true)
	Session:new_audio_route(2, 2, nil, 1, "Bus", ARDOUR.PresentationInfo.Flag.AudioBus, order)
else
	assert(load_session(folder, name), "Ardour does not load the session")
end
for route in Session:get_routes():iter() do
	local regions, track = {}, route:to_track()
	if not track:isnil() then
		for region in track:playlist():region_list():iter() do
			local file = region:to_audioregion():source(0):to_filesource():path()
			local found = io.open(file)
			table.insert(regions, found and "heard" or "silent")
			if found then found:close() end
		end
	end
	print("HOSTS route " .. route:name() .. ": " .. table.concat(regions, " "))
end
Session:save_state("")
close_session()
quit()
