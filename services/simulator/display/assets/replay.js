// The replay page: a finished log, read in the browser, tick by tick.

import { Board, engines, fill, reported, write } from './board.js';

const board = new Board(document.getElementById('board'));
const scrub = document.getElementById('scrub');
const play = document.getElementById('play');
const problem = document.getElementById('problem');
let ticks = []; // what is to be drawn, by tick
let timer;

/** Reads a log: its header, and for each tick what is known of it. */
function read(text) {
	const lines = text.split('\n').filter((line) => line !== '').map((line, i) => {
		try {
			return JSON.parse(line);
		} catch {
			throw new Error(`line ${i + 1} is not JSON`);
		}
	});
	const header = lines[0];
	if (header?.type !== 'header' || !Array.isArray(lines[1]?.vehicles)) throw new Error('this is no run log of a simulator');
	const houses = {};
	let casualties = 0, lost = 0;
	const all = lines.filter((line) => line.type === 'tick').map((line) => {
		for (const change of line.changes) {
			if (change.type === 'ignited') houses[change.building_id] = 'burning';
			if (change.type === 'extinguished') houses[change.building_id] = 'saved';
			if (change.type === 'collapsed') houses[change.building_id] = 'collapsed';
			if (change.type === 'collapsed') lost += 1;
			if (change.type === 'casualty') casualties += change.count;
		}
		return { ...line, houses: { ...houses }, casualties, lost };
	});
	return { header, all, end: lines.at(-1).type === 'end' ? lines.at(-1) : null };
}

async function open(file) {
	stop();
	problem.hidden = true;
	try {
		const { header, all, end } = read(await file.text());
		await board.show(header.map_id);
		ticks = all;
		write('scenario', `${header.scenario_id}, seed ${header.seed}, ${header.run_id}`);
		write('lifecycle', end ? end.reason : 'no end');
		scrub.max = ticks.length - 1;
		scrub.disabled = play.disabled = false;
		show(0);
		scrub.focus();
	} catch (error) {
		problem.textContent = `${file.name}: ${error.message}`;
		problem.hidden = false;
	}
}

function show(tick) {
	const t = ticks[tick];
	scrub.value = tick;
	write('at', `${tick} / ${ticks.length - 1}`);
	write('tick', t.tick);
	write('casualties', t.casualties);
	write('lost', t.lost);
	fill('vehicles', engines(t.vehicles));
	fill('contacts', t.contacts.map(reported));
	fill('commands', t.commands.map((c) => [`${c.vehicle_id} → ${c.incident_id}`, c.rationale]));
	board.mark(t.houses);
	board.draw({ vehicles: t.vehicles, vision: 80 });
}

function stop() {
	clearInterval(timer);
	timer = undefined;
	play.textContent = 'Play';
}

play.addEventListener('click', () => {
	if (timer) return stop();
	if (Number(scrub.value) === ticks.length - 1) show(0);
	play.textContent = 'Pause';
	timer = setInterval(() => {
		if (Number(scrub.value) >= ticks.length - 1) return stop();
		show(Number(scrub.value) + 1);
	}, 250);
});
scrub.addEventListener('input', () => { stop(); show(Number(scrub.value)); });
document.getElementById('file').addEventListener('change', (event) => {
	if (event.target.files[0]) open(event.target.files[0]);
});
document.getElementById('controls').addEventListener('submit', (event) => event.preventDefault());
