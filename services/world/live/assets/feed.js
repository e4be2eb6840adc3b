// What the server tells: events, and the chunks that are looked at.

const most = 4; // chunks asked for at once

/** Listens to the server; on holds what is done with each kind of event, and with its being gone. */
export function listen(on) {
  const source = new EventSource('/api/v1/events');
  for (const kind of ['hello', 'columns', 'resync', 'status']) {
    source.addEventListener(kind, (event) => on[kind](JSON.parse(event.data)));
  }
  source.addEventListener('error', () => {
    on.gone();
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries again
    source.close();
    setTimeout(() => listen(on), 3000);
  });
}

/** The chunks within view of a place, the nearest first, kept as they change. */
export class Columns {
  /** show is given a chunk's x, z and its bytes; null where it is not shown. */
  constructor(view, show) {
    this.view = view;
    this.show = show;
    this.stale = new Map(); // that are to be asked for: key → [x, z]
    this.shown = new Map(); // that have been asked for: key → [x, z]
    this.asking = new Set();
    this.middle = null;
  }

  /** Moves the view to a chunk. */
  move(x, z) {
    if (this.middle && this.middle[0] === x && this.middle[1] === z) return;
    this.middle = [x, z];
    const { view } = this;
    for (let dz = -view; dz <= view; dz++) {
      for (let dx = -view; dx <= view; dx++) {
        if (Math.hypot(dx, dz) > view + 0.5) continue;
        const key = `${x + dx},${z + dz}`;
        if (!this.shown.has(key)) this.stale.set(key, [x + dx, z + dz]);
      }
    }
    for (const chunks of [this.stale, this.shown]) {
      for (const [key, at] of chunks) {
        if (this.far(at) <= view + 2) continue;
        chunks.delete(key);
        this.show(...at, null);
      }
    }
    this.ask();
  }

  far([x, z]) {
    return Math.hypot(x - this.middle[0], z - this.middle[1]);
  }

  /** Asks again for those among chunks that are shown. */
  changed(chunks) {
    for (const at of chunks) {
      const key = `${at[0]},${at[1]}`;
      if (this.shown.has(key)) this.stale.set(key, at);
    }
    this.ask();
  }

  /** Asks again for all. */
  resync() {
    this.changed([...this.shown.values()]);
  }

  ask() {
    const next = [...this.stale].filter(([key]) => !this.asking.has(key)).sort(([, a], [, b]) => this.far(a) - this.far(b));
    for (const [key, at] of next.slice(0, most - this.asking.size)) {
      this.stale.delete(key);
      this.shown.set(key, at);
      this.asking.add(key);
      this.fetch(key, at).finally(() => {
        this.asking.delete(key);
        this.ask();
      });
    }
  }

  async fetch(key, [x, z]) {
    try {
      const answer = await fetch(`/api/v1/columns/${x}/${z}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const bytes = await answer.arrayBuffer();
      if (this.shown.has(key)) this.show(x, z, bytes);
    } catch {
      await new Promise((resume) => { setTimeout(resume, 1000); });
      if (this.shown.has(key)) this.stale.set(key, [x, z]);
    }
  }
}
