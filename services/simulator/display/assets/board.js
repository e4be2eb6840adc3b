// The board: the map as a picture whose houses change their class, and a canvas
// above it for what moves.

const tenths = (point) => [point.x * 10, point.y * 10];

/** Replaces the items of a list by texts, or by [text, more] pairs. */
export function fill(id, items) {
	const list = document.getElementById(id);
	list.replaceChildren(...items.map((item) => {
		const [text, more] = Array.isArray(item) ? item : [item];
		const li = document.createElement('li');
		li.append(text);
		if (more) {
			const what = document.createElement('span');
			what.className = 'what';
			what.textContent = ` ${more}`;
			li.append(what);
		}
		return li;
	}));
}

/** Writes a text into the element of an id. */
export function write(id, text) {
	document.getElementById(id).textContent = text;
}

/** What a report says, in a line. */
export function reported(contact) {
	const at = contact.reported_location;
	const place = at.kind === 'building_id' ? at.building_id : `${at.point.x}, ${at.point.y}`;
	const said = contact.payload?.text ?? contact.text;
	const claim = contact.payload?.claim ?? contact.claim;
	const what = said ?? [claim?.incident_type, claim?.severity?.value].filter(Boolean).join(', ');
	return [what, `${contact.source_type === 'automatic_alarm' ? 'alarm' : 'call'} · ${place}`];
}

export class Board {
	constructor(element) {
		this.element = element;
		this.mapID = null;
		this.changed = new Set(); // houses that have another class than on an empty map
		new ResizeObserver(() => this.draw()).observe(element);
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
	}

	/** Loads a map, unless it is there already. */
	async show(mapID) {
		if (this.mapID === mapID) return;
		const [svg, buildings] = await Promise.all([
			fetch(`/api/v1/maps/${mapID}/display.svg`).then((r) => r.text()),
			fetch(`/api/v1/maps/${mapID}/buildings.json`).then((r) => r.json()),
		]);
		const picture = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
		this.canvas = document.createElement('canvas');
		this.element.replaceChildren(document.importNode(picture, true), this.canvas);
		this.size = [buildings.width, buildings.height];
		this.points = buildings.buildings;
		this.changed.clear();
		this.mapID = mapID;
	}

	/** Gives houses their states, {id: 'burning' | 'collapsed' | 'saved'}; all others have none. */
	mark(states) {
		for (const id of this.changed) if (!(id in states)) this.state(id, '');
		for (const [id, state] of Object.entries(states)) this.state(id, state);
	}

	state(id, state) {
		const house = this.element.querySelector(`#${CSS.escape(id)}`);
		if (!house) return;
		house.classList.remove('burning', 'collapsed', 'saved');
		if (state) house.classList.add(state);
		if (state) this.changed.add(id);
		else this.changed.delete(id);
	}

	/** Draws what moves: vehicles with their views and ways, pending ways, countdowns. */
	draw(scene = this.scene) {
		this.scene = scene;
		if (!scene || !this.canvas) return;
		const scale = this.element.clientWidth / this.size[0];
		const ratio = devicePixelRatio || 1;
		this.canvas.width = this.element.clientWidth * ratio;
		this.canvas.height = this.size[1] * scale * ratio;
		const c = this.canvas.getContext('2d');
		c.setTransform(scale * ratio, 0, 0, scale * ratio, 0, 0);
		const colour = (name) => getComputedStyle(this.element).getPropertyValue(name).trim();
		for (const v of scene.vehicles) this.view(c, v, scene.vision * 10, colour('--view'));
		for (const v of scene.vehicles) if (v.route) this.way(c, v.route.polyline, colour('--way'), []);
		for (const p of scene.pending ?? []) this.way(c, p.route.polyline, colour('--way'), [90, 70]);
		for (const f of scene.countdowns ?? []) this.countdown(c, f, colour('--ink'), colour('--panel'));
		for (const v of scene.vehicles) this.truck(c, v, colour('--engine'), colour('--panel'));
	}

	view(c, vehicle, radius, colour) {
		c.beginPath();
		c.arc(...tenths(vehicle.position), radius, 0, 2 * Math.PI);
		c.globalAlpha = 0.12;
		c.fillStyle = colour;
		c.fill();
		c.globalAlpha = 0.5;
		c.lineWidth = 12;
		c.strokeStyle = colour;
		c.stroke();
		c.globalAlpha = 1;
	}

	way(c, points, colour, dashes) {
		c.beginPath();
		points.forEach((p, i) => (i ? c.lineTo(...tenths(p)) : c.moveTo(...tenths(p))));
		c.setLineDash(dashes);
		c.lineWidth = 28;
		c.lineCap = 'round';
		c.lineJoin = 'round';
		c.strokeStyle = colour;
		c.globalAlpha = 0.75;
		c.stroke();
		c.setLineDash([]);
		c.globalAlpha = 1;
	}

	truck(c, vehicle, colour, edge) {
		const [x, y] = tenths(vehicle.position);
		c.beginPath();
		c.arc(x, y, 95, 0, 2 * Math.PI);
		c.fillStyle = colour;
		c.fill();
		c.lineWidth = 24;
		c.strokeStyle = edge;
		c.stroke();
		this.text(c, vehicle.vehicle_id.replace(/^\D+/, ''), x, y, 130, edge);
	}

	countdown(c, fire, ink, ground) {
		const point = this.points[fire.building_id];
		if (!point) return;
		const falls = fire.ticks_to_collapse !== null;
		const label = falls ? `▼${fire.ticks_to_collapse}` : `✓${fire.ticks_to_extinguish}`;
		const [x, y] = [point[0], point[1] - 150];
		c.font = '600 120px system-ui';
		const width = c.measureText(label).width + 70;
		c.fillStyle = ground;
		c.globalAlpha = 0.9;
		c.beginPath();
		c.roundRect(x - width / 2, y - 85, width, 170, 50);
		c.fill();
		c.globalAlpha = 1;
		this.text(c, label, x, y, 120, ink);
	}

	text(c, text, x, y, size, colour) {
		c.font = `600 ${size}px system-ui`;
		c.textAlign = 'center';
		c.textBaseline = 'middle';
		c.fillStyle = colour;
		c.fillText(text, x, y + size * 0.04);
	}
}

/** The vehicles as items of a list. */
export function engines(vehicles) {
	return vehicles.map((v) => {
		const eta = v.route ? `, ${v.route.eta_ticks} ticks to go` : '';
		const why = v.incident_id === null ? '' : ` · ${v.incident_id}`;
		return [v.label, `${v.status}${eta}${why}`];
	});
}
