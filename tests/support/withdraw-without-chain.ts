import { type Cotton, cotton } from '#game/cotton.ts'
import { fundingEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { withdraw } from './chain-test-players.ts'
import { signingKeyOf, type TestPlayer } from './test-player.ts'
import type { TestWorld } from './test-world.ts'

/** Requests a withdrawal in a world without a chain, signed by its player. */
export const withdrawFrom = ({ db, clock }: TestWorld, player: TestPlayer, amount: Cotton) => {
  const wallet = { address: player.wallet, signBytes: signingKeyOf(player).sign }
  return withdraw({ api: db, clock }, wallet, amount)
}

/** Adds tokens to the pool. One percent of it is the budget of a day. */
export const fundPool = ({ db, clock }: TestWorld, whole: number): Promise<void> =>
  db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [])
    const entries = fundingEntries(cotton(whole))
    ledger.post({ wallet: 'operator', kind: 'funding', at: clock.now(), detail: {}, entries })
    ledger.write()
  })
