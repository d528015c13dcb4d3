import { type Amount, type Segment, formatUnits, units } from './history.ts'
import type { Operation } from './operations.ts'

type Ends = Pick<Segment, 'before' | 'after'>

type Of<A extends Operation['action']> = Extract<Operation, { action: A }>

/** What was acknowledged is stored, once; and nothing is stored that no client asked for. */
export function checkStored(ends: Ends, operations: readonly Operation[]): string[] {
  const only = <A extends Operation['action']>(action: A): Of<A>[] =>
    operations.filter((operation): operation is Of<A> => operation.action === action)
  return [
    ...checkWorkers(ends, only('hire')),
    ...checkSupply(ends),
    ...checkClaims(ends, only('claim')),
    ...checkWithdrawals(ends, only('withdraw')),
    ...checkDeposits(ends, only('deposit')),
    ...checkCancelled(ends, only('cancel-withdrawal')),
    ...checkPaid(ends),
    ...checkListed(ends, only('list')),
    ...checkListings(ends, operations),
  ]
}

function checkWorkers({ before, after }: Ends, hires: readonly Of<'hire'>[]): string[] {
  const acknowledged = hires.flatMap(({ wallet, args, reply }) =>
    reply ? [{ id: reply.workerId, what: `${args.type} of ${wallet}` }] : [],
  )
  const unknown = hires.filter(({ reply }) => !reply).map(({ wallet, args }) => `${args.type} of ${wallet}`)
  const rows = (state: Ends['after']) =>
    state.workers.map(({ id, type, wallet }) => ({ id, what: `${type} of ${wallet}` }))
  return compare('worker', { before: rows(before), after: rows(after), acknowledged, unknown })
}

function checkWithdrawals({ before, after }: Ends, requests: readonly Of<'withdraw'>[]): string[] {
  const describe = (wallet: string, amount: bigint): string => `${formatUnits(amount)} of ${wallet}`
  const acknowledged = requests.flatMap(({ wallet, args, reply }) =>
    reply ? [{ id: reply.withdrawalId, what: describe(wallet, units(args.amount)) }] : [],
  )
  const unknown = requests
    .filter(({ reply }) => !reply)
    .map(({ wallet, args }) => describe(wallet, units(args.amount)))
  const rows = (state: Ends['after']) =>
    state.withdrawals.map(({ id, wallet, amount }) => ({ id, what: describe(wallet, units(amount)) }))
  return compare('withdrawal', { before: rows(before), after: rows(after), acknowledged, unknown })
}

function checkDeposits({ before, after }: Ends, deposits: readonly Of<'deposit'>[]): string[] {
  const rowOf = (signature: string, { wallet, amount }: { wallet: string; amount: Amount }): Row => ({
    id: signature,
    what: `${formatUnits(units(amount))} of ${wallet}`,
  })
  const made = deposits.map(({ wallet, args, reply }) => ({
    isAcknowledged: reply !== null,
    row: rowOf(args.signature, { wallet, amount: args.amount }),
  }))
  const rows = (state: Ends['after']) => state.deposits.map((each) => rowOf(each.signature, each))
  const acknowledged = made.filter(({ isAcknowledged }) => isAcknowledged).map(({ row }) => row)
  const unknown = made.filter(({ isAcknowledged }) => !isAcknowledged).map(({ row }) => row.what)
  return compare('deposit', { before: rows(before), after: rows(after), acknowledged, unknown })
}

type Row = { id: string; what: string }
type Rows = { before: readonly Row[]; after: readonly Row[]; acknowledged: readonly Row[]; unknown: string[] }

function compare(noun: string, { before, after, acknowledged, unknown }: Rows): string[] {
  const stored = new Map(after.map(({ id, what }) => [id, what]))
  const known = new Set(acknowledged.map(({ id }) => id))
  const faults = [...before, ...acknowledged].flatMap(({ id, what }) => {
    if (!stored.has(id)) return [`The ${noun} ${id} (${what}) was acknowledged and is lost.`]
    return stored.get(id) === what
      ? []
      : [`The ${noun} ${id} was acknowledged as ${what} and is stored as ${stored.get(id)}.`]
  })
  if (stored.size < after.length) faults.push(`A ${noun} is stored under the id of another.`)
  if (known.size < acknowledged.length) {
    const counts = Map.groupBy(acknowledged, ({ id }) => id)
    const [id] = [...counts].find(([, rows]) => rows.length > 1)!
    faults.push(`The ${noun} ${id} was acknowledged for two keys.`)
  }
  const earlier = new Set(before.map(({ id }) => id))
  for (const { id, what } of acknowledged.filter((row) => earlier.has(row.id)))
    faults.push(`The ${noun} ${id} (${what}) was stored before, and the one acknowledged now is lost.`)
  const unexplained = [...unknown]
  for (const { id, what } of after.filter((row) => !earlier.has(row.id) && !known.has(row.id))) {
    const at = unexplained.indexOf(what)
    if (at >= 0) unexplained.splice(at, 1)
    else faults.push(`The ${noun} ${id} (${what}) is stored and no request explains it: something ran twice.`)
  }
  return faults
}

function checkSupply({ before, after }: Ends): string[] {
  return Object.entries(after.supply).flatMap(([type, { sold, max }]) => {
    const stored = after.workers.filter((worker) => worker.type === type).length
    const faults: string[] = []
    if (sold > max) faults.push(`${sold} ${type} are sold, and the supply is ${max}.`)
    if (stored !== sold) faults.push(`${sold} ${type} are counted as sold, and ${stored} are stored.`)
    if (sold < (before.supply[type]?.sold ?? 0)) faults.push(`Fewer ${type} are sold than before.`)
    return faults
  })
}

/** What a worker has paid grows by what its claims were answered, and it pays its owner only. */
function checkClaims({ before, after }: Ends, claims: readonly Of<'claim'>[]): string[] {
  const earlier = new Map(before.workers.map(({ id, claimed }) => [id, units(claimed)]))
  const byWorker = Map.groupBy(claims, ({ args }) => args.workerId)
  const owners = new Map(after.workers.map(({ id, wallet }) => [id, wallet]))
  const foreign = claims.flatMap(({ wallet, args: { workerId }, reply }) => {
    const owner = owners.get(workerId)
    return reply === null || owner === wallet
      ? []
      : [`${workerId} has paid ${wallet}, and is stored as a worker of ${owner ?? 'nobody'}.`]
  })
  const wrong = after.workers.flatMap(({ id, claimed }) => {
    const own = byWorker.get(id) ?? []
    const answered = own.reduce((sum, { reply }) => sum + (reply ? units(reply.amount) : 0n), 0n)
    const paid = units(claimed) - (earlier.get(id) ?? 0n)
    const mayBeMore = own.some(({ reply }) => !reply)
    if (paid === answered || (paid > answered && mayBeMore)) return []
    return [
      `${id} has paid ${formatUnits(paid)}, and its claims were answered with ${formatUnits(answered)}.`,
    ]
  })
  return [...foreign, ...wrong]
}

/** A withdrawal stays cancelled, and only its wallet cancels it. */
function checkCancelled({ before, after }: Ends, cancels: readonly Of<'cancel-withdrawal'>[]): string[] {
  const cancelledIn = ({ withdrawals }: Ends['after']) =>
    withdrawals.filter(({ cancelled }) => cancelled).map(({ id }) => id)
  const stored = new Set(cancelledIn(after))
  const owners = new Map(after.withdrawals.map(({ id, wallet }) => [id, wallet]))
  const acknowledged = cancels.filter(({ reply }) => reply)
  const isForeign = ({ wallet, args: { withdrawalId } }: Of<'cancel-withdrawal'>): boolean =>
    owners.has(withdrawalId) && owners.get(withdrawalId) !== wallet
  const idOf = ({ args }: Of<'cancel-withdrawal'>): string => args.withdrawalId
  const lost = new Set([...cancelledIn(before), ...acknowledged.map(idOf)].filter((id) => !stored.has(id)))
  const own = cancels.filter((each) => !isForeign(each))
  const asked = new Set([...cancelledIn(before), ...own.map(idOf)])
  return [
    ...acknowledged
      .filter(isForeign)
      .map((each) => `The withdrawal ${idOf(each)} is not one of ${each.wallet}, who has cancelled it.`),
    ...[...lost].map((id) => `The withdrawal ${id} was cancelled, and that is lost.`),
    ...[...stored]
      .filter((id) => !asked.has(id))
      .map((id) => `The withdrawal ${id} is cancelled and no request explains it.`),
  ]
}

/** A withdrawal ends as paid or as refunded and stays so, and what is cancelled is never paid. */
function checkPaid({ before, after }: Ends): string[] {
  const stored = new Map(after.withdrawals.map((withdrawal) => [withdrawal.id, withdrawal]))
  const lost = (['paid', 'refunded'] as const).flatMap((end) =>
    before.withdrawals
      .filter((withdrawal) => withdrawal[end] && !stored.get(withdrawal.id)?.[end])
      .map(({ id }) => `The withdrawal ${id} was ${end}, and that is lost.`),
  )
  const paid = after.withdrawals.filter((withdrawal) => withdrawal.paid)
  return [
    ...lost,
    ...paid
      .filter(({ cancelled }) => cancelled)
      .map(({ id }) => `The withdrawal ${id} was cancelled and is stored as paid.`),
    ...paid
      .filter(({ refunded }) => refunded)
      .map(({ id }) => `The withdrawal ${id} is stored as paid and as refunded.`),
  ]
}

/** Each listing is stored once, as its seller asked for it, and a parcel has one that is active. */
function checkListed({ before, after }: Ends, offers: readonly Of<'list'>[]): string[] {
  const describe = (seller: string, { parcelId, price }: { parcelId: string; price: Amount }): string =>
    `${parcelId} of ${seller} for ${formatUnits(units(price))}`
  const acknowledged = offers.flatMap(({ wallet, args, reply }) =>
    reply ? [{ id: reply.listingId, what: describe(wallet, args) }] : [],
  )
  const unknown = offers.filter(({ reply }) => !reply).map(({ wallet, args }) => describe(wallet, args))
  const rows = (state: Ends['after']) =>
    state.listings.map((listing) => ({ id: listing.id, what: describe(listing.seller, listing) }))
  const active = after.listings.filter(({ state }) => state === 'active').map(({ parcelId }) => parcelId)
  const twice = new Set(active.filter((parcelId, at) => active.indexOf(parcelId) !== at))
  return [
    ...compare('listing', { before: rows(before), after: rows(after), acknowledged, unknown }),
    ...[...twice].map((parcelId) => `${parcelId} has two active listings.`),
  ]
}

/** `checkLand` has the order; here the end of each listing counts. */
function checkListings({ before, after }: Ends, operations: readonly Operation[]): string[] {
  const stored = new Map(after.listings.map((listing) => [listing.id, listing]))
  const sold = new Set<string>()
  const wrong = operations.flatMap((operation) => {
    if (operation.reply === null) return []
    if (operation.action === 'cancel') {
      const { listingId } = operation.args
      return stored.get(listingId)?.state === 'cancelled'
        ? []
        : [`The listing ${listingId} was cancelled, and is stored as ${stored.get(listingId)?.state}.`]
    }
    if (operation.action !== 'buy-listing') return []
    const { listingId } = operation.args
    const listing = stored.get(listingId)
    const faults = sold.has(listingId) ? [`The listing ${listingId} was sold twice.`] : []
    sold.add(listingId)
    if (listing?.state !== 'sold' || listing.buyer !== operation.wallet)
      faults.push(`The listing ${listingId} was sold to ${operation.wallet}, and that is lost.`)
    return faults
  })
  return [...wrong, ...findUnexplainedEnds({ before, after }, operations)]
}

/** A listing that was sold or cancelled stays so. One that is now was bought, or cancelled by its seller. */
function findUnexplainedEnds({ before, after }: Ends, operations: readonly Operation[]): string[] {
  const earlier = new Map(before.listings.map((listing) => [listing.id, listing]))
  const asked = new Set(
    operations.flatMap(({ action, wallet, args }) =>
      'listingId' in args ? `${action} ${args.listingId} ${wallet}` : [],
    ),
  )
  return after.listings.flatMap(({ id, seller, state, buyer }) => {
    const known = earlier.get(id)
    if (known && known.state !== 'active')
      return known.state === state && known.buyer === buyer
        ? []
        : [`The listing ${id} was ${known.state}, and that is lost.`]
    const isExplained =
      state === 'active' ||
      asked.has(state === 'sold' ? `buy-listing ${id} ${buyer}` : `cancel ${id} ${seller}`)
    return isExplained ? [] : [`The listing ${id} is ${state} and no request explains it.`]
  })
}
