// The panel beside the board: what it shows, in words.

import { falls } from './board.js';

/** Writes a text into the element of an id. */
export function write(id, text) {
	document.getElementById(id).textContent = text;
}

/** Writes a count that is better at zero. */
export function count(id, n) {
	write(id, n);
	document.getElementById(id).classList.toggle('bad', n > 0);
}

/** Makes an item of a list: {id, text, what, fresh}. */
function item({ id, text, what, fresh }) {
	const li = document.createElement('li');
	if (id) li.dataset.id = id;
	if (fresh) li.className = 'new';
	li.append(text);
	if (what) {
		const more = document.createElement('span');
		more.className = 'what';
		more.textContent = ` ${what}`;
		li.append(more);
	}
	return li;
}

/** Replaces the items of a list; where there are none, it says so. */
export function fill(id, items) {
	const list = document.getElementById(id);
	list.replaceChildren(...items.map(item));
	if (items.length > 0) return;
	const none = item({ text: 'none' });
	none.className = 'none';
	list.append(none);
}

const ticks = (n) => (n === 1 ? '1 tick' : `${n} ticks`);

/** The vehicles as items, with the orders that wait for the next tick. */
export function engines(vehicles, pending = []) {
	return vehicles.map((v) => {
		const order = pending.find((p) => p.vehicle_id === v.vehicle_id);
		const parts = [v.route ? `${v.status}, ${ticks(v.route.eta_ticks)} to go` : v.status];
		if (v.incident_id !== null) parts.push(v.incident_id);
		if (order) parts.push(`ordered: ${order.incident_id}, ${ticks(order.route.eta_ticks)}`);
		return { id: v.vehicle_id, text: v.label, what: parts.join(' · ') };
	});
}

/** Fires as items: {building_id, people, eta}, where people and eta may be unknown. */
export function fires(list, unseen = 'no engine sees it') {
	return list.map(({ building_id, people, eta }) => {
		const parts = [];
		if (eta) parts.push(falls(eta) ? `falls in ${ticks(eta.ticks_to_collapse)}` : `out in ${ticks(eta.ticks_to_extinguish)}`);
		else if (unseen) parts.push(unseen);
		if (people !== undefined) parts.push(`${people} inside`);
		return { id: building_id, text: building_id, what: parts.join(' · ') };
	});
}

/** A report as an item; what is true of it, if that may be known, stands at its end. */
export function reported(contact, { fresh = false, truth } = {}) {
	const at = contact.reported_location;
	const place = at.kind === 'building_id' ? at.building_id : `${at.point.x}, ${at.point.y}`;
	const claim = contact.payload?.claim ?? contact.claim;
	const text = contact.payload?.text ?? contact.text ?? claimed(claim);
	const source = contact.source_type === 'automatic_alarm' ? 'alarm' : 'call';
	const parts = [`tick ${contact.delivered_at}`, source, place];
	if (truth) parts.push(`in truth: ${truth}`);
	return { id: contact.contact_id, text, what: parts.join(' · '), fresh };
}

/** What a structured report says. */
function claimed(claim) {
	const words = [claim.incident_type === 'unknown' ? 'unclear' : claim.incident_type === 'none' ? 'no fire' : 'fire'];
	if (claim.severity) words.push(claim.severity.value);
	if (claim.headcount?.value > 0) words.push(`${claim.headcount.value} people`);
	return words.join(', ');
}

const signs = [
	['burning', 'burning', '<rect class="burning" x="6" y="2" width="12" height="12"/>'],
	['collapsed', 'collapsed', '<rect class="collapsed" x="6" y="2" width="12" height="12"/>'],
	['saved', 'saved', '<rect class="saved" x="6" y="2" width="12" height="12"/>'],
	['report', 'reported', '<path class="report" d="M12 2 18 8 12 14 6 8Z"/>'],
	['engine', 'engine and its view', '<circle class="engine" cx="12" cy="8" r="6"/>'],
	['way', 'on its way', '<path class="way" d="M0 8H24"/>'],
	['ordered', 'ordered', '<path class="ordered" d="M0 8H24"/>'],
];

/** Fills the legend with the signs of these names. */
export function legend(...names) {
	const items = signs.filter(([name]) => names.includes(name)).map(([, text, picture]) => {
		const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 16" aria-hidden="true">${picture}</svg>`;
		const li = document.createElement('li');
		li.append(document.importNode(new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, true), text);
		return li;
	});
	document.getElementById('legend').replaceChildren(...items);
}

/** Shows a problem, or that there is none. */
export function problem(text) {
	const element = document.getElementById('problem');
	element.textContent = text ?? '';
	element.hidden = !text;
}
