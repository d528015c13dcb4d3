import type { Db } from '#server/platform/db/db.ts'
import { openConnections } from '../load.ts'
import type { Measurement } from '../measure-rounds.ts'
import { postRequest } from '../requests.ts'
import { quantile } from '../statistics.ts'

/** One purchase. `parcelId` is absent for a hire. */
export type Order = { player: number; wallet: string; parcelId?: string; body: object }

/** Something that players buy in courses: when everything on offer is sold, the next offer is made. */
export type Sale = {
  path: string
  /** Makes the next offer, outside the measured time. */
  offer(): Promise<Order[]>
  /** Fails unless the database has these purchases and no others. */
  expectSold(orders: readonly Order[]): Promise<void>
  /** Audits the whole database. */
  audit(): Promise<void>
}

/** The owner's connection, and one with the api's login. */
export type SaleOptions = { owner: Db; db: Db }

/** Sells courses over this many connections until `seconds` have been measured. */
export async function measureSale(
  sale: Sale,
  { url, clients, seconds }: { url: string; clients: number; seconds: number },
): Promise<Measurement> {
  const connections = await openConnections(url, clients)
  const latencies: number[] = []
  let took = 0
  while (took < seconds) {
    const orders = await sale.offer()
    let next = 0
    const buyInTurn = async (client: number) => {
      while (next < orders.length) {
        const { player, body } = orders[next++]!
        const from = performance.now()
        await connections.send(client, postRequest(sale.path, player, body))
        latencies.push(performance.now() - from)
      }
    }
    const from = performance.now()
    await Promise.all(Array.from({ length: clients }, (_, client) => buyInTurn(client)))
    took += (performance.now() - from) / 1000
    await sale.expectSold(orders)
  }
  connections.close()
  return {
    done: latencies.length,
    seconds: took,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  }
}

/** Fails unless each parcel belongs to the player whose purchase was acknowledged. */
export function expectOwners(
  rows: readonly { parcel_id: string; wallet: string }[],
  orders: readonly Order[],
): void {
  const owners = new Map(rows.map((row) => [row.parcel_id, row.wallet]))
  const lost = orders.filter(({ parcelId, wallet }) => owners.get(parcelId!) !== wallet)
  if (lost.length > 0) throw new Error(`${lost.length} acknowledged purchases are missing`)
}
