// The live page: it asks for the snapshot and draws again when it is another.

import { Board } from './board.js';
import { count, engines, fill, fires, legend, problem, reported, write } from './panel.js';

const board = new Board(document.getElementById('board'));
const pause = 400; // milliseconds between two looks
const kept = 40; // reports
let drawn; // run and revision that are drawn
let run; // whose reports are kept
let reports = []; // that were seen, the newest first

write('endpoint', `${location.origin}/mcp`);

async function look() {
	const reply = await fetch('/api/v1/snapshot');
	if (!reply.ok) throw new Error(reply.statusText);
	const snapshot = await reply.json();
	const version = `${snapshot.run_id} ${snapshot.display_revision}`;
	if (version === drawn) return;
	await draw(snapshot);
	drawn = version;
}

async function draw(s) {
	write('lifecycle', s.lifecycle);
	if (s.run_id !== null) await drawRun(s);
	document.body.dataset.revision = s.display_revision; // it is on the screen
}

async function drawRun(s) {
	await board.show(s.map_id);
	document.getElementById('lobby').hidden = true;
	const shown = ['burning', 'report', 'engine', 'way', 'ordered'];
	legend(...shown, ...(s.truth ? ['collapsed', 'saved'] : []));
	write('scenario', `${s.scenario_id} · ${s.truth ? 'everything is shown' : 'what the controller can know is shown'}`);
	write('tick', `${s.tick}/${s.tick_limit}`);
	count('casualties', s.metrics.casualties);
	count('lost', s.metrics.buildings_lost);
	fill('vehicles', engines(s.vehicles, s.pending));
	fill('fires', fires(burning(s)));
	remember(s);
	fill('contacts', reports.map((c) => reported(c, { fresh: c.delivered_at === s.tick })));
	const rows = Object.entries(s.tokens).map(([role, used]) => {
		const row = document.createElement('tr');
		for (const value of [role, used.read, used.write, used.cache_read]) row.insertCell().textContent = value.toLocaleString('en');
		return row;
	});
	document.getElementById('tokens').replaceChildren(...rows);
	board.mark(states(s));
	board.draw({
		vehicles: s.vehicles, vision: s.vision_radius, pending: s.pending, countdowns: s.fire_eta, fires: burning(s),
		reports: reports.map((c) => ({ location: c.reported_location, age: s.tick - c.delivered_at })).filter((r) => r.age < 15),
	});
}

/** Keeps the reports of this tick with those of earlier ones. */
function remember(s) {
	if (run !== s.run_id) [run, reports] = [s.run_id, []];
	const known = new Set(reports.map((c) => c.contact_id));
	reports = [...s.contacts.filter((c) => !known.has(c.contact_id)).reverse(), ...reports].slice(0, kept);
}

/** The fires that may be known: all of them where the truth is shown, else those in view. */
function burning(s) {
	const eta = new Map(s.fire_eta.map((f) => [f.building_id, f]));
	if (!s.truth) return s.fire_eta.map((f) => ({ building_id: f.building_id, eta: f }));
	return s.truth.buildings.filter((b) => b.status === 'burning')
		.map((b) => ({ building_id: b.building_id, people: b.occupants, eta: eta.get(b.building_id) }));
}

/** The states of houses: all of them where the truth is shown, else the fires in view. */
function states(s) {
	if (!s.truth) return Object.fromEntries(s.fire_eta.map((f) => [f.building_id, 'burning']));
	return Object.fromEntries(s.truth.buildings.map((b) => [b.building_id, b.status === 'normal' ? 'saved' : b.status]));
}

for (;;) {
	try {
		await look();
		problem();
	} catch {
		drawn = undefined;
		problem('The simulator cannot be reached. What is shown is from before.');
	}
	await new Promise((resolve) => setTimeout(resolve, pause));
}
