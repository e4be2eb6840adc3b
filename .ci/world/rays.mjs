// A client of mineflayer, which we did not write, looks along rays, and as who
// stands somewhere and turns their head:
//
//   node rays.mjs PORT < QUESTIONS
//
// QUESTIONS is JSON: {rays: [{from: [x, y, z], direction: [x, y, z]}], heads: [{x, y,
// z, yaw, pitch}]} with the feet and the game's degrees; printed are the blocks that
// are met, {rays, heads} of {X, Y, Z} or null.
import { createRequire } from 'node:module'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { stdin } from 'node:process'

const require = createRequire(import.meta.url)
const mineflayer = require('mineflayer')
const { Vec3 } = require('vec3')
const { fromNotchianYaw, fromNotchianPitch } = require('mineflayer/lib/conversions')
const range = 96

const { rays, heads } = JSON.parse(await text(stdin))
const bot = mineflayer.createBot({
  host: '127.0.0.1', port: Number(process.argv[2]), username: 'looker', version: '1.20.2', auth: 'offline'
})
for (const end of ['error', 'kicked']) bot.on(end, why => { throw new Error(`${end}: ${why}`) })
await once(bot, 'spawn')
const missing = () => {
  for (let x = -range; x <= range; x += 16) {
    for (let z = -range; z <= range; z += 16) if (!bot.world.getColumnAt(new Vec3(x, 0, z))) return true
  }
  return false
}
for (let tries = 0; missing(); tries++) {
  if (tries === 800) throw new Error('not all chunks come')
  await new Promise(resolve => setTimeout(resolve, 25))
}
const place = (block) => block && { X: block.position.x, Y: block.position.y, Z: block.position.z }
const seen = {
  rays: rays.map(({ from, direction }) => place(bot.world.raycast(new Vec3(...from), new Vec3(...direction), range))),
  heads: heads.map(({ x, y, z, yaw, pitch }) => place(bot.blockAtEntityCursor(
    { position: new Vec3(x, y, z), height: 1.62, yaw: fromNotchianYaw(yaw), pitch: fromNotchianPitch(pitch) }, range)))
}
process.stdout.write(JSON.stringify(seen), () => process.exit(0))
