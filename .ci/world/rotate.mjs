// Turns block states with nucleation: one state a line comes in, its three turns
// by 90, 180 and 270 degrees go out on a line, with tabs between them.
import { createInterface } from 'node:readline'
import { Schematic } from 'nucleation'

for await (const state of createInterface({ input: process.stdin })) {
  const turns = [90, 180, 270].map(degrees => {
    const one = Schematic.create('one')
    one.setBlockFromString(0, 0, 0, state)
    one.rotateY(degrees)
    return one.getBlockString(0, 0, 0)
  })
  process.stdout.write(turns.join('\t') + '\n')
}
