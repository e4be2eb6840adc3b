package simulator

// Instructions tell a model how the game is controlled. They are shown when it
// connects.
const Instructions = "This is a dispatch game: reports of fires come in, and you send fire engines. " +
	"Begin with list_scenarios and start_episode; each observation has the reports and the engines of its tick.\n" +
	"Only the outer runner of an agent calls next_tick, once it is done with a tick. A model, or a loop of tools inside " +
	"the runner, never does: it reads, asks and dispatches, and leaves time to the runner.\n" +
	"Ids are opaque: use them as they were given, and make none up. A building is known once a report has named it; " +
	"building_to_coords gives its point, and dispatch takes points. incident_id is a name of your own.\n" +
	"TICK_MISMATCH: nothing was changed; call status and go on from the tick that it shows. " +
	"The same where a reply was lost: status shows what came of the call, and a dispatch may be repeated.\n" +
	"CONTROLLER_DISPLACED: another controller took over and this session's run is over; to take over again, connect " +
	"anew, which begins in the lobby. Do not do so by yourself while somebody else plays.\n" +
	"Every error has a code. INVALID_ARGUMENT says which argument is at fault; INTERNAL is a failure of the simulator."
