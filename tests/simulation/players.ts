import { KeyObject, sign as signBytes } from 'node:crypto'
import type { KeyPairSigner } from '@solana/kit'
import type { Address } from '#server/chain/port.ts'
import { readTransfer } from '#server/chain/read-transaction.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import { processContext, type SimulatedProcess } from './process.ts'
import type { Api } from './roles.ts'
import { type TransferKind, TRANSFER_KINDS, buildTestTransfer } from './test-transfers.ts'
import type { SimulatedWorld } from './simulated-world.ts'

/** A player with a wallet. It does one thing at a time and retries when a response is lost. */
export type Player = {
  process: SimulatedProcess
  wallet: KeyPairSigner
  /** The owner of their deposit address, once they have requested one. */
  depositOwner: Address | null
  busy: boolean
  keyCount: number
}

/** The actions of players, with their weights. */
export const PLAYER_ACTIONS = [
  { weight: 4, value: 'deposit in the game' },
  { weight: 5, value: 'send to the address' },
  { weight: 2, value: 'send dust' },
  { weight: 3, value: 'check' },
  { weight: 4, value: 'claim' },
  { weight: 9, value: 'withdraw' },
  { weight: 1.5, value: 'cancel' },
  { weight: 0.5, value: 'lock' },
] as const

export type PlayerAction = (typeof PLAYER_ACTIONS)[number]['value']

const MAX_TRIES = 12

class GaveUp extends Error {}

/** Performs an action of a player. It ends whatever fails. */
export async function performAction(
  world: SimulatedWorld,
  player: Player,
  action: PlayerAction,
): Promise<void> {
  player.busy = true
  try {
    await processContext.run(player.process, () => ACTION_HANDLERS[action](world, player))
    world.coverage.count(`action: ${action}`)
  } catch (error) {
    if (!(error instanceof GaveUp) && !isRefusal(error)) throw error
    world.coverage.count(`${isRefusal(error) ? 'refused' : 'given up'}: ${action}`)
    world.record(`${player.process.name} ${action}: ${isRefusal(error) ? error.refusal.code : 'gave up'}`)
  } finally {
    player.busy = false
  }
}

const ACTION_HANDLERS: Record<PlayerAction, (world: SimulatedWorld, player: Player) => Promise<void>> = {
  'deposit in the game': depositInGame,
  'send to the address': (world, player) => sendToAddress(world, player, world.random.pick(TRANSFER_KINDS)),
  async 'send dust'(world, player) {
    const kind = world.random.pick(['plain transfer', 'transfer to the open account'] as const)
    for (let left = world.random.between(2, 5); left > 0; left--)
      await sendToAddress(world, player, kind, BigInt(world.random.between(1, 9)))
  },
  async check(world, player) {
    await callApi(world, player, 'GET /api/users/check-deposit', {})
  },
  async claim(world, player) {
    // Some click twice or have two windows open.
    const presses = world.random.chance(0.4) ? 2 : 1
    const pressed = await Promise.allSettled(Array.from({ length: presses }, () => claimOnce(world, player)))
    const failed = pressed.find((each) => each.status === 'rejected')
    if (failed !== undefined && pressed.every((each) => each.status === 'rejected')) throw failed.reason
  },
  withdraw,
  cancel,
  // Most players who lock in a world never withdraw again in it.
  async lock(world, player) {
    const hours = world.random.pick([0, 0, 0, 24])
    // An unlocking takes 24 hours, which the jumps of the clock may add up to. It may happen without an answer, too.
    if (hours === 0) world.lockedWallets.delete(player.wallet.address)
    const request = { key: nextKey(player), body: { hours } }
    await callApi(world, player, 'POST /api/users/withdrawal-lock', request)
    if (hours > 0 && !world.restored) world.lockedWallets.add(player.wallet.address)
  },
}

async function claimOnce(world: SimulatedWorld, player: Player): Promise<void> {
  const key = nextKey(player)
  if (world.random.chance(0.5)) await callApi(world, player, 'POST /api/workers/claim-all', { key, body: {} })
  else await callApi(world, player, 'POST /api/workers/claim', { key, body: { workerId: 'kid-1' } })
}

async function getDepositAddress(world: SimulatedWorld, player: Player): Promise<Address> {
  const route = 'GET /api/users/deposit-address'
  player.depositOwner ??= (await callApi<{ depositWallet: Address }>(world, player, route, {})).depositWallet
  return player.depositOwner
}

async function depositInGame(world: SimulatedWorld, player: Player): Promise<void> {
  await getDepositAddress(world, player)
  const amount = randomAmount(world)
  const body = { amount: Number(amount) / 1_000_000 }
  type Prepared = { transaction: string }
  const { transaction } = await callApi<Prepared>(world, player, 'POST /api/deposits/transaction', { body })
  const wire = Buffer.from(transaction, 'base64')
  const { message } = readTransfer(transaction)!
  signWithWallet(player.wallet, Uint8Array.from(message)).copy(wire, 1)
  const signed = wire.toString('base64')
  const { id } = readTransfer(signed)!
  world.invariants.intents.set(id, { wallet: player.wallet.address, amount, kind: 'deposit in the game' })
  await callApi(world, player, 'POST /api/deposits/submit', { body: { transaction: signed } })
}

/** Sends from any wallet app: the game sees it only on the chain. */
async function sendToAddress(
  world: SimulatedWorld,
  player: Player,
  kind: TransferKind,
  dust?: bigint,
): Promise<void> {
  const to = await getDepositAddress(world, player)
  // Any wallet may send to any deposit address.
  const from = world.random.chance(0.7) ? player.wallet : world.random.pick(world.genesis.players)
  const amount = dust ?? randomAmount(world)
  const { instructions, worth } = await buildTestTransfer(world, { kind, from, to, amount })
  const { wire, signature } = await signWithBlockhash(from, world.chainLifetime(), instructions)
  world.invariants.intents.set(signature, { wallet: player.wallet.address, amount: worth, kind })
  world.sendDirectly(wire)
  await world.pause(player.process, 'think')
}

async function withdraw(world: SimulatedWorld, player: Player): Promise<void> {
  type Withdrawable = { withdrawable: number }
  const open = await callApi<Withdrawable>(world, player, 'GET /api/users/withdrawable', {})
  if (open.withdrawable < 1) return world.coverage.count('refused: nothing to withdraw')
  const maxUnits = Math.floor(open.withdrawable * 1_000_000)
  const units = world.random.chance(0.4) ? maxUnits : world.random.between(1_000_000, maxUnits)
  const amount = units / 1_000_000
  type Challenge = { message: string }
  const challenge = 'POST /api/users/withdrawals/challenge'
  const { message } = await callApi<Challenge>(world, player, challenge, { body: { amount } })
  const signature = signWithWallet(player.wallet, Buffer.from(message)).toString('base64')
  const key = nextKey(player)
  type Granted = { withdrawal: { id: string } }
  const request = { key, body: { amount, message, signature } }
  const { withdrawal } = await callApi<Granted>(world, player, 'POST /api/users/withdrawals', request)
  world.recordGranted(withdrawal.id)
  // A restored database may have forgotten the lock.
  if (world.lockedWallets.has(player.wallet.address) && !world.restored)
    world.grantedDuringLock.add(withdrawal.id)
}

/** Cancels one of the player's newest withdrawals, whatever its state: also while the signer signs it. */
async function cancel(world: SimulatedWorld, player: Player): Promise<void> {
  type Listed = { withdrawals: { id: string }[] }
  const list = await callApi<Listed>(world, player, 'GET /api/users/withdrawals', { query: {} })
  const newest = list.withdrawals.slice(0, 2)
  if (newest.length === 0) return world.coverage.count('refused: nothing to cancel')
  const { id } = world.random.pick(newest)
  const request = { key: nextKey(player), body: { withdrawalId: id } }
  await callApi(world, player, 'POST /api/users/withdrawals/cancel', request)
  world.recordCancelled(id)
}

/** Calls one of the api processes, and another one if there is no response. */
async function callApi<Reply>(
  world: SimulatedWorld,
  player: Player,
  route: string,
  request: { body?: object; query?: object; key?: string },
): Promise<Reply> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const apis = world.apis()
    if (apis.length > 0) {
      const api: Api = world.random.pick(apis)
      try {
        return await api.call<Reply>(route, player.wallet.address, request)
      } catch (error) {
        // A bug in the code, not one of the faults.
        if (error instanceof TypeError) throw error
        const passes = ['chain_unreachable', 'busy']
        if (isRefusal(error) && !passes.includes(error.refusal.code)) throw error
        world.record(`${player.process.name} got no answer to ${route}: ${(error as Error).message}`)
      }
    }
    await world.pause(player.process, 'retry')
  }
  throw new GaveUp()
}

function isRefusal(error: unknown): error is Error & { refusal: { code: string } } {
  return error instanceof Error && error.name === 'Refused'
}

const nextKey = (player: Player): string => `${player.process.name}-${++player.keyCount}`

/** Mostly a small amount, so that a single base unit matters; sometimes a large one. */
function randomAmount(world: SimulatedWorld): bigint {
  const { random } = world
  return BigInt(random.chance(0.25) ? random.between(100_000_000, 900_000_000) : random.between(1, 9_999_999))
}

/** Signs bytes as a wallet does. */
export function signWithWallet({ keyPair }: KeyPairSigner, bytes: Uint8Array): Buffer {
  return signBytes(null, bytes, KeyObject.from(keyPair.privateKey as never))
}
