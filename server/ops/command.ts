import type { Chain } from '#server/chain/port.ts'
import { type BoundChain, readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Arguments } from './read-arguments.ts'

/**
 * What an operator's command works with: the owner's database, a way to speak to the person, and the way to the chain
 * for those that ask it. No command needs a key.
 */
export type CommandContext = {
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
  description: string
  /** How many words stand after its name. */
  positionals: number | { min: number; max: number }
  options: readonly string[]
  /** Options without a value. */
  flags?: readonly string[]
  run(context: CommandContext, given: Arguments): Promise<void>
}

/** The chain of these books. Refuses where they belong to none yet, and where it cannot be reached. */
export async function requireChain({
  db,
  connect,
  coldWallets = [],
}: CommandContext): Promise<{ chain: Chain; boundChain: BoundChain; cold: readonly string[] }> {
  const boundChain = await readBoundChain(db)
  if (!boundChain)
    throw new StartupError('The books belong to no chain yet: the signer has never come up on them.')
  if (!connect) throw new StartupError('There is no way to the chain from here.')
  return { chain: await connect(), boundChain, cold: coldWallets }
}
