// Makes the tables of services/world/java/protocol/data from minecraft-data.
//
//   node protocol.mjs FOLDER
//
// writes, for each version, FOLDER/VERSION/protocol.txt with the numbers of
// packets, items and entities, and FOLDER/VERSION/registry.nbt with what a
// client is told of dimensions and biomes. How the lines read is told in
// services/world/java/protocol/protocol.go.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import minecraftData from 'minecraft-data'
import nbt from 'prismarine-nbt'

const versions = ['1.20.2']
const states = ['login', 'configuration', 'play']
const sides = { toClient: 'c', toServer: 's' }
const require = createRequire(import.meta.url)

const must = (holds, what) => { if (!holds) throw new Error(what) }

// The numbers of the packets of a state and a side, in order.
function packets (protocol, state, side) {
  const mapper = protocol[state][side].types.packet[1][0].type
  must(mapper[0] === 'mapper', `${state} ${side}: numbers`)
  return Object.entries(mapper[1].mappings)
    .map(([number, name]) => [Number(number), name])
    .sort((a, b) => a[0] - b[0])
    .map(([number, name]) => `packet ${state} ${sides[side]} ${number} ${name}`)
}

function table (data) {
  const player = data.entitiesByName.player
  return [
    `protocol ${data.version.version} ${data.version.minecraftVersion}`,
    ...states.flatMap(state => Object.keys(sides).flatMap(side => packets(data.protocol, state, side))),
    `entity ${player.id} player`,
    ...data.itemsArray.map(item => `item ${item.id} ${item.name}`)
  ].join('\n') + '\n'
}

const folder = process.argv[2]
must(folder, 'usage: node protocol.mjs FOLDER')
for (const version of versions) {
  const data = minecraftData(version)
  const to = join(folder, version)
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'protocol.txt'), table(data))
  const codec = require(`minecraft-data/minecraft-data/data/pc/${version}/loginPacket.json`).dimensionCodec
  writeFileSync(join(to, 'registry.nbt'), nbt.writeUncompressed({ name: '', ...codec }, 'big'))
}
