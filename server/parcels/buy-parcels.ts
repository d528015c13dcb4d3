import type { ReplyOf } from '#contract/route.ts'
import type { purchaseParcel } from '#contract/parcels.ts'
import type { ContinentCode } from '#game/continents.ts'
import { baseUnits, type Cotton, formatCotton, toWire } from '#game/cotton.ts'
import { splitPayment, primarySaleEntries, totalOf } from '#game/credit.ts'
import { nextPrice } from '#game/parcels.ts'
import { parcelOf } from '#game/world.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type Answer, type AnswerOf, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'

/** With `expectedPrice` null the purchase accepts any price. */
export type ParcelBuy = ActionRequest & { parcelId: string; expectedPrice: Cotton | null }

type Continent = { code: ContinentCode; price: Cotton; owned: number; excluded: string[]; version: bigint }

// Every sale on a continent contends for its price, so that row is locked last and for the shortest time. The rows are
// locked in the order of their codes, so that two batches over the same continents cannot deadlock.
const lockContinents = sql({
  name: 'parcels-lock-continents',
  params: { codes: 'text[]' },
  row: rowOf<Omit<Continent, 'price'> & { price: bigint }>(),
  text: ({ codes }) =>
    `select code, price, owned, excluded, version from continents where code = any(${codes}) order by code for update`,
})

// No other transaction sells on a locked continent, so an unlocked read sees every earlier sale.
const findOwned = sql({
  name: 'parcels-find-owned',
  params: { ids: 'text[]' },
  row: rowOf<{ parcel_id: string }>(),
  text: ({ ids }) => `select parcel_id from land where parcel_id = any(${ids})`,
})

const updateContinents = sql({
  name: 'parcels-update-continents',
  params: { sold: rowset({ code: 'text', price: 'bigint', owned: 'integer', version: 'bigint' }) },
  text: ({ sold }) =>
    `update continents c set price = sold.price, owned = sold.owned, version = sold.version from ${sold}
     where c.code = sold.code and c.version <> sold.version`,
})

const addLand = sql({
  name: 'parcels-add-land',
  params: {
    bought: rowset({
      parcel_id: 'text',
      region: 'text',
      wallet: 'text',
      price_paid: 'bigint',
      journal_id: 'uuid',
    }),
    now: 'timestamptz',
  },
  text: ({ bought, now }) =>
    `insert into land (parcel_id, region, wallet, price_paid, journal_id, bought_at)
     select parcel_id, region, wallet, price_paid, journal_id, ${now} from ${bought}`,
})

/**
 * Sells parcels of the game: many requests in, one answer each, in their order. Each sale charges the price of its
 * continent and raises it for the next sale, also within the batch. A parcel has one buyer.
 */
export async function buyParcels(
  tx: Tx,
  buys: readonly ParcelBuy[],
  clock: Clock,
): Promise<AnswerOf<typeof purchaseParcel>[]> {
  const act = async (ledger: Ledger, fresh: readonly ParcelBuy[], now: Date, locked: LockedContinents) => {
    const sales: Sale[] = []
    const answers = fresh.map((buy) => {
      const refusal = refusalOf(locked, buy)
      if (refusal) return refusal
      const sale = sell(locked, ledger, buy, now)
      if (sale.refusal) return sale
      sales.push(sale.reply)
      return granted(replyFor(sale.reply, ledger))
    })
    write(tx, { locked, sales, now })
    return answers
  }
  return runOnce(tx, buys, clock, act, { lockAndRead: () => lockAndReadContinents(tx, buys) })
}

type LockedContinents = { continents: Map<string, Continent>; owned: Set<string> }
type Sale = {
  parcelId: string
  wallet: string
  region: ContinentCode
  paid: Cotton
  journalId: string
  newPrice: Cotton
  version: bigint
}

async function lockAndReadContinents(tx: Tx, buys: readonly ParcelBuy[]): Promise<LockedContinents> {
  const known = buys.flatMap((buy) => parcelOf(buy.parcelId) ?? [])
  if (known.length === 0) return { continents: new Map(), owned: new Set() }
  const [rows, owned] = await Promise.all([
    tx.rows(lockContinents, { codes: [...new Set(known.map((parcel) => parcel.regionId))] }),
    tx.rows(findOwned, { ids: known.map((parcel) => parcel.parcelId) }),
  ])
  return {
    continents: new Map(rows.map((row) => [row.code, { ...row, price: baseUnits(row.price) }])),
    owned: new Set(owned.map((row) => row.parcel_id)),
  }
}

function refusalOf({ continents, owned }: LockedContinents, buy: ParcelBuy) {
  const parcel = parcelOf(buy.parcelId)
  const continent = parcel && continents.get(parcel.regionId)
  if (!continent) return refused('parcel_not_found')
  if (owned.has(buy.parcelId)) return refused('parcel_owned')
  if (continent.excluded.includes(buy.parcelId)) return refused('parcel_not_found')
  if (buy.expectedPrice !== null && buy.expectedPrice !== continent.price) {
    return refused('price_moved', { newPrice: toWire(continent.price) })
  }
  return null
}

function sell(
  { continents, owned }: LockedContinents,
  ledger: Ledger,
  buy: ParcelBuy,
  at: Date,
): Answer<Sale, 'not_enough_credit_for_parcel'> {
  const { wallet, parcelId } = buy
  const continent = continents.get(parcelOf(parcelId)!.regionId)!
  const price = continent.price
  const balances = ledger.balances(wallet)
  const paid = splitPayment(balances, price)
  if (!paid) {
    const facts = { required: formatCotton(price), available: formatCotton(totalOf(balances)) }
    return refused('not_enough_credit_for_parcel', facts)
  }
  const detail = { parcelId, price: toWire(price) }
  const journalId = ledger.post({
    wallet,
    kind: 'parcel',
    at,
    detail,
    entries: primarySaleEntries(wallet, paid),
  })
  owned.add(parcelId)
  continent.price = nextPrice(price)
  continent.owned += 1
  continent.version += 1n
  const { code: region, price: newPrice, version } = continent
  return granted({ parcelId, wallet, region, paid: price, journalId, newPrice, version })
}

function replyFor(
  { parcelId, wallet, paid, newPrice, version }: Sale,
  ledger: Ledger,
): ReplyOf<typeof purchaseParcel> {
  return {
    success: true,
    message: `Parcel ${parcelId} purchased successfully for ${formatCotton(paid)} tokens.`,
    parcel: { parcelId, owned: true, ownerWallet: wallet, pricePaid: toWire(paid) },
    newContinentPrice: toWire(newPrice),
    newBalance: toWire(totalOf(ledger.balances(wallet))),
    version: Number(version),
  }
}

function write(
  tx: Tx,
  { locked, sales, now }: { locked: LockedContinents; sales: readonly Sale[]; now: Date },
): void {
  if (sales.length === 0) return
  const bought = sales.map(({ parcelId, region, wallet, paid, journalId }) => ({
    parcel_id: parcelId,
    region,
    wallet,
    price_paid: paid,
    journal_id: journalId,
  }))
  tx.send(addLand, { bought, now })
  tx.send(updateContinents, { sold: [...locked.continents.values()] })
}
