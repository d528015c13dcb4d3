import { cotton } from '#game/cotton.ts'
import { fundingEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import type { TestWorld } from './test-world.ts'

/** Adds tokens to the pool. One percent of it is the budget of a day. */
export const fundPool = ({ db, clock }: TestWorld, whole: number): Promise<void> =>
  db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [])
    const entries = fundingEntries(cotton(whole))
    ledger.post({ wallet: 'operator', kind: 'funding', at: clock.now(), detail: {}, entries })
    ledger.write()
  })
