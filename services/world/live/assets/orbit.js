// A camera that goes round a place, by mouse, touch, keyboard and buttons.

const steepest = Math.PI / 2 - 0.01;
const nearest = 4;
const farthest = 160;

const keys = {
  ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'higher', ArrowDown: 'lower', '+': 'closer', '=': 'closer', '-': 'farther',
  w: 'ahead', s: 'back', a: 'west', d: 'east', r: 'rise', f: 'sink', Home: 'home',
};

export class Orbit {
  /** changed is called when there is something new to draw. */
  constructor(canvas, changed) {
    this.changed = changed;
    this.still = matchMedia('(prefers-reduced-motion: reduce)');
    this.home = { x: 0, y: 64, z: 0, turn: 0.7, tilt: 0.6, far: 36 };
    this.want = { ...this.home };
    this.now = { ...this.home };
    this.last = null;
    this.touches = new Map();
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.touches.set(event.pointerId, event);
    });
    canvas.addEventListener('pointermove', (event) => this.drag(event));
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, (event) => this.touches.delete(event.pointerId));
    }
  }

  /** Makes a place the one that Home goes to, and goes there. */
  settle([x, y, z]) {
    Object.assign(this.home, { x: x + 0.5, y, z: z + 0.5 });
    Object.assign(this.now, this.home);
    this.go(this.home);
  }

  /** Goes to what is given of a place and a direction. */
  go(place) {
    const want = Object.assign(this.want, place);
    want.tilt = Math.min(Math.max(want.tilt, -steepest), steepest);
    want.far = Math.min(Math.max(want.far, nearest), farthest);
    if (this.still.matches) Object.assign(this.now, want);
    this.changed();
  }

  /** Does one step of what a key or a button means. */
  move(name) {
    const { want } = this;
    const step = want.far / 12;
    switch (name) {
      case 'left': return this.go({ turn: want.turn - 0.15 });
      case 'right': return this.go({ turn: want.turn + 0.15 });
      case 'higher': return this.go({ tilt: want.tilt + 0.1 });
      case 'lower': return this.go({ tilt: want.tilt - 0.1 });
      case 'closer': return this.go({ far: want.far / 1.2 });
      case 'farther': return this.go({ far: want.far * 1.2 });
      case 'ahead': return this.walk(0, step);
      case 'back': return this.walk(0, -step);
      case 'west': return this.walk(-step, 0);
      case 'east': return this.walk(step, 0);
      case 'rise': return this.go({ y: want.y + step });
      case 'sink': return this.go({ y: want.y - step });
      default: return this.go(this.home);
    }
  }

  /** Moves the place, as seen: to the right, and ahead. */
  walk(right, ahead) {
    const { x, z, turn } = this.want;
    const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
    this.go({ x: x + right * cos - ahead * sin, z: z - right * sin - ahead * cos });
  }

  key(event) {
    const name = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.move(name);
  }

  wheel(event) {
    event.preventDefault();
    this.go({ far: this.want.far * Math.exp(Math.sign(event.deltaY) * 0.12) });
  }

  drag(event) {
    const before = this.touches.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    const others = [...this.touches.values()].filter((touch) => touch.pointerId !== event.pointerId);
    this.touches.set(event.pointerId, event);
    if (others.length > 0) { // two fingers
      const apart = (touch) => Math.hypot(touch.clientX - others[0].clientX, touch.clientY - others[0].clientY);
      this.go({ far: this.want.far * apart(before) / Math.max(apart(event), 1) });
    } else if (event.shiftKey || event.buttons & 2) {
      this.walk(-dx * this.want.far / 500, dy * this.want.far / 500);
    } else {
      this.go({ turn: this.want.turn - dx / 200, tilt: this.want.tilt + dy / 200 });
    }
  }

  /** Puts a camera where it is at a time in milliseconds; reports whether it still moves. */
  place(camera, time) {
    const share = 1 - Math.exp(-Math.min(time - (this.last ?? time - 16), 100) / 80);
    let moving = false;
    for (const name of Object.keys(this.now)) {
      const rest = this.want[name] - this.now[name];
      const there = Math.abs(rest) < 0.002;
      this.now[name] = there ? this.want[name] : this.now[name] + rest * share;
      moving ||= !there;
    }
    this.last = moving ? time : null;
    const { x, y, z, turn, tilt, far } = this.now;
    const flat = far * Math.cos(tilt);
    camera.position.set(x + flat * Math.sin(turn), y + far * Math.sin(tilt), z + flat * Math.cos(turn));
    camera.lookAt(x, y, z);
    return moving;
  }
}
