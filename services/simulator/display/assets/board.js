// The board: the map as a picture whose houses change their class, and a canvas
// above it for what moves.

const tenths = (point) => [point.x * 10, point.y * 10];
const states = ['burning', 'collapsed', 'saved'];

/** Gets what an address gives, or fails with what is missing. */
async function get(address, missing) {
	const reply = await fetch(address);
	if (!reply.ok) throw new Error(missing);
	return reply;
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
		const at = `/api/v1/maps/${encodeURIComponent(mapID)}`;
		const missing = `there is no map ${mapID} here`;
		const [svg, buildings] = await Promise.all([
			get(`${at}/display.svg`, missing).then((r) => r.text()),
			get(`${at}/buildings.json`, missing).then((r) => r.json()),
		]);
		const picture = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
		this.canvas = document.createElement('canvas');
		this.canvas.setAttribute('aria-hidden', 'true'); // the lists beside it say the same
		this.scene = undefined;
		this.element.replaceChildren(document.importNode(picture, true), this.canvas);
		this.size = [buildings.width, buildings.height];
		this.element.style.setProperty('--ratio', buildings.width / buildings.height);
		this.points = buildings.buildings;
		this.changed.clear();
		this.mapID = mapID;
	}

	/** Gives houses their states, {id: 'burning' | 'collapsed' | 'saved'}; all others have none. */
	mark(houses) {
		for (const id of this.changed) if (!(id in houses)) this.state(id, '');
		for (const [id, state] of Object.entries(houses)) this.state(id, state);
	}

	state(id, state) {
		const house = this.element.querySelector(`#${CSS.escape(id)}`);
		if (!house) return;
		for (const name of states) house.classList.toggle(name, name === state);
		if (state) this.changed.add(id);
		else this.changed.delete(id);
	}

	/**
	 * Draws what moves or changes: vehicles with their views and ways, pending ways, places of
	 * reports, fires and their countdowns. Lengths on the ground are in tenths; signs have a size
	 * that can be read wherever the board is seen.
	 */
	draw(scene = this.scene) {
		this.scene = scene;
		if (!scene || !this.canvas) return;
		const width = this.element.clientWidth;
		const scale = width / this.size[0];
		const ratio = devicePixelRatio || 1;
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(this.size[1] * scale * ratio);
		const c = this.canvas.getContext('2d');
		c.setTransform(scale * ratio, 0, 0, scale * ratio, 0, 0);
		this.sign = Math.min(Math.max(width * 0.017, 13), 34) / scale; // height of a text
		const style = getComputedStyle(this.element);
		this.colour = (name) => style.getPropertyValue(`--${name}`).trim();
		for (const f of scene.fires) this.glow(c, f);
		for (const v of scene.vehicles) this.view(c, v, scene.vision * 10);
		for (const v of scene.vehicles) if (v.route) this.way(c, v.route.polyline, []);
		for (const p of scene.pending ?? []) this.way(c, p.route.polyline, [this.sign * 0.8, this.sign * 0.7]);
		for (const r of scene.reports ?? []) this.report(c, r);
		const taken = []; // by signs
		for (const v of scene.vehicles) this.truck(c, v, taken);
		for (const f of scene.countdowns ?? []) this.countdown(c, f, taken);
	}

	/** A house is small on the wall, so its fire shines. */
	glow(c, fire) {
		const point = this.points[fire.building_id];
		if (!point) return;
		c.beginPath();
		c.arc(...point, this.sign, 0, 2 * Math.PI);
		c.globalAlpha = 0.35;
		c.fillStyle = this.colour('fire');
		c.fill();
		c.globalAlpha = 1;
	}

	view(c, vehicle, radius) {
		c.beginPath();
		c.arc(...tenths(vehicle.position), radius, 0, 2 * Math.PI);
		c.globalAlpha = 0.1;
		c.fillStyle = c.strokeStyle = this.colour('engine');
		c.fill();
		c.globalAlpha = 0.55;
		c.lineWidth = 14;
		c.stroke();
		c.globalAlpha = 1;
	}

	way(c, points, dashes) {
		c.beginPath();
		points.forEach((p, i) => (i ? c.lineTo(...tenths(p)) : c.moveTo(...tenths(p))));
		c.setLineDash(dashes);
		c.lineWidth = this.sign * 0.25;
		c.lineCap = dashes.length ? 'butt' : 'round';
		c.lineJoin = 'round';
		c.strokeStyle = this.colour('engine');
		c.stroke();
		c.setLineDash([]);
	}

	/** A report is a diamond, which fades with the ticks. */
	report(c, { location, age }) {
		const at = location.kind === 'building_id' ? this.points[location.building_id] : tenths(location.point);
		if (!at) return;
		const [[x, y], r] = [at, this.sign * 0.75];
		c.beginPath();
		c.moveTo(x, y - r);
		c.lineTo(x + r, y);
		c.lineTo(x, y + r);
		c.lineTo(x - r, y);
		c.closePath();
		c.globalAlpha = Math.max(1 - age / 15, 0.3);
		c.lineWidth = this.sign * 0.17;
		c.strokeStyle = this.colour('report');
		c.stroke();
		c.globalAlpha = 1;
	}

	/** Engines at one place stand beside each other. */
	truck(c, vehicle, taken) {
		const [x0, y] = tenths(vehicle.position);
		const r = this.sign * 0.85;
		const boxes = [0, 1, -1, 2, -2, 3, -3].map((n) => ({ x: x0 + 2 * r * n, y, w: r, h: r }));
		const box = free(boxes, taken);
		c.beginPath();
		c.arc(box.x, y, this.sign * 0.75, 0, 2 * Math.PI);
		c.fillStyle = this.colour('engine');
		c.fill();
		c.lineWidth = this.sign * 0.12;
		c.strokeStyle = this.colour('panel');
		c.stroke();
		this.text(c, vehicle.vehicle_id.replace(/^\D+/, ''), box.x, y, this.colour('on'));
	}

	/** A countdown stands above its fire, or where there is room, and a line leads to it. */
	countdown(c, fire, taken) {
		const point = this.points[fire.building_id];
		if (!point) return;
		const label = brief(fire);
		const colour = this.colour(falls(fire) ? 'fire' : 'saved');
		c.font = this.font();
		const [w, h] = [c.measureText(label).width / 2 + this.sign * 0.35, this.sign * 0.7];
		const inside = (n, half, end) => Math.min(Math.max(n, half), end - half);
		const boxes = [-2, 2, -3.6, 3.6, -5.2, 5.2, -6.8, 6.8].flatMap((rows) => [0, 1.2, -1.2].map((columns) => ({
			x: inside(point[0] + columns * w, w, this.size[0]), y: inside(point[1] + rows * this.sign, h, this.size[1]), w, h,
		})));
		const { x, y } = free(boxes, taken);
		c.beginPath();
		c.moveTo(...point);
		c.lineTo(x, y);
		c.lineWidth = this.sign * 0.15;
		c.strokeStyle = c.fillStyle = colour;
		c.stroke();
		c.beginPath();
		c.roundRect(x - w, y - h, 2 * w, 2 * h, this.sign * 0.4);
		c.fill();
		this.text(c, label, x, y, this.colour('on'));
	}

	font() {
		return `700 ${this.sign}px system-ui, sans-serif`;
	}

	text(c, text, x, y, colour) {
		c.font = this.font();
		c.textAlign = 'center';
		c.textBaseline = 'middle';
		c.fillStyle = colour;
		c.fillText(text, x, y + this.sign * 0.05);
	}
}

/** The first of some boxes that is on none that is taken, or else the first; it is taken then. */
function free(boxes, taken) {
	const apart = (a, b) => Math.abs(a.x - b.x) >= a.w + b.w || Math.abs(a.y - b.y) >= a.h + b.h;
	const box = boxes.find((a) => taken.every((b) => apart(a, b))) ?? boxes[0];
	taken.push(box);
	return box;
}

/** Reports whether a fire wins, as things are. */
export const falls = (fire) => fire.ticks_to_collapse !== null;

/** The countdown of a fire: of what is to come to it. */
export const brief = (fire) => (falls(fire) ? `▼${fire.ticks_to_collapse}` : `✓${fire.ticks_to_extinguish}`);
