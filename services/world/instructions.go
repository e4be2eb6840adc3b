package world

// Instructions tell a model how to build. They are shown when it connects.
const Instructions = "These tools read one Minecraft world and change it by plans. x runs to the east, y up, z to the south; " +
	"ranges hold both of their ends; a block is written as minecraft:oak_log[axis=y].\n" +
	"Begin with project_context: it has the area, the limits and what was built last. Look with region_inspect before you plan.\n" +
	"Then build_prepare, tell the user what the plan changes, build_apply with the plan_hash and an idempotency_key of your own, " +
	"and operation_status about once a second until it is done. One operation runs at a time; busy means wait and repeat the same call.\n" +
	"A reply that was lost is no reason for another key: repeat exactly the same call, or look at project_context.\n" +
	"conflict means that blocks were not what the plan saw; they were left alone. Inspect the region again and make a new plan: " +
	"never try to force it. recovery_required means that a person has to decide; nothing can be written until then.\n" +
	"Look at what you built with camera_capture: a pose first, then its capture_id until the picture is there. Judge by the picture, " +
	"and never describe one that did not come.\n" +
	"To take something back use operation_undo_prepare and apply its plan. Blocks that somebody changed since stay as they are.\n" +
	"Every error has a code and says what to do. You are never asked for a player or a project."
