import * as contract from '#contract/transparency.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { readTogether } from '#server/platform/db/read-together.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { readTransparency, type Transparency } from './read-transparency.ts'

/** The figures are read at most once in this time, however many requests arrive. */
const CACHE_MS = 3_000

/** Serves the public figures of the game's money from a cached response. */
export function transparencyRoutes(serve: Serve, deps: { db: Db; clock: Clock }): void {
  serve(contract.readTransparency, createTransparencyView(deps))
}

function createTransparencyView({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): () => Promise<CachedResponse<Transparency>> {
  let cached: { response: Promise<CachedResponse<Transparency>>; at: number } | null = null
  const read = async (now: Date): Promise<CachedResponse<Transparency>> => {
    try {
      return new CachedResponse(await readTogether(db, (tx) => readTransparency(tx, now)))
    } catch (error) {
      cached = null
      throw error
    }
  }
  return () => {
    const now = clock.now()
    if (!cached || Math.abs(now.getTime() - cached.at) >= CACHE_MS) {
      cached = { response: read(now), at: now.getTime() }
    }
    return cached.response
  }
}
