// Reads and writes worlds of 1.20.2 with prismarine-provider-anvil, an owner of
// region files that we did not write.
//
//   node anvil.mjs read REGION X,Z...
//
// prints one line a chunk: the game's numbers of all its states, in the order y,
// z, x from the bottom, as an array for each section of 16 layers.
//
//   node anvil.mjs states REGION EACH
//
// writes every state there is, EACH in a section and 24 sections in a chunk,
// from chunk 0,0 to the east; the rest of each section is air.
//
//   node anvil.mjs world FOLDER X,Z...
//
// makes a world of these chunks with something of everything: biomes, block
// entities, ticks, structures, heights, light, entities, and tags that nobody
// knows.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import minecraftData from 'minecraft-data'
import prismarineChunk from 'prismarine-chunk'
import nbt from 'prismarine-nbt'
import provider from 'prismarine-provider-anvil'

const version = '1.20.2'
const data = minecraftData(version)
const Chunk = prismarineChunk(version)
const Anvil = provider.Anvil(version)
const cells = 16 * 16 * 16
const bottom = -64
const sections = 24

const place = text => text.split(',').map(Number)
const cell = (section, i) => ({ x: i & 15, y: bottom + 16 * section + (i >> 8), z: i >> 4 & 15 })

async function read (folder, ...chunks) {
  const world = new Anvil(folder)
  for (const text of chunks) {
    const column = await world.load(...place(text))
    if (!column) throw new Error(`there is no chunk ${text}`)
    const states = Array.from({ length: sections }, (_, s) => Array.from({ length: cells }, (_, i) => column.getBlockStateId(cell(s, i))))
    console.log(JSON.stringify(states))
  }
  await world.close()
}

async function states (folder, each) {
  each = Number(each)
  const count = Math.max(...data.blocksArray.map(b => b.maxStateId)) + 1
  const world = new Anvil(folder)
  for (let first = 0, x = 0; first < count; first += each * sections, x++) {
    const column = new Chunk({ minY: bottom, worldHeight: 16 * sections })
    for (let i = 0; i < each * sections && first + i < count; i++) {
      column.setBlockStateId(cell(Math.floor(i / each), i % each), first + i)
    }
    await world.save(x, 0, column)
  }
  await world.close()
  console.log(count)
}

// level is a level.dat that says which version saved the world: the package's own
// leaves that out.
const level = () => gzipSync(nbt.writeUncompressed(nbt.comp({
  Data: nbt.comp({
    DataVersion: nbt.int(data.version.dataVersion),
    Version: nbt.comp({ Name: nbt.string(version), Id: nbt.int(data.version.dataVersion) }),
    LevelName: nbt.string('made by others'),
    version: nbt.int(19133)
  })
}, '')))

async function world (folder, ...chunks) {
  for (const name of ['region', 'entities']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'level.dat'), level())
  const regions = new Anvil(join(folder, 'region'))
  const entities = new Anvil(join(folder, 'entities'))
  for (const [x, z] of chunks.map(place)) {
    await regions.save(x, z, furnished(x, z))
    const tree = await regions.loadRaw(x, z)
    enrich(tree.value, x, z)
    await regions.saveRaw(x, z, tree)
    await entities.saveRaw(x, z, animals(x, z))
  }
  await regions.close()
  await entities.close()
}

// furnished is a chunk of hills, biomes and light, with a chest.
function furnished (x, z) {
  const column = new Chunk({ minY: bottom, worldHeight: 16 * sections })
  const id = name => data.blocksByName[name].defaultState
  const ground = ['stone', 'granite', 'dirt', 'oak_log', 'iron_ore', 'water', 'snow_block'].map(id)
  for (let s = 0; s < sections; s++) {
    for (let i = 0; i < cells; i++) {
      const at = cell(s, i)
      if (at.y < 60 + (at.x + at.z) % 9) column.setBlockStateId(at, ground[(at.x * 7 + (at.y - bottom) * 3 + at.z * 5 + x + z) % (at.y < 0 ? 2 : ground.length) ])
      if (at.y === bottom) column.setBlockStateId(at, id('bedrock'))
      if (i % 4 === 0) column.setBiome(at, (at.x >> 2) + (at.y & 1))
      column.setBlockLight(at, (at.x + at.y) & 15)
      column.setSkyLight(at, at.y > 60 ? 15 : 0)
    }
  }
  column.setBlockStateId({ x: 5, y: 100, z: 5 }, id('chest'))
  return column
}

// enrich adds what the package does not write.
function enrich (root, x, z) {
  const chest = { id: 'minecraft:chest', x: 16 * x + 5, y: 100, z: 16 * z + 5 }
  root.block_entities = nbt.list(nbt.comp([{
    id: nbt.string(chest.id), x: nbt.int(chest.x), y: nbt.int(chest.y), z: nbt.int(chest.z), keepPacked: nbt.byte(0),
    Items: nbt.list(nbt.comp([{ Slot: nbt.byte(3), id: nbt.string('minecraft:diamond'), Count: nbt.byte(5) }])),
    'mod:owner': nbt.string('Zoë') // of what lies beyond 16 bits the package and the game have another spelling
  }]))
  const tick = { i: nbt.string('minecraft:water'), p: nbt.int(0), t: nbt.int(4), x: nbt.int(16 * x), y: nbt.int(62), z: nbt.int(16 * z) }
  root.block_ticks = nbt.list(nbt.comp([tick]))
  root.fluid_ticks = nbt.list(nbt.comp([tick, tick]))
  root.Heightmaps = nbt.comp({
    MOTION_BLOCKING: nbt.longArray(Array.from({ length: 37 }, (_, i) => [i, -i])),
    WORLD_SURFACE: nbt.longArray(Array.from({ length: 37 }, (_, i) => [-i, i]))
  })
  root.structures = nbt.comp({
    References: nbt.comp({ 'minecraft:village': nbt.longArray([[0, 17]]) }), starts: nbt.comp({})
  })
  root.isLightOn = nbt.byte(1) // nbt.bool ends the tree: what the package adds after it is no part of it
  root['mod:unknown'] = nbt.comp({
    a: nbt.byte(-1), b: nbt.short(-2), c: nbt.int(-3), d: nbt.long([-1, -4]), e: nbt.float(0.1), f: nbt.double(0.2),
    g: nbt.byteArray([1, -1]), h: nbt.intArray([1, -1]), i: nbt.list(nbt.list([nbt.string(['x', '']), nbt.int([1])])), j: nbt.list()
  })
  for (const section of root.sections.value.value) section['mod:section'] = nbt.int(section.Y.value)
}

const animals = (x, z) => nbt.comp({
  DataVersion: nbt.int(data.version.dataVersion),
  Position: nbt.intArray([x, z]),
  Entities: nbt.list(nbt.comp([{
    id: nbt.string('minecraft:cow'), Pos: nbt.list(nbt.double([16 * x + 8.5, 70, 16 * z + 8.5])),
    UUID: nbt.intArray([1, 2, x, z]), 'mod:mood': nbt.string('fine')
  }]))
}, '')

const [what, ...rest] = process.argv.slice(2)
await { read, states, world }[what](...rest)
