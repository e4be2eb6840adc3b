// What of a game is public, and what is hidden: told from the controller's
// observations and from the log, and found again in what the display gives.

/** Every id of a building in a text. */
export const buildingsIn = (text) => new Set(text.match(/(?<![\w-])l\d+\b/g) ?? []);

/** The names of all members of a value, at every depth. */
function members(value, into = new Set()) {
  if (Array.isArray(value)) for (const v of value) members(v, into);
  else if (value !== null && typeof value === 'object') {
    for (const [name, v] of Object.entries(value)) {
      into.add(name);
      members(v, into);
    }
  }
  return into;
}

/** What a snapshot under public_only may have, by name. */
const open = new Set(`api_version display_revision lifecycle run_id scenario_id map_id tick tick_limit metrics casualties
  buildings_lost tokens intake dispatch read write cache_read vision_radius vehicles vehicle_id label position x y status route destination incident_id
  last_rationale remaining total eta_ticks edges polyline requested snapped fire_eta building_id ticks_to_extinguish
  ticks_to_collapse pending command_id rationale contacts contact_id source_type occurred_at delivered_at reported_location kind
  point payload_type payload text claim incident_type severity value confidence headcount qualifier event_time source_reliability
  evidence negations display_policy truth`.split(/\s+/));

/**
 * Everything in a snapshot, as it was sent, that is not public: knowable has the
 * ids that a controller has been told of until then. A claim is public where it
 * was delivered as one.
 */
export function hiddenIn(text, knowable) {
  const snapshot = JSON.parse(text);
  const found = [...members(snapshot)].filter((name) => !open.has(name)).map((name) => `member ${name}`);
  for (const id of buildingsIn(text)) if (!knowable.has(id)) found.push(`building ${id}`);
  if (snapshot.truth) found.push('truth');
  for (const { contact_id, payload_type, payload } of snapshot.contacts ?? []) {
    if (payload_type === 'human_text' && payload.claim) found.push(`claim of ${contact_id}`);
  }
  return found;
}

/** The states of all houses that are not as they were, and the score, at each tick of a log that has an end. */
export function states(log) {
  const kinds = { ignited: 'burning', extinguished: 'saved', collapsed: 'collapsed' };
  const first = log.at(-1).truth.buildings.filter((b) => b.ignited_at === 0);
  const houses = Object.fromEntries(first.map((b) => [b.building_id, 'burning']));
  let [casualties, lost] = [0, 0];
  return log.filter((line) => line.type === 'tick').map(({ changes }) => {
    for (const { type, building_id, count } of changes) {
      if (kinds[type]) houses[building_id] = kinds[type];
      if (type === 'collapsed') lost += 1;
      if (type === 'casualty') casualties += count;
    }
    return { houses: { ...houses }, casualties, lost };
  });
}
