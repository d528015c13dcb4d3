import type { Cotton } from '#game/cotton.ts'
import { withdraw } from './chain-test-players.ts'
import { signingKeyOf, type TestPlayer } from './test-player.ts'
import type { TestWorld } from './test-world.ts'

/** Requests a withdrawal in a world without a chain, signed by its player. */
export const withdrawFrom = ({ db, clock }: TestWorld, player: TestPlayer, amount: Cotton) => {
  const wallet = { address: player.wallet, signBytes: signingKeyOf(player).sign }
  return withdraw({ api: db, clock }, wallet, amount)
}
