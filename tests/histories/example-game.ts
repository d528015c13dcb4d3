import { type Call, formatUnits, type State, units } from './history.ts'

/** The answer of the example, without number and time. */
export type Outcome = { outcome: 'done'; reply: object } | { outcome: 'refused'; code: string }

export const TYPES = { kid: { price: 50, max: 12 }, bigman: { price: 500, max: 4 } } as const
export const PARCELS = ['p1', 'p2', 'p3', 'p4']
export const PARCEL_PRICE = 100
const START = 3000
const OPEN = { cancelled: false, refunded: false, paid: false }

type Worker = { id: string; wallet: string; type: string; claimed: bigint }

/** A tiny game with the actions of a history, to make histories from. It runs one call after the other. */
export class ExampleGame {
  balances: Record<string, bigint> = {}
  workers: Worker[] = []
  owners: Record<string, string> = {}
  listings: State['listings'] = []
  withdrawals: State['withdrawals'] = []
  deposits: State['deposits'] = []
  /** What the chain has and the game has not credited. */
  landed: State['deposits'] = []
  replies: Record<string, object> = {}
  ids = 0

  /** A copy, as a standby or a backup is one. */
  copy(): ExampleGame {
    return Object.assign(new ExampleGame(), structuredClone({ ...this }))
  }

  /** Gives the answer that is stored under the call's key, or runs the call. */
  answer(call: Call, withKey = true): Outcome {
    const stored = call.key === null || !withKey ? undefined : this.replies[call.key]
    if (stored) return { outcome: 'done', reply: stored }
    const answer = this.run(call)
    if (withKey && call.key !== null && answer.outcome === 'done') this.replies[call.key] = answer.reply
    return answer
  }

  run({ action, wallet, args }: Call): Outcome {
    const given = args as Record<string, string>
    const listing = this.listings.find(({ id, state }) => id === given.listingId && state === 'active')
    switch (action) {
      case 'read-balance':
        return done({ balance: this.balance(wallet) })
      case 'read-owner':
        return done({ owner: this.owners[given.parcelId!] ?? null })
      case 'claim': {
        const worker = this.workers.find(({ id }) => id === given.workerId)
        if (worker?.wallet !== wallet) return refused('worker_not_found')
        worker.claimed += units(3)
        return done({ amount: 3, balance: this.add(wallet, units(3)) })
      }
      case 'hire': {
        const type = given.type as keyof typeof TYPES
        const sold = this.workers.filter((worker) => worker.type === type).length
        if (sold >= TYPES[type].max) return refused('sold_out')
        const balance = this.pay(wallet, units(given.price!))
        if (balance === null) return refused('not_enough_credit')
        const id = `${type}-${sold + 1}`
        this.workers.push({ id, wallet, type, claimed: 0n })
        return done({ workerId: id, balance })
      }
      case 'buy-parcel': {
        if (this.owners[given.parcelId!]) return refused('parcel_owned')
        const balance = this.pay(wallet, units(given.price!))
        if (balance === null) return refused('not_enough_credit')
        this.owners[given.parcelId!] = wallet
        return done({ balance })
      }
      case 'list': {
        const { parcelId, price } = given as { parcelId: string; price: string }
        const isListed = this.listings.some((each) => each.parcelId === parcelId && each.state === 'active')
        if (this.owners[parcelId] !== wallet || isListed) return refused('already_listed')
        const id = `listing-${++this.ids}`
        this.listings.push({ id, parcelId, seller: wallet, price, state: 'active', buyer: null })
        return done({ listingId: id })
      }
      case 'buy-listing': {
        if (!listing || listing.seller === wallet) return refused('listing_gone')
        const balance = this.pay(wallet, units(listing.price))
        if (balance === null) return refused('not_enough_credit')
        this.add(listing.seller, units(given.receives!))
        Object.assign(listing, { state: 'sold', buyer: wallet })
        this.owners[listing.parcelId] = wallet
        return done({ balance })
      }
      case 'cancel':
        if (listing?.seller !== wallet) return refused('listing_gone')
        listing.state = 'cancelled'
        return done({})
      case 'withdraw': {
        const balance = this.pay(wallet, units(given.amount!))
        if (balance === null) return refused('above_balance')
        const id = `withdrawal-${++this.ids}`
        this.withdrawals.push({ id, wallet, amount: given.amount!, ...OPEN })
        return done({ withdrawalId: id, balance })
      }
      case 'cancel-withdrawal': {
        const withdrawal = this.withdrawals.find(({ id }) => id === given.withdrawalId)
        if (withdrawal?.wallet !== wallet || withdrawal.cancelled || withdrawal.paid)
          return refused('not_cancellable')
        withdrawal.cancelled = true
        return done({})
      }
      case 'deposit': {
        const { signature, amount } = given as { signature: string; amount: string }
        if (![...this.landed, ...this.deposits].some((each) => each.signature === signature))
          this.landed.push({ signature, wallet, amount })
        return done({})
      }
    }
  }

  /** What a watcher does some time later. */
  creditDeposits(): void {
    for (const deposit of this.landed.splice(0)) {
      this.deposits.push(deposit)
      this.add(deposit.wallet, units(deposit.amount))
    }
  }

  /** What a signer does some time later. */
  refundCancelled(): void {
    const due = this.withdrawals.filter(({ cancelled, refunded, paid }) => cancelled && !refunded && !paid)
    for (const withdrawal of due) {
      withdrawal.refunded = true
      this.add(withdrawal.wallet, units(withdrawal.amount))
    }
  }

  /** What it does with those that are not cancelled, or by mistake with those that are. */
  payWithdrawals({ ofCancelled = false } = {}): void {
    for (const withdrawal of this.withdrawals)
      if (withdrawal.cancelled === ofCancelled && !withdrawal.refunded) withdrawal.paid = true
  }

  state(at: number): State {
    const { balances, workers, owners, listings, withdrawals, deposits } = structuredClone({ ...this })
    return {
      event: 'state',
      at,
      balances: Object.fromEntries(
        Object.entries(balances).map(([wallet, each]) => [wallet, formatUnits(each)]),
      ),
      workers: workers.map((worker) => ({ ...worker, claimed: formatUnits(worker.claimed) })),
      supply: Object.fromEntries(
        Object.entries(TYPES).map(([type, { max }]) => {
          return [type, { max, sold: workers.filter((worker) => worker.type === type).length }]
        }),
      ),
      owners,
      listings,
      withdrawals,
      deposits,
    }
  }

  private balance(wallet: string): string {
    return formatUnits((this.balances[wallet] ??= units(START)))
  }

  private add(wallet: string, amount: bigint): string {
    this.balances[wallet] = (this.balances[wallet] ?? units(START)) + amount
    return this.balance(wallet)
  }

  private pay(wallet: string, price: bigint): string | null {
    this.balance(wallet)
    return this.balances[wallet]! < price ? null : this.add(wallet, -price)
  }
}

const done = (reply: object): Outcome => ({ outcome: 'done', reply })
const refused = (code: string): Outcome => ({ outcome: 'refused', code })
