import * as contract from '#contract/transparency.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Kept } from '#server/platform/http/kept.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { readTransparency, type Transparency } from './read-transparency.ts'

/** The figures are read at most this often, however many ask. */
const FRESH_MS = 3_000

/** What anybody may know of the game's money, from bytes in memory. */
export function transparencyRoutes(serve: Serve, deps: { db: Db; clock: Clock }): void {
  serve(contract.readTransparency, openTransparencyView(deps))
}

function openTransparencyView({ db, clock }: { db: Db; clock: Clock }): () => Promise<Kept<Transparency>> {
  let kept: { answer: Promise<Kept<Transparency>>; at: number } | null = null
  const read = async (now: Date): Promise<Kept<Transparency>> => {
    try {
      return new Kept(await readTransparency(db, now))
    } catch (error) {
      kept = null
      throw error
    }
  }
  return () => {
    const now = clock.now()
    if (!kept || Math.abs(now.getTime() - kept.at) >= FRESH_MS) {
      kept = { answer: read(now), at: now.getTime() }
    }
    return kept.answer
  }
}
