// The live page: it asks for the snapshot and draws again when it is another.

import { Board, engines, fill, reported, write } from './board.js';

const board = new Board(document.getElementById('board'));
const pause = 400; // milliseconds between two looks
let drawn = -1; // revision that is drawn

async function look() {
	const reply = await fetch('/api/v1/snapshot');
	const snapshot = await reply.json();
	if (snapshot.display_revision !== drawn) {
		await draw(snapshot);
		drawn = snapshot.display_revision;
	}
}

async function draw(s) {
	write('lifecycle', s.lifecycle);
	document.body.dataset.revision = s.display_revision;
	if (s.run_id === null) return;
	await board.show(s.map_id);
	write('scenario', s.scenario_id);
	write('tick', `${s.tick} / ${s.tick_limit}`);
	write('casualties', s.metrics.casualties);
	write('lost', s.metrics.buildings_lost);
	fill('vehicles', engines(s.vehicles));
	fill('contacts', s.contacts.map(reported));
	const rows = Object.entries(s.tokens).map(([role, used]) => {
		const row = document.createElement('tr');
		for (const value of [role, used.read, used.write, used.cache_read]) row.insertCell().textContent = value.toLocaleString('en');
		return row;
	});
	document.getElementById('tokens').replaceChildren(...rows);
	board.mark(states(s));
	board.draw({ vehicles: s.vehicles, vision: s.vision_radius, pending: s.pending, countdowns: s.fire_eta });
}

/** The states of houses: all of them where the truth is shown, else the fires in view. */
function states(s) {
	const all = {};
	if (s.truth) {
		for (const b of s.truth.buildings) all[b.building_id] = b.status === 'normal' ? 'saved' : b.status;
	} else {
		for (const f of s.fire_eta) all[f.building_id] = 'burning';
	}
	return all;
}

for (;;) {
	try {
		await look();
	} catch {
		write('lifecycle', 'not reached');
	}
	await new Promise((resolve) => setTimeout(resolve, pause));
}
