import { isDeepStrictEqual } from 'node:util'
import { type Segment, units } from './history.ts'
import type { Operation } from './operations.ts'

type Ends = Pick<Segment, 'before' | 'after'>

/**
 * Decides operations without a known outcome by what is stored at the end: they happened, they did not, or it stays open.
 * Those that did not happen are left out. Without this the search would try all their combinations.
 */
export function resolveUnknown(ends: Ends, operations: readonly Operation[]): Operation[] {
  const alike = Map.groupBy(
    operations.filter(({ reply }) => reply === null),
    describeEffect,
  )
  const counts = countNewEffects(ends, operations)
  return operations.flatMap((operation) => {
    if (operation.reply !== null) return [operation]
    const effect = describeEffect(operation)
    const same = alike.get(effect)!
    const happened = counts.get(effect)
    if (happened === undefined) return KINDS_THAT_COUNT.has(operation.action) ? [] : [operation]
    if (happened >= same.length) {
      const to = Math.min(operation.to, ends.after.at)
      const paid = same.length === 1 ? paidBy(ends, operation, operations) : null
      return [{ ...operation, outcome: 'stored', to, paid }]
    }
    const isUndecided =
      operation.action === 'claim' || same.some(({ args }) => !isDeepStrictEqual(args, operation.args))
    if (isUndecided) return [{ ...operation, paidAtMost: paidBy(ends, operation, operations) }]
    const isCounted = same.indexOf(operation) < happened
    if (hasGap(same)) return [{ ...operation, isCounted }]
    // Nobody knows which of them happened, only how many: so many did, at any time that is possible for one of them.
    if (!isCounted) return []
    const from = Math.min(...same.map((each) => each.from))
    const to = Math.min(Math.max(...same.map((each) => each.to)), ends.after.at)
    return [{ ...operation, outcome: 'stored', from, to }]
  })
}

/** Whether there is a time between them at which none can have happened. */
function hasGap(operations: readonly Operation[]): boolean {
  let reach: number | null = null
  for (const { from, to } of operations.toSorted((a, b) => a.from - b.from)) {
    if (reach !== null && from > reach) return true
    reach = Math.max(to, reach ?? to)
  }
  return false
}

/** Whether each such operation leaves a row of its own. */
const KINDS_THAT_COUNT = new Set<Operation['action']>([
  'hire',
  'withdraw',
  'deposit',
  'buy-parcel',
  'buy-listing',
  'cancel',
  'claim',
])

/** Operations with the same text cannot be distinguished by what they leave behind. */
function describeEffect({ action, wallet, args }: Operation): string {
  switch (action) {
    case 'hire':
      return `${action} ${wallet} ${args.type}`
    case 'withdraw':
      return `${action} ${wallet} ${units(args.amount)}`
    case 'deposit':
      return `${action} ${wallet} ${args.signature}`
    case 'buy-parcel':
      return `${action} ${wallet} ${args.parcelId}`
    case 'buy-listing':
    case 'cancel':
      return `${action} ${wallet} ${args.listingId}`
    case 'claim':
      return `${action} ${wallet} ${args.workerId}`
    default:
      return `${action} ${wallet} ${JSON.stringify(args)}`
  }
}

/** How many effects of each text are stored and not explained by an answer. */
function countNewEffects({ before, after }: Ends, operations: readonly Operation[]): Map<string, number> {
  const counts = new Map<string, number>()
  const count = (effect: string, number = 1): void => {
    counts.set(effect, (counts.get(effect) ?? 0) + number)
  }
  const earlier = new Set([
    ...before.workers.map(({ id }) => id),
    ...before.withdrawals.map(({ id }) => id),
    ...before.deposits.map(({ signature }) => signature),
    ...before.listings.filter(({ state }) => state !== 'active').map(({ id }) => id),
  ])
  for (const { id, wallet, type } of after.workers) if (!earlier.has(id)) count(`hire ${wallet} ${type}`)
  for (const { id, wallet, amount } of after.withdrawals)
    if (!earlier.has(id)) count(`withdraw ${wallet} ${units(amount)}`)
  for (const { signature, wallet } of after.deposits)
    if (!earlier.has(signature)) count(`deposit ${wallet} ${signature}`)
  for (const { id, parcelId, seller, buyer, state } of after.listings) {
    if (earlier.has(id)) continue
    if (state === 'cancelled') count(`cancel ${seller} ${id}`)
    if (state !== 'sold') continue
    count(`buy-listing ${buyer} ${id}`)
    count(`buy-parcel ${seller} ${parcelId}`)
    count(`buy-parcel ${buyer} ${parcelId}`, -1)
  }
  // Who owned a parcel first: with the last owner, everybody else has sold it as often as bought it from a player.
  for (const [parcelId, owner] of Object.entries(after.owners)) count(`buy-parcel ${owner} ${parcelId}`)
  for (const [parcelId, owner] of Object.entries(before.owners)) count(`buy-parcel ${owner} ${parcelId}`, -1)
  for (const operation of operations) {
    if (operation.action === 'claim') {
      if (operation.reply) continue
      const paid = paidBy({ before, after }, operation, operations)
      // How many of several claims have paid is not known.
      if (paid !== null && paid > 0n) counts.set(describeEffect(operation), 1)
    } else if (operation.reply && counts.has(describeEffect(operation))) count(describeEffect(operation), -1)
  }
  for (const [effect, number] of counts) if (number <= 0) counts.delete(effect)
  return counts
}

/** What a worker has paid beyond what the answers say. */
function paidBy(
  { before, after }: Ends,
  operation: Operation,
  operations: readonly Operation[],
): bigint | null {
  if (operation.action !== 'claim') return null
  const { workerId } = operation.args
  const claimed = (state: Ends['after']): bigint =>
    units(state.workers.find(({ id }) => id === workerId)?.claimed ?? 0)
  const answered = operations.flatMap((each) =>
    each.action === 'claim' && each.args.workerId === workerId && each.reply ? units(each.reply.amount) : [],
  )
  return claimed(after) - claimed(before) - answered.reduce((sum, amount) => sum + amount, 0n)
}
