// The picture: chunks, players, and the boxes of operations and conflicts.

import {
  BoxGeometry, Color, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PerspectiveCamera,
  Scene, Vector2, Vector3, WebGLRenderer,
} from './three/three.module.min.js';
import { materials, meshes } from './faces.js';
import { Orbit } from './orbit.js';

const cube = new BoxGeometry(1, 1, 1);
const edges = new EdgesGeometry(cube);

export class Picture {
  /** moved is given the chunk that is looked at. */
  constructor(canvas, labels, view, moved) {
    this.canvas = canvas;
    this.labels = labels;
    this.moved = moved;
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.camera = new PerspectiveCamera(55, 1, 0.5, 1000);
    this.scene = new Scene();
    this.uniforms = { fog: { value: new Color() }, view: { value: view * 16 }, middle: { value: new Vector2() } };
    this.materials = materials(this.uniforms);
    this.chunks = new Map();
    this.markers = new Group();
    this.frames = new Group();
    this.scene.add(this.markers, this.frames);
    this.orbit = new Orbit(canvas, () => this.draw());
    this.pending = false;
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
    canvas.addEventListener('webglcontextrestored', () => this.draw());
    this.paint();
    this.fit();
  }

  fit() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /** Takes the colours of the page. */
  paint() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => new Color().setStyle(style.getPropertyValue(`--${name}`).trim());
    this.colours = { player: colour('player'), running: colour('running'), conflict: colour('conflict') };
    this.scene.background = colour('sky');
    this.uniforms.fog.value = colour('fog').convertLinearToSRGB(); // as the shader's colours are
    this.mark(this.status ?? { players: [], operations: [] });
  }

  /** Shows a chunk's bytes, or takes it away. */
  column(x, z, bytes) {
    const key = `${x},${z}`;
    for (const mesh of this.chunks.get(key) ?? []) {
      this.scene.remove(mesh);
      mesh.geometry.dispose();
    }
    this.chunks.delete(key);
    if (bytes?.byteLength) {
      const made = meshes(bytes, this.materials);
      this.chunks.set(key, made);
      this.scene.add(...made);
    }
    this.canvas.dataset.chunks = this.chunks.size;
    this.draw();
  }

  /** Shows where players, running operations and conflicts are. */
  mark(status) {
    this.status = status;
    for (const group of [this.markers, this.frames]) {
      for (const child of group.children) child.material.dispose();
      group.clear();
    }
    this.labels.replaceChildren();
    for (const { name, feet: [x, y, z] } of status.players) {
      const marker = new Mesh(cube, new MeshBasicMaterial({ color: this.colours.player }));
      marker.scale.set(0.6, 1.8, 0.6);
      marker.position.set(x, y + 0.9, z);
      marker.userData.label = document.createElement('span');
      marker.userData.label.textContent = name;
      this.labels.append(marker.userData.label);
      this.markers.add(marker);
    }
    for (const o of status.operations) {
      if (['queued', 'applying', 'recovery_required'].includes(o.status)) this.frame(o.min, o.max, this.colours.running);
      for (const c of o.sample) this.frame(c.at, c.at, this.colours.conflict);
    }
    this.draw();
  }

  frame(min, max, color) {
    const frame = new LineSegments(edges, new LineBasicMaterial({ color, depthTest: false, transparent: true }));
    const size = max.map((v, i) => v - min[i] + 1.04);
    frame.scale.set(...size);
    frame.position.set(...min.map((v, i) => v - 0.02 + size[i] / 2));
    frame.renderOrder = 1;
    this.frames.add(frame);
  }

  /** Looks at a place. */
  visit([x, y, z]) {
    this.orbit.go({ x, y, z, far: Math.min(this.orbit.want.far, 24) });
  }

  /** Draws once, soon; again as long as the camera moves. */
  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame((time) => {
      this.pending = false;
      this.render(time);
    });
  }

  render(time) {
    const moving = this.orbit.place(this.camera, time);
    const { x, z } = this.orbit.now;
    this.moved(Math.floor(x / 16), Math.floor(z / 16));
    this.uniforms.middle.value.set(x, z);
    this.renderer.render(this.scene, this.camera);
    this.name();
    if (moving) this.draw();
  }

  /** Puts names above players. */
  name() {
    const { clientWidth, clientHeight } = this.canvas;
    const at = new Vector3();
    for (const { position, userData: { label } } of this.markers.children) {
      at.copy(position).setY(position.y + 1.3).project(this.camera);
      label.hidden = at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1;
      const [x, y] = [(at.x + 1) / 2 * clientWidth, (1 - at.y) / 2 * clientHeight];
      label.style.transform = `translate(${x}px, ${y}px) translate(-50%, -100%)`;
    }
  }
}
