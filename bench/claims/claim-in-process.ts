import { randomUUID } from 'node:crypto'
import { submitting } from '#server/account/submit.ts'
import { Refused } from '#server/platform/answer.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { claim, type Claim } from '#server/workers/claim.ts'
import { PLAYERS, walletOf, workerOf } from '../players.ts'
import { quantile } from '../statistics.ts'

export type Load = { clients: number; seconds: number }
export type Paid = { paid: number; seconds: number; p50Ms: number; p99Ms: number }

const BODY_HASH = Buffer.alloc(32, 7)

/** Claims in this very process, without HTTP and sessions: each client waits for its answer before it asks again. */
export async function claimInProcess(
  submit: (claim: Claim) => Promise<unknown>,
  { clients, seconds }: Load,
): Promise<Paid> {
  const latencies: number[] = []
  const from = performance.now()
  const until = from + seconds * 1000
  const claimInTurn = async () => {
    for (let asking = performance.now(); asking < until; asking = performance.now()) {
      const player = 1 + Math.floor(Math.random() * PLAYERS)
      const key = { route: '/api/workers/claim', key: randomUUID(), bodyHash: BODY_HASH }
      try {
        await submit({ wallet: walletOf(player), workerId: workerOf(player), key })
        latencies.push(performance.now() - asking)
      } catch (error) {
        // A worker that was claimed a moment ago has nothing yet.
        if (!(error instanceof Refused)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, claimInTurn))
  const took = (performance.now() - from) / 1000
  return {
    paid: latencies.length,
    seconds: took,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  }
}

/** The product's gathering over a pool of this process. */
export const gathered = (db: Db) => submitting({ db, clock: systemClock }, claim)

/** Each claim in a transaction of its own. */
export const alone = (db: Db) => async (asked: Claim) => {
  const [answer] = await db.transaction((tx) => claim(tx, [asked], systemClock))
  if (answer!.refusal) throw new Refused(answer!.refusal)
}
