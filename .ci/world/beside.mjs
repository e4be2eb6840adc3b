// Two clients of mineflayer build at random beside a scripted agent, which plans,
// applies and takes back over the RPC.
//
//   node beside.mjs PORT URL KEY OWNER SECONDS SEED
//
// checks first what a player's change within a build is worth, and at the end that
// both clients show what the world says. It prints what was done, and the states
// of the place, as JSON. All happens within reach of the clients, who hover.
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const require = createRequire(import.meta.url)
const mineflayer = require('mineflayer')
const { Vec3 } = require('vec3')
const Item = require('prismarine-item')('1.20.2')
const { itemsByName } = require('minecraft-data')('1.20.2')
const [port, url, key, owner, seconds, seed] = process.argv.slice(2)
const low = new Vec3(5, 64, 5)
const high = new Vec3(12, 71, 12)
const did = { plans: 0, undone: 0, conflicts: 0, placed: 0, broken: 0, refused: 0, stops: 0, kept: 0 }

process.on('unhandledRejection', fail)
function fail (err) {
  console.error(err)
  process.exit(1)
}
const must = (holds, what) => { if (!holds) fail(new Error(what)) }

// The same numbers for the same seed.
let state = Number(seed) >>> 0
function random (n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor(state / 2 ** 32 * n)
}
const pick = list => list[random(list.length)]
const somewhere = () => new Vec3(...['x', 'y', 'z'].map(axis => low[axis] + random(high[axis] - low[axis] + 1)))
const plain = ({ x, y, z }) => ({ x, y, z })

async function rpc (method, params) {
  const answer = await fetch(url, {
    method: 'POST', headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ method, params: { player_id: owner, project_id: 'default', ...params } })
  })
  return answer.json()
}
async function use (method, params) {
  const { ok, result, error } = await rpc(method, params)
  must(ok, `${method}: ${JSON.stringify(error)}`)
  return result
}

// build applies a plan to its end, for as long as it takes.
async function build ({ plan_id, plan_hash }) {
  const idempotency_key = randomUUID()
  for (;;) {
    const { ok, result, error } = await rpc('build_apply', { plan_id, plan_hash, idempotency_key })
    if (ok) return ended(result.operation_id)
    must(['paused', 'busy'].includes(error.code), `build_apply: ${JSON.stringify(error)}`)
    await sleep(100)
  }
}
async function ended (operation_id) {
  for (;;) {
    const operation = await use('operation_status', { operation_id })
    if (!['queued', 'applying'].includes(operation.status)) return operation
    await sleep(50)
  }
}
const box = (min, max, block) => ({ recipe: { version: 1, operations: [{ type: 'box', min: plain(min), max: plain(max), block }] } })

async function join (username) {
  const bot = mineflayer.createBot({ host: '127.0.0.1', port: Number(port), username, version: '1.20.2', auth: 'offline' })
  bot.on('error', fail)
  bot.on('kicked', why => fail(new Error(`${username} was sent away: ${why}`)))
  await once(bot, 'spawn')
  await bot.waitForChunksToLoad()
  bot.creative.startFlying()
  bot.entity.position.set(8.5, 67, 8.5)
  await bot.creative.setInventorySlot(36, new Item(itemsByName.stone.id, 64))
  bot.setQuickBarSlot(0)
  return bot
}
const shown = (bot, at) => {
  const block = bot.blockAt(at)
  const properties = Object.entries(block.getProperties()).sort().map(([k, v]) => `${k}=${v}`)
  return `minecraft:${block.name}` + (properties.length ? `[${properties}]` : '')
}
async function until (what, holds) {
  for (let tries = 0; !holds(); tries++) {
    must(tries < 400, `it never comes that ${what}`)
    await sleep(25)
  }
}

const bots = [await join('alice'), await join('bob')]

// What a player changed within a build stays when it is taken back, also where it
// looks as it did.
for (let round = 0; round < 10; round++) {
  const plan = await use('build_prepare', box({ x: 6, y: 65, z: 6 }, { x: 8, y: 66, z: 8 }, 'minecraft:oak_planks'))
  const built = await build(plan)
  must(built.status === 'applied', `the build is ${built.status}`)
  for (const bot of bots) await until('a client sees the build', () => shown(bot, new Vec3(8, 66, 8)) === 'minecraft:oak_planks')
  const bot = bots[round % 2]
  const [gone, back] = [new Vec3(6, 66, 6 + round % 3), new Vec3(8, 66, 6 + round % 3)]
  await bot.dig(bot.blockAt(gone))
  await bot.dig(bot.blockAt(back))
  await until('both are broken', () => [gone, back].every(at => shown(bot, at) === 'minecraft:air'))
  await bot.creative.setInventorySlot(36, new Item(itemsByName.oak_planks.id, 64))
  await bot.placeBlock(bot.blockAt(back.offset(0, -1, 0)), new Vec3(0, 1, 0))
  await until('one is back', () => shown(bot, back) === 'minecraft:oak_planks')
  await bot.creative.setInventorySlot(36, new Item(itemsByName.stone.id, 64))
  const undo = await use('operation_undo_prepare', { operation_id: built.operation_id })
  must(undo.skipped === 2 && undo.changed_blocks === 16, `the undo has ${JSON.stringify(undo)}`)
  must((await build(undo)).status === 'applied', 'the undo is not applied')
  for (const other of bots) {
    await until('a client sees the undo', () => shown(other, new Vec3(7, 65, 7)) === 'minecraft:air')
    must(shown(other, back) === 'minecraft:oak_planks' && shown(other, gone) === 'minecraft:air', 'a change of a player was taken back')
  }
  did.kept += 2
  await bot.dig(bot.blockAt(back))
  await until('the place is empty', () => bots.every(b => shown(b, back) === 'minecraft:air'))
}

// What a player puts where a plan is about to build is left alone.
const corner = new Vec3(10, 65, 10)
const late = await use('build_prepare', box(corner, corner.offset(1, 0, 1), 'minecraft:stone_bricks'))
await bots[0].placeBlock(bots[0].blockAt(corner.offset(0, -1, 0)), new Vec3(0, 1, 0))
await until('the stone is there', () => shown(bots[1], corner) === 'minecraft:stone')
const spared = await build(late)
must(spared.status === 'conflict' && spared.conflicts === 1 && spared.written === 3, `the build is ${JSON.stringify(spared)}`)
await until('the rest is built', () => shown(bots[1], corner.offset(1, 0, 1)) === 'minecraft:stone_bricks')
must(shown(bots[1], corner) === 'minecraft:stone', 'a stone of a player was overwritten')
did.conflicts += spared.conflicts

const end = Date.now() + 1000 * Number(seconds)
async function play (bot) {
  while (Date.now() < end) {
    const at = somewhere()
    const [block, under] = [at, at.offset(0, -1, 0)].map(place => bot.blockAt(place))
    if (at.offset(0.5, 0.5, 0.5).distanceTo(bot.entity.position.offset(0, 1.62, 0)) > 6) continue
    try {
      if (block.name !== 'air') {
        await bot.dig(block, true)
        did.broken++
      } else if (under.name !== 'air') {
        await bot.placeBlock(under, new Vec3(0, 1, 0))
        did.placed++
      }
    } catch {
      did.refused++ // another was there first
    }
    if (random(200) === 0) {
      did.stops++
      bot.chat('/ai stop')
      await sleep(random(2000))
      bot.chat('/ai resume')
      await sleep(300)
      bot.chat('/ai resume') // whoever stopped it meanwhile
    }
    await sleep(random(60))
  }
}
async function agent () {
  const built = []
  while (Date.now() < end) {
    if (built.length > 0 && random(3) === 0) {
      const { ok, result, error } = await rpc('operation_undo_prepare', { operation_id: built.splice(random(built.length), 1)[0] })
      must(ok || error.code === 'nothing_to_undo', `undo: ${JSON.stringify(error)}`)
      if (ok) {
        const { conflicts } = await build(result)
        did.undone++
        did.conflicts += conflicts
      }
      continue
    }
    const min = somewhere().offset(0, 1, 0)
    const max = min.offset(random(4), random(3), random(4))
    const { ok, result, error } = await rpc('build_prepare', box(min, max, pick(['minecraft:oak_planks', 'minecraft:stone_bricks', 'minecraft:air', 'minecraft:glass'])))
    must(ok, `build_prepare: ${JSON.stringify(error)}`)
    await sleep(random(500)) // in which a player may change something
    const operation = await build(result)
    must(['applied', 'conflict'].includes(operation.status), `a build is ${JSON.stringify(operation)}`)
    must(operation.written + operation.conflicts === operation.total, `the counts of ${JSON.stringify(operation)}`)
    did.plans++
    did.conflicts += operation.conflicts
    built.push(operation.operation_id)
    await sleep(random(200))
  }
}
await Promise.all([...bots.map(play), agent()])
bots[0].chat('/ai resume')
await sleep(2000)

// What the world says, and what the clients show.
const place = { min: { x: 4, y: 63, z: 4 }, max: { x: 16, y: 76, z: 16 } }
const { palette, layers } = await use('region_inspect', { ...place, detail: 'blocks' })
const states = []
for (const { y, rows } of layers) {
  rows.forEach((row, dz) => {
    let x = place.min.x
    for (const run of row.split(' ')) {
      const [index, count = 1] = run.split('*').map(Number)
      for (let i = 0; i < count; i++) {
        const at = new Vec3(x++, y, place.min.z + dz)
        const { state } = palette[index]
        for (const bot of bots) must(shown(bot, at) === state, `at ${at} ${bot.username} sees ${shown(bot, at)}, and there is ${state}`)
        states.push([at.x, at.y, at.z, state])
      }
    }
  })
}
await new Promise(resolve => process.stdout.write(JSON.stringify({ did, states }) + '\n', resolve)) // all of it, before the end
process.exit(0)
