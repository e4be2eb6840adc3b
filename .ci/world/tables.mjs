// Makes the tables of services/world/blocks/data from minecraft-data, which
// half a gigabyte need not be there to build or to run anything.
//
//   node tables.mjs FOLDER
//
// writes FOLDER/VERSION/blocks.txt for each version. How the lines read is
// told in services/world/blocks/table.go.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import minecraftData from 'minecraft-data'

const versions = ['1.20.2', '1.21.4']
const whole = 32 // the unit of boxes is 1/32 of a block

// Numbers distinct values in the order in which they come.
class Numbers {
  lines = []
  #known = new Map()
  of (line) {
    if (!this.#known.has(line)) {
      this.#known.set(line, this.lines.length)
      this.lines.push(line)
    }
    return this.#known.get(line)
  }
}

const must = (holds, what) => { if (!holds) throw new Error(what) }

function boxes (shape, block) {
  return shape.map(box => box.map(v => {
    must(Number.isInteger(v * whole), `${block}: a box ends at ${v}`)
    return v * whole
  }).join(',')).join(' ')
}

// 3,3,3,0 is written 3*3,0.
function runs (numbers) {
  const out = []
  for (let i = 0; i < numbers.length;) {
    let end = i
    while (end < numbers.length && numbers[end] === numbers[i]) end++
    out.push(end - i === 1 ? `${numbers[i]}` : `${numbers[i]}*${end - i}`)
    i = end
  }
  return out.join(',')
}

function property (p, block) {
  const values = p.type === 'bool' ? ['true', 'false'] : p.values
  must(values.length === p.num_values, `${block}: values of ${p.name}`)
  return `${p.name}=${values.join(',')}`
}

function table (version) {
  const data = minecraftData(version)
  const shapes = new Numbers()
  const forms = new Numbers()
  const blocks = []
  let next = 0
  for (const b of [...data.blocksArray].sort((a, b) => a.minStateId - b.minStateId)) {
    const count = b.maxStateId - b.minStateId + 1
    must(b.minStateId === next, `${b.name}: ids begin at ${b.minStateId}, not ${next}`)
    must(count === b.states.reduce((n, p) => n * p.num_values, 1), `${b.name}: ${count} states`)
    const names = b.states.map(p => p.name)
    must(names.join() === [...names].sort().join(), `${b.name}: properties are not sorted`)
    next += count

    const collision = data.blockCollisionShapes.blocks[b.name]
    must(collision !== undefined, `${b.name}: no shape`)
    const each = Array.isArray(collision) ? collision : Array(count).fill(collision)
    must(each.length === count, `${b.name}: ${each.length} shapes`)
    const numbers = each.map(n => shapes.of(boxes(data.blockCollisionShapes.shapes[n], b.name)))
    const form = forms.of(numbers.every(n => n === numbers[0]) ? `${numbers[0]}` : runs(numbers))
    blocks.push(['block', b.name, b.defaultState - b.minStateId, form, ...b.states.map(p => property(p, b.name))].join(' '))
  }
  return [
    `version ${version} ${data.version.dataVersion} ${data.version.version}`,
    ...shapes.lines.map(line => `shape ${line}`.trimEnd()),
    ...forms.lines.map(line => `form ${line}`),
    ...blocks
  ].join('\n') + '\n'
}

const folder = process.argv[2]
must(folder, 'usage: node tables.mjs FOLDER')
for (const version of versions) {
  mkdirSync(join(folder, version), { recursive: true })
  writeFileSync(join(folder, version, 'blocks.txt'), table(version))
}
