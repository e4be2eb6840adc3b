// Faces as the server sends them, made into what a graphics card draws. Each is
// one instance of a square: two corners and a colour.

import {
  BufferAttribute, DoubleSide, InstancedBufferGeometry, InstancedInterleavedBuffer, InterleavedBufferAttribute, Mesh,
  ShaderMaterial, Sphere, Vector3,
} from './three/three.module.min.js';

const vertex = `
attribute vec3 low, high;
attribute vec2 tint;
uniform vec2 middle;
varying vec3 colour, within, across;
varying float alpha, far;
void main() {
  float side = floor(low.x / 4096.0), axis = floor(side / 2.0);
  bool positive = mod(side, 2.0) > 0.5;
  vec3 from = vec3(low.x - side * 4096.0, low.yz) / 32.0, to = high / 32.0;
  vec2 corner = position.xy;
  if (positive == (axis < 1.5)) corner.x = 1.0 - corner.x; // so that it is seen from outside
  within = mix(from, to, axis < 0.5 ? corner.xyx : axis < 1.5 ? corner.xxy : corner.xyy);
  across = axis < 0.5 ? vec3(0, 1, 1) : axis < 1.5 ? vec3(1, 0, 1) : vec3(1, 1, 0);
  float light = axis < 0.5 ? 0.80 : axis > 1.5 ? 0.90 : positive ? 1.0 : 0.62;
  vec2 high8 = floor(tint / 256.0), low8 = tint - high8 * 256.0;
  colour = vec3(high8.x, low8.x, high8.y) / 255.0 * light;
  alpha = low8.y / 255.0;
  far = distance((modelMatrix * vec4(within, 1.0)).xz, middle);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(within, 1.0);
}`;

const fragment = `
uniform vec3 fog;
uniform float view;
varying vec3 colour, within, across;
varying float alpha, far;
void main() {
  vec3 part = fract(within), wide = fwidth(within);
  vec3 near = mix(vec3(1.0), smoothstep(vec3(0.0), vec3(0.02) + wide, min(part, 1.0 - part)), across);
  float line = mix(0.9, 1.0, min(near.x, min(near.y, near.z)));
  line = mix(line, 1.0, smoothstep(0.1, 0.35, max(wide.x, max(wide.y, wide.z)))); // too small to be told apart
  gl_FragColor = vec4(mix(colour * line, fog, smoothstep(0.6, 1.0, far / view)), alpha);
}`;

const square = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
const corners = new Uint16Array([0, 1, 2, 0, 2, 3]);
const ball = new Sphere(new Vector3(8, 8, 8), 14);

/** The two materials, opaque and clear, of the same uniforms. */
export function materials(uniforms) {
  const shaders = { uniforms, vertexShader: vertex, fragmentShader: fragment };
  return [
    new ShaderMaterial(shaders),
    new ShaderMaterial({ ...shaders, transparent: true, depthWrite: false, side: DoubleSide }),
  ];
}

/** The meshes of a chunk's bytes, as mesh.Encode of the server writes them. */
export function meshes(bytes, [opaque, clear]) {
  const read = new DataView(bytes);
  const [x, z, sections] = [read.getInt32(0, true), read.getInt32(4, true), read.getUint32(8, true)];
  const made = [];
  let at = 24;
  for (let i = 0; i < sections; i++) {
    const y = read.getInt32(at, true);
    const counts = [[read.getUint32(at + 4, true), opaque], [read.getUint32(at + 8, true), clear]];
    at += 16;
    for (const [count, material] of counts) {
      if (count === 0) continue;
      const mesh = new Mesh(faces(new Uint16Array(bytes, at, count * 8), count), material);
      mesh.position.set(x * 16, y, z * 16);
      made.push(mesh);
      at += count * 16;
    }
  }
  return made;
}

function faces(numbers, count) {
  const buffer = new InstancedInterleavedBuffer(numbers, 8);
  const geometry = new InstancedBufferGeometry();
  geometry.instanceCount = count;
  geometry.setIndex(new BufferAttribute(corners, 1)); // not shared: disposing of one geometry takes its buffers away
  geometry.setAttribute('position', new BufferAttribute(square, 3));
  geometry.setAttribute('low', new InterleavedBufferAttribute(buffer, 3, 0));
  geometry.setAttribute('high', new InterleavedBufferAttribute(buffer, 3, 3));
  geometry.setAttribute('tint', new InterleavedBufferAttribute(buffer, 2, 6));
  geometry.boundingSphere = ball;
  return geometry;
}
