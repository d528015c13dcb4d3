import { KeyObject, sign as signBytes } from 'node:crypto'
import type { KeyPairSigner } from '@solana/kit'
import type { Address } from '#server/chain/port.ts'
import { readTransfer } from '#server/chain/read-transaction.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { inside, type SimulatedProcess } from './process.ts'
import type { Api } from './roles.ts'
import { type SendingKind, SENDINGS, sendingOf } from './transfers.ts'
import type { World } from './world.ts'

/** A person with a wallet, who tries again when an answer is lost, and does one thing at a time. */
export type Player = {
  process: SimulatedProcess
  wallet: KeyPairSigner
  /** Where their deposits go, once they have asked. */
  depositOwner: Address | null
  busy: boolean
  asked: number
}

/** What players do, and how often. */
export const DEEDS = [
  { weight: 4, value: 'deposit in the game' },
  { weight: 5, value: 'send to the address' },
  { weight: 2, value: 'send dust' },
  { weight: 3, value: 'check' },
  { weight: 4, value: 'claim' },
  { weight: 6, value: 'withdraw' },
] as const

export type Deed = (typeof DEEDS)[number]['value']

const TRIES = 12

class GaveUp extends Error {}

/** Lets a player do something; it ends by itself, whatever breaks. */
export async function doDeed(world: World, player: Player, deed: Deed): Promise<void> {
  player.busy = true
  try {
    await inside.run(player.process, () => DOING[deed](world, player))
    world.coverage.count(`deed: ${deed}`)
  } catch (error) {
    if (!(error instanceof GaveUp) && !isRefusal(error)) throw error
    world.coverage.count(`${isRefusal(error) ? 'refused' : 'given up'}: ${deed}`)
    world.tell(`${player.process.name} ${deed}: ${isRefusal(error) ? error.refusal.code : 'gave up'}`)
  } finally {
    player.busy = false
  }
}

const DOING: Record<Deed, (world: World, player: Player) => Promise<void>> = {
  'deposit in the game': depositInGame,
  'send to the address': (world, player) => sendToAddress(world, player, world.random.one(SENDINGS)),
  async 'send dust'(world, player) {
    const kind = world.random.one(['plain transfer', 'transfer to the open account'] as const)
    for (let left = world.random.between(2, 5); left > 0; left--)
      await sendToAddress(world, player, kind, BigInt(world.random.between(1, 9)))
  },
  async check(world, player) {
    await ask(world, player, 'GET /api/users/check-deposit', {})
  },
  async claim(world, player) {
    // Some press twice, or have two windows open.
    const presses = world.random.chance(0.4) ? 2 : 1
    const pressed = await Promise.allSettled(Array.from({ length: presses }, () => claimOnce(world, player)))
    const failed = pressed.find((each) => each.status === 'rejected')
    if (failed !== undefined && pressed.every((each) => each.status === 'rejected')) throw failed.reason
  },
  withdraw,
}

async function claimOnce(world: World, player: Player): Promise<void> {
  const key = keyOf(player)
  if (world.random.chance(0.5)) await ask(world, player, 'POST /api/workers/claim-all', { key, body: {} })
  else await ask(world, player, 'POST /api/workers/claim', { key, body: { workerId: 'kid-1' } })
}

async function addressOf(world: World, player: Player): Promise<Address> {
  const route = 'GET /api/users/deposit-address'
  player.depositOwner ??= (await ask<{ depositWallet: Address }>(world, player, route, {})).depositWallet
  return player.depositOwner
}

async function depositInGame(world: World, player: Player): Promise<void> {
  await addressOf(world, player)
  const amount = amountOf(world)
  const body = { amount: Number(amount) / 1_000_000 }
  type Prepared = { transaction: string }
  const { transaction } = await ask<Prepared>(world, player, 'POST /api/deposits/transaction', { body })
  const wire = Buffer.from(transaction, 'base64')
  const { message } = readTransfer(transaction)!
  signedBy(player.wallet, Uint8Array.from(message)).copy(wire, 1)
  const signed = wire.toString('base64')
  const { id } = readTransfer(signed)!
  world.laws.intents.set(id, { wallet: player.wallet.address, amount, kind: 'deposit in the game' })
  await ask(world, player, 'POST /api/deposits/submit', { body: { transaction: signed } })
}

/** From any wallet app: the game hears of it from the chain only. */
async function sendToAddress(world: World, player: Player, kind: SendingKind, dust?: bigint): Promise<void> {
  const to = await addressOf(world, player)
  // Anybody may send to anybody's address.
  const from = world.random.chance(0.7) ? player.wallet : world.random.one(world.first.players)
  const amount = dust ?? amountOf(world)
  const { instructions, worth } = await sendingOf(world, { kind, from, to, amount })
  const { wire, signature } = await signWithBlockhash(from, world.chainLifetime(), instructions)
  world.laws.intents.set(signature, { wallet: player.wallet.address, amount: worth, kind })
  world.sendOutside(wire)
  await world.pause(player.process, 'think')
}

async function withdraw(world: World, player: Player): Promise<void> {
  type Withdrawable = { withdrawable: number }
  const open = await ask<Withdrawable>(world, player, 'GET /api/users/withdrawable', {})
  if (open.withdrawable < 1) return world.coverage.count('refused: nothing to withdraw')
  const most = Math.floor(open.withdrawable * 1_000_000)
  const units = world.random.chance(0.4) ? most : world.random.between(1_000_000, most)
  const amount = units / 1_000_000
  type Challenge = { message: string }
  const challenge = 'POST /api/users/withdrawals/challenge'
  const { message } = await ask<Challenge>(world, player, challenge, { body: { amount } })
  const signature = signedBy(player.wallet, Buffer.from(message)).toString('base64')
  const key = keyOf(player)
  type Granted = { withdrawal: { id: string } }
  const asked = { key, body: { amount, message, signature } }
  const { withdrawal } = await ask<Granted>(world, player, 'POST /api/users/withdrawals', asked)
  world.granted(withdrawal.id)
}

/** Asks one of the api processes, and another one when no answer comes back. */
async function ask<Reply>(
  world: World,
  player: Player,
  route: string,
  asked: { body?: object; key?: string },
): Promise<Reply> {
  for (let tries = 0; tries < TRIES; tries++) {
    const apis = world.apis()
    if (apis.length > 0) {
      const api: Api = world.random.one(apis)
      try {
        return await api.call<Reply>(route, player.wallet.address, asked)
      } catch (error) {
        const passes = ['chain_unreachable', 'busy']
        if (isRefusal(error) && !passes.includes(error.refusal.code)) throw error
        world.tell(`${player.process.name} got no answer to ${route}: ${(error as Error).message}`)
      }
    }
    await world.pause(player.process, 'retry')
  }
  throw new GaveUp()
}

function isRefusal(error: unknown): error is Error & { refusal: { code: string } } {
  return error instanceof Error && error.name === 'Refused'
}

const keyOf = (player: Player): string => `${player.process.name}-${++player.asked}`

/** Mostly small, so that sums show every base unit; sometimes large. */
function amountOf(world: World): bigint {
  const { random } = world
  return BigInt(random.chance(0.25) ? random.between(100_000_000, 900_000_000) : random.between(1, 9_999_999))
}

function signedBy({ keyPair }: KeyPairSigner, bytes: Uint8Array): Buffer {
  return signBytes(null, bytes, KeyObject.from(keyPair.privateKey as never))
}
