// Reads schematics with nucleation, a reader that we did not write, and turns
// them clockwise from above.
//
//   node nucleation.mjs FILE...
//
// prints one line a file: {"0": states, "90": states, "180": …, "270": …}, where
// states are {width, height, length, blocks}, blocks being all states in the
// order y, z, x.
import { readFileSync } from 'node:fs'
import { Schematic } from 'nucleation'

const state = ({ name, properties }) => {
  const list = properties.map(([key, value]) => `${key}=${value}`).sort().join(',')
  return list === '' ? name : `${name}[${list}]`
}

function states (schematic) {
  const all = JSON.parse(schematic.getAllBlocksJson())
  const size = axis => 1 + Math.max(...all.map(block => block[axis]))
  const width = size('x'), height = size('y'), length = size('z')
  const blocks = Array(width * height * length).fill('')
  for (const block of all) blocks[block.x + width * (block.z + length * block.y)] = state(block)
  if (all.length !== blocks.length || blocks.includes('')) {
    throw new Error(`${all.length} blocks in ${width} × ${height} × ${length} positions`)
  }
  return { width, height, length, blocks }
}

for (const file of process.argv.slice(2)) {
  const bytes = [...readFileSync(file)]
  const turned = {}
  for (const degrees of [0, 90, 180, 270]) {
    const schematic = Schematic.fromSchematic(bytes)
    if (degrees > 0) schematic.rotateY(degrees)
    turned[degrees] = states(schematic)
  }
  console.log(JSON.stringify(turned))
}
