// The same in words: players, operations and conflicts, for everybody.

const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

/**
 * Fills a list with items {key, text, progress, place, label}; elements that are
 * there stay, and so does the focus. visit is called with the place of the item
 * whose button is pressed, if there is anything to show it on.
 */
function fill(list, items, none, visit) {
  const before = new Map([...list.children].map((li) => [li.dataset.key, li]));
  const after = items.map((item) => {
    const li = before.get(item.key) ?? row(item, visit);
    update(li, item);
    return li;
  });
  if (after.length === 0) {
    const li = before.get('') ?? Object.assign(element('li', none), { className: 'none' });
    li.dataset.key = '';
    after.push(li);
  }
  if (after.length !== list.children.length || after.some((li, i) => list.children[i] !== li)) {
    const { activeElement } = document;
    list.replaceChildren(...after);
    if (list.contains(activeElement)) activeElement.focus();
  }
}

function row({ key, progress }, visit) {
  const li = element('li', '');
  li.dataset.key = key;
  li.append(element('p', ''));
  if (visit) {
    const button = Object.assign(element('button', 'Show'), { type: 'button' });
    button.addEventListener('click', () => visit(JSON.parse(li.dataset.place)));
    li.append(button);
  }
  if (progress) li.append(element('progress', ''));
  return li;
}

function update(li, { text, label, place, progress }) {
  const [words, bar] = [li.querySelector('p'), li.querySelector('progress')];
  if (words.textContent !== text) words.textContent = text;
  li.dataset.place = JSON.stringify(place);
  li.querySelector('button')?.setAttribute('aria-label', `Show ${label}`);
  if (bar) {
    [bar.max, bar.value] = [Math.max(progress.max, 1), progress.value];
    bar.setAttribute('aria-label', `Blocks of ${label}`);
  }
}

const coordinates = (at) => at.map((v) => Math.floor(v)).join(' ');
const title = (o) => `${o.kind} ${o.id.slice(0, 8)}`;
const words = (o) => (o.paused ? `${o.status}, paused` : o.status).replaceAll('_', ' ');

/** Shows a status; visit may be missing where there is no picture. */
export function show(status, visit) {
  const byId = (id) => document.getElementById(id);
  fill(byId('players'), status.players.map(({ id, name, feet }) => ({
    key: id, text: `${name} at ${coordinates(feet)}`, label: name, place: feet,
  })), 'Nobody is in.', visit);
  byId('more').hidden = status.more_players === 0;
  byId('more').textContent = `and ${status.more_players} more`;
  fill(byId('operations'), status.operations.map((o) => ({
    key: o.id, label: title(o), progress: { value: o.written, max: o.total },
    place: o.min.map((v, i) => (v + o.max[i] + 1) / 2),
    text: `${title(o)} in ${o.project}: ${words(o)}, ${o.written} of ${o.total} blocks`
      + `${o.conflicts ? `, ${o.conflicts} left alone` : ''}${o.reason ? `. ${o.reason}` : ''}`,
  })), 'None yet.', visit);
  const conflicts = status.operations.flatMap((o) => o.sample.map(({ at, expected, actual }) => ({
    key: `${o.id} ${at}`, label: `conflict at ${coordinates(at)}`, place: at.map((v) => v + 0.5),
    text: `${coordinates(at)}: ${actual} instead of ${expected}, left alone by ${title(o)}`,
  })));
  fill(byId('conflicts'), conflicts, 'None.', visit);
  byId('trouble').hidden = !status.problem;
  byId('trouble').textContent = status.problem;
}

/** What is worth being said aloud of a status after another. */
export function news(before, after) {
  const said = [];
  const names = (status) => new Map(status.players.map(({ id, name }) => [id, name]));
  const [were, are] = [names(before), names(after)];
  for (const [id, name] of are) if (!were.has(id)) said.push(`${name} came in.`);
  for (const [id, name] of were) if (!are.has(id)) said.push(`${name} left.`);
  const known = new Map(before.operations.map((o) => [o.id, words(o)]));
  for (const o of after.operations) if (known.get(o.id) !== words(o)) said.push(`${title(o)}: ${words(o)}.`);
  return said.slice(0, 4).join(' ');
}
