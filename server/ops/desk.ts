import type { Chain } from '#server/chain/port.ts'
import { type OwnChain, readOwnChain } from '#server/deposits/connect-own-chain.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import type { Arguments } from './read-arguments.ts'

/**
 * What an operator's command works with: the owner's database, a way to speak to the person, and the way to the chain
 * for those that ask it. No command needs a key.
 */
export type Desk = {
  db: Db
  clock: Clock
  say(line: string): void
  connect?: () => Promise<Chain>
  /** Wallets whose tokens are the game's, too. */
  coldWallets?: readonly string[]
}

/** One command of the operator. A refusal is a `StartProblem`: one sentence, and the program ends with 1. */
export type Command = {
  /** What follows its name: `<id> --by <name>`. */
  usage: string
  does: string
  /** How many words stand after its name. */
  words: number | { least: number; most: number }
  options: readonly string[]
  /** Options without a value. */
  flags?: readonly string[]
  run(desk: Desk, given: Arguments): Promise<void>
}

/** The chain of these books. Refuses where they belong to none yet, and where it cannot be reached. */
export async function ownChain({
  db,
  connect,
  coldWallets = [],
}: Desk): Promise<{ chain: Chain; own: OwnChain; cold: readonly string[] }> {
  const own = await readOwnChain(db)
  if (!own) throw new StartProblem('The books belong to no chain yet: the signer has never come up on them.')
  if (!connect) throw new StartProblem('There is no way to the chain from here.')
  return { chain: await connect(), own, cold: coldWallets }
}
