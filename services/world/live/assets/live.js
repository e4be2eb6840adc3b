// The page of a world: what the server tells, in a picture and in words.

import { Columns, listen } from './feed.js';
import { news, show } from './lists.js';

const byId = (id) => document.getElementById(id);
const canvas = byId('canvas');
let picture, columns, status;

/** Says what is wrong; nothing where all is well. */
function problem(text = '') {
  byId('problem').hidden = text === '';
  byId('problem').textContent = text;
}

/** Makes the picture, unless the browser cannot draw it. */
async function begin({ view, home }) {
  try {
    const { Picture } = await import('./scene.js');
    picture = new Picture(canvas, byId('labels'), view, (x, z) => columns?.move(x, z));
    columns = new Columns(view, (x, z, bytes) => picture.column(x, z, bytes));
    picture.orbit.settle(home);
  } catch {
    picture = null;
    for (const id of ['board', 'controls', 'keys']) byId(id).hidden = true;
  }
}

/** What there is to say about the picture itself. */
const about = () => problem(picture ? '' : 'Your browser draws no WebGL, so there is no picture. The lists tell what happens.');

for (const button of document.querySelectorAll('[data-move]')) {
  button.addEventListener('click', () => picture?.orbit.move(button.dataset.move));
}
canvas.addEventListener('webglcontextlost', (event) => {
  event.preventDefault();
  problem('The picture was lost. It comes back by itself where the browser can, or when the page is loaded again.');
});
canvas.addEventListener('webglcontextrestored', about);

listen({
  hello: async (told) => {
    byId('about').textContent = `Java Edition ${told.version}, world ${told.world.slice(0, 8)}`;
    if (picture === undefined) await begin(told);
    else columns?.resync();
    about();
    if (status) update(status);
  },
  columns: (chunks) => columns?.changed(chunks),
  resync: () => columns?.resync(),
  status: update,
  gone: () => problem('The world cannot be reached. It is asked again; if it was started anew, open the link that it printed.'),
});

function update(told) {
  const before = status;
  status = told;
  if (picture === undefined) return; // hello shows it
  picture?.mark(told);
  show(told, picture ? (place) => picture.visit(place) : undefined);
  const said = before && news(before, told);
  if (said) byId('news').textContent = said;
}
