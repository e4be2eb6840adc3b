// Reads schematics with prismarine-schematic, a reader that we did not write.
//
//   node prismarine-schematic.mjs FILE...
//
// prints one line a file: {version, size: [x, y, z], offset: [x, y, z], ids},
// where ids are the game's numbers of all states in the order y, z, x.
import { readFileSync } from 'node:fs'
import prismarine from 'prismarine-schematic'

for (const file of process.argv.slice(2)) {
  const { version, size, offset, palette, blocks } = await prismarine.Schematic.read(readFileSync(file))
  console.log(JSON.stringify({ version, size: size.toArray(), offset: offset.toArray(), ids: blocks.map(i => palette[i]) }))
}
