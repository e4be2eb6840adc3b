// Reads the log of a run, as far as it is to be shown.

const largest = 64 << 20; // bytes; a run has about one million
const most = 30e6; // entries of all ticks, each of which has those before it; a run of 100 ticks has at most 10 million

/** Reads a file: {header, ticks, end}, or fails with what is wrong with it. */
export async function readLog(file) {
	if (file.size > largest) throw new Error('it is too large for a run log');
	const lines = (await file.text()).split('\n');
	const whole = lines.pop() === '';
	if (lines.length === 0) throw new Error('it is no run log: it has no line');
	const parsed = lines.map((line, i) => {
		try {
			return JSON.parse(line);
		} catch {
			throw new Error(`line ${i + 1} is not JSON`);
		}
	});
	const [header, ...rest] = parsed;
	if (header?.type !== 'header' || typeof header.map_id !== 'string') throw new Error('it is no run log: line 1 is no header');
	if (header.log_version !== 1) throw new Error(`its form is version ${header.log_version}; this page reads version 1`);
	const end = rest.at(-1)?.type === 'end' ? rest.pop() : null;
	rest.forEach((line, i) => {
		if (!isTick(line) || line.tick !== i) throw new Error(`line ${i + 2} is not that of tick ${i}`);
	});
	if (rest.length === 0) throw new Error('it has no tick');
	const entries = rest.reduce((sum, line) => sum + line.commands.length + line.contacts.length + line.changes.length, 0);
	if (entries * rest.length > most) throw new Error('it has more reports and commands than can be shown');
	return { header, ticks: follow(rest, end), end, whole };
}

const isPoint = (p) => typeof p?.x === 'number' && typeof p.y === 'number';
const isWay = (route) => route === null || (Array.isArray(route?.polyline) && route.polyline.every(isPoint));
const isPlace = (at) => (at?.kind === 'coordinates' ? isPoint(at.point) : typeof at?.building_id === 'string');

/** Reports whether a line has what is shown of a tick. */
function isTick(line) {
	if (line?.type !== 'tick') return false;
	const { commands, contacts, changes, vehicles } = line;
	return [commands, contacts, changes, vehicles].every(Array.isArray) && commands.every((c) => c?.vehicle_id) &&
		contacts.every((c) => isPlace(c?.reported_location) && c.claim) && changes.every((c) => c?.building_id) &&
		vehicles.every((v) => v?.vehicle_id && isPoint(v.position) && isWay(v.route));
}

/** Adds to each tick what all changes until then have come to. */
function follow(lines, end) {
	const inside = {}; // people by house, where the log has an end that tells them
	const houses = {};
	for (const b of end?.truth?.buildings ?? []) inside[b.building_id] = b.people.length;
	let [casualties, lost, reports, commands] = [0, 0, [], []];
	return lines.map((line) => {
		for (const { type, building_id: id, count } of line.changes) {
			switch (type) {
			case 'ignited': houses[id] = 'burning'; break;
			case 'extinguished': houses[id] = 'saved'; break;
			case 'collapsed': houses[id] = 'collapsed'; lost += 1; break;
			case 'casualty': casualties += count; // and is out, too
			case 'rescued': case 'walked_out': if (id in inside) inside[id] -= count;
			}
		}
		reports = [...line.contacts.toReversed(), ...reports];
		commands = [...line.commands.map((c) => ({ ...c, tick: line.tick })).reverse(), ...commands];
		const fires = Object.keys(houses).filter((id) => houses[id] === 'burning').sort(byNumber)
			.map((id) => ({ building_id: id, people: inside[id] }));
		return { ...line, houses: { ...houses }, fires, casualties, lost, reports, commands };
	});
}

const byNumber = (a, b) => Number(a.slice(1)) - Number(b.slice(1));
