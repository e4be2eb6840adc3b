// The replay page: the log of a run, read in the browser, tick by tick.

import { Board } from './board.js';
import { readLog } from './log.js';
import { count, engines, fill, fires, legend, problem, reported, write } from './panel.js';

const board = new Board(document.getElementById('board'));
const scrub = document.getElementById('scrub');
const play = document.getElementById('play');
const speed = document.getElementById('speed');
const vision = 80; // units, as far as an engine sees
let ticks = []; // what is to be drawn, by tick
let timer;

async function open(file) {
	stop();
	problem();
	try {
		const log = await readLog(file);
		await board.show(log.header.map_id);
		begin(log);
	} catch (error) {
		problem(`${file.name} cannot be shown: ${error.message}.`);
	}
}

function begin({ header, ticks: all, end, whole }) {
	ticks = all;
	document.getElementById('lobby').hidden = true;
	legend('burning', 'collapsed', 'saved', 'report', 'engine', 'way');
	write('scenario', `${header.scenario_id} · seed ${header.seed} · ${header.run_id}`);
	write('lifecycle', end ? end.reason : 'no end');
	if (!whole) problem('The last line is not complete: the run goes on, or was cut off. The lines before it are shown.');
	scrub.max = ticks.length - 1;
	scrub.disabled = play.disabled = false;
	show(0);
	scrub.focus();
}

function show(tick) {
	const t = ticks[tick];
	scrub.value = tick;
	scrub.setAttribute('aria-valuetext', `tick ${tick} of ${ticks.length - 1}`);
	write('at', `${tick} / ${ticks.length - 1}`);
	write('tick', t.tick);
	count('casualties', t.casualties);
	count('lost', t.lost);
	fill('vehicles', engines(t.vehicles));
	fill('fires', fires(t.fires, ''));
	fill('commands', t.commands.map((c) => ({
		id: c.command_id, text: `${c.vehicle_id} → ${c.incident_id}`, what: `tick ${c.tick} · ${c.rationale}`, fresh: c.tick === t.tick,
	})));
	fill('contacts', t.reports.map((c) => reported(c, { fresh: c.delivered_at === t.tick, truth: c.truth?.kind })));
	board.mark(t.houses);
	const reports = t.reports.map((c) => ({ location: c.reported_location, age: t.tick - c.delivered_at }));
	board.draw({ vehicles: t.vehicles, vision, fires: t.fires, reports: reports.filter((r) => r.age < 15) });
	document.body.dataset.tick = tick; // it is on the screen
}

function start() {
	if (Number(scrub.value) === ticks.length - 1) show(0);
	play.textContent = 'Pause';
	timer = setInterval(() => {
		if (Number(scrub.value) >= ticks.length - 1) return stop();
		show(Number(scrub.value) + 1);
	}, Number(speed.value));
}

function stop() {
	clearInterval(timer);
	timer = undefined;
	play.textContent = 'Play';
}

play.addEventListener('click', () => (timer ? stop() : start()));
speed.addEventListener('change', () => {
	if (!timer) return;
	stop();
	start();
});
scrub.addEventListener('input', () => { stop(); show(Number(scrub.value)); });
document.getElementById('file').addEventListener('change', (event) => {
	if (event.target.files[0]) open(event.target.files[0]);
});
document.getElementById('controls').addEventListener('submit', (event) => event.preventDefault());
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
	event.preventDefault();
	if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
});
