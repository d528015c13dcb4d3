import { readHistory } from '#server/account/read-history.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { readChangedLand } from '#server/parcels/read-land.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { claim } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { readOwnedWorkers } from '#server/workers/read-workers.ts'
import { load, unlessRefused } from '../load.ts'
import { type TimedVariant, newVariant } from '../measure-rounds.ts'
import { keyOn } from '../requests.ts'
import { walletOf } from '../seed-players.ts'
import type { Cost, CostReader } from './read-cost.ts'

export const AT_ONCE = 32

/** A filled database, and who acts in it. */
export type World = {
  /** Distinguishes it from the others of a run. */
  label: string
  /** With the api's login. */
  db: Db
  /** Resources used so far. */
  readCost: CostReader
  /** The next player that acts, from 1. */
  nextPlayer(): number
  /** The wallet that hires when a player's turn has come. */
  hirerFor(player: number): string
}

/** An operation of a player (1 to the number of workers); true if it succeeded. */
export type Operation = {
  name: string
  /** Its kind in the ledger, if it writes. */
  kind?: 'claim' | 'hire'
  open(world: World): (player: number) => Promise<boolean>
}

const workerAt = (player: number): string => `bigman-${String(player).padStart(4, '0')}`

type Timing = {
  /** The label of the world that the others are divided by. */
  base: string
  seconds: number
  /** Acknowledged operations, by the name of the variant. */
  done: Map<string, number>
}

/** An operation in a world, and its cost in CPU time, pages and WAL. */
export function timed({ name, kind, open }: Operation, world: World, timing: Timing): TimedVariant {
  const act = open(world)
  const more = Object.fromEntries(Object.keys(COSTS).map((title): [string, number[]] => [title, []]))
  return {
    variant: { ...newVariant(nameOf(name, world), nameOf(name, { label: timing.base })), more },
    async run() {
      const before = await world.readCost()
      const turn = await load({ clients: AT_ONCE, seconds: timing.seconds }, () => act(world.nextPlayer()))
      const after = await world.readCost()
      for (const [title, cost] of Object.entries(COSTS))
        more[title]!.push((cost(after) - cost(before)) / turn.done)
      const booked = nameOf(kind ?? name, world)
      timing.done.set(booked, (timing.done.get(booked) ?? 0) + turn.done)
      return turn
    },
  }
}

export const FULL_PAGE_IMAGES = 'full-page images'

const COSTS: Readonly<Record<string, (spent: Cost) => number>> = {
  'µs of Node': (spent) => spent.nodeSeconds * 1e6,
  'µs of Postgres': (spent) => spent.postgresSeconds * 1e6,
  'pages touched': (spent) => spent.pages,
  'pages read from outside the cache': (spent) => spent.pagesRead,
  'kB of WAL': (spent) => spent.walBytes / 1000,
  [FULL_PAGE_IMAGES]: (spent) => spent.fullPageImages,
}

/** The name of a variant. */
export const nameOf = (name: string, { label }: Pick<World, 'label'>): string => `${name}, ${label}`

const CLAIM: Operation = {
  name: 'claim',
  kind: 'claim',
  open({ db }) {
    const submit = submitInBatches({ db, clock: systemClock }, claim)
    return (player) =>
      unlessRefused(
        submit({ wallet: walletOf(player), workerId: workerAt(player), key: keyOn('/api/workers/claim') }),
      )
  },
}

const HIRE: Operation = {
  name: 'hire',
  kind: 'hire',
  open(world) {
    const submit = submitInBatches({ db: world.db, clock: systemClock }, hire)
    return (player) =>
      unlessRefused(
        submit({ wallet: world.hirerFor(player), workerType: 'kid', key: keyOn('/api/workers/purchase') }),
      )
  },
}

export const OPERATIONS: readonly Operation[] = [
  CLAIM,
  HIRE,
  {
    name: 'own workers',
    open:
      ({ db }) =>
      async (player) =>
        (await readOwnedWorkers(db, { wallet: walletOf(player), now: systemClock.now() })).workers.length > 0,
  },
  {
    name: 'balance',
    open:
      ({ db }) =>
      async (player) =>
        (await readBalance(db, walletOf(player))).deposited > 0n,
  },
  {
    name: 'history',
    open:
      ({ db }) =>
      async (player) =>
        (await readHistory(db, { wallet: walletOf(player), before: undefined, limit: 5 })).items.length === 5,
  },
  {
    name: 'all land',
    open:
      ({ db }) =>
      async () =>
        (await readChangedLand(db, new Map())).size === 7,
  },
]
