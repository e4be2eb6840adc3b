// Two clients of mineflayer, which we did not write, in a world. Before is what
// they do and see in a new one, after is what they see once the server has been
// started anew:
//
//   node bots.mjs PORT before|after
//
// prints a JSON object of what they saw. At x of 20 and more nobody may build.
import { createRequire } from 'node:module'
import { once } from 'node:events'

const require = createRequire(import.meta.url)
const mineflayer = require('mineflayer')
const { Vec3 } = require('vec3')
const Item = require('prismarine-item')('1.20.2')
const { itemsByName } = require('minecraft-data')('1.20.2')
const [port, act] = process.argv.slice(2)

setTimeout(() => fail(new Error('it takes too long')), 60000).unref()
process.on('unhandledRejection', fail)

function fail(err) {
  console.error(err)
  process.exit(1)
}

async function join(username) {
  const bot = mineflayer.createBot({ host: '127.0.0.1', port: Number(port), username, version: '1.20.2', auth: 'offline' })
  bot.heard = []
  bot.on('message', m => bot.heard.push(m.toString()))
  bot.on('error', fail)
  bot.on('kicked', why => fail(new Error(`${username} was sent away: ${why}`)))
  await once(bot, 'spawn')
  await bot.waitForChunksToLoad()
  return bot
}

// until waits for what a bot shows.
async function until(what, holds) {
  for (let tries = 0; !holds(); tries++) {
    if (tries === 400) fail(new Error(`it never comes that ${what}`))
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

const state = (bot, x, y, z) => {
  const block = bot.blockAt(new Vec3(x, y, z))
  const properties = Object.entries(block.getProperties()).sort().map(([k, v]) => `${k}=${v}`)
  return block.name + (properties.length ? `[${properties}]` : '')
}

const both = (alice, bob, x, y, z) => [state(alice, x, y, z), state(bob, x, y, z)]

async function take(bot, name) {
  await bot.creative.setInventorySlot(36, new Item(itemsByName[name].id, 1))
  bot.setQuickBarSlot(0)
}

const put = (bot, x, y, z) => bot.placeBlock(bot.blockAt(new Vec3(x, y, z)), new Vec3(0, 1, 0))

const alice = await join('alice')
const bob = await join('bob')
const saw = { terrain: [60, 63, 64, 65].map(y => state(alice, 8, y, 8)) }

if (act === 'before') {
  await until('they see each other', () => alice.players.bob?.entity && bob.players.alice?.entity)
  await take(alice, 'oak_stairs')
  await put(alice, 10, 64, 8)
  await until('bob sees the stairs', () => state(bob, 10, 65, 8).startsWith('oak_stairs'))
  saw.placed = both(alice, bob, 10, 65, 8)
  await bob.dig(bob.blockAt(new Vec3(6, 64, 8)))
  await until('alice sees the hole', () => state(alice, 6, 64, 8) === 'air')
  saw.broken = both(alice, bob, 6, 64, 8)

  bob.entity.position.set(18.5, 65, 8.5)
  await until('alice sees bob walk', () => alice.players.bob.entity.position.x > 18)
  await bob.dig(bob.blockAt(new Vec3(20, 64, 8)))
  await until('bob is told', () => bob.heard.some(text => text.startsWith('You cannot break that')))
  await until('bob sees the block again', () => state(bob, 20, 64, 8).startsWith('grass_block'))
  saw.denied = [...both(alice, bob, 20, 64, 8), bob.heard.find(text => text.startsWith('You cannot'))]

  alice.chat('hello')
  alice.chat('/ai build a house')
  await until('all is heard', () => alice.heard.some(t => t.includes('You asked')) && bob.heard.includes('<alice> hello'))
  saw.answers = [alice, bob].map(bot => bot.heard.filter(text => text.startsWith('You asked')))
} else {
  saw.placed = both(alice, bob, 10, 65, 8)
  saw.broken = both(alice, bob, 6, 64, 8)
}
console.log(JSON.stringify(saw))
process.exit(0)
