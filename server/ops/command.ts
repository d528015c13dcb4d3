import type { Cotton } from '#game/cotton.ts'
import type { Chain } from '#server/chain/port.ts'
import { type BoundChain, readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import type { Operators } from '#server/operators/read-operators.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db, Queryable } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'

/** What an operator's command uses: the owner's database, an output, and a connection to the chain. It needs no key. */
export type CommandContext = {
  db: Db
  clock: Clock
  say(line: string): void
  /** Prints what is not part of the output, which may go into a file. Default: `say`. */
  warn?(line: string): void
  connect?: () => Promise<Chain>
  /** The wallets of cold storage. */
  coldWallets?: readonly string[]
  /** `LARGE_DEPOSIT`: from this amount on, two nodes must report the same deposit. Default: that of the setting. */
  largeFrom?: Cotton
  /** What acts that an operator signs need. */
  acts?: ActSettings
}

export type ActSettings = {
  publicUrl: string
  /** The operators' file, as it is now. */
  operators: Operators
  /** Waits before the outcome is read again. */
  sleep(ms: number): Promise<void>
}

/** The arguments of a command: words in order, and options by name. */
export type Arguments = {
  positionals: readonly string[]
  options: Readonly<Record<string, string | undefined>>
  /** Options without a value that were given. */
  flags: ReadonlySet<string>
}

/** One command of the operator. A refusal is a `StartupError`: one sentence, and the program exits with 1. */
export type Command = {
  /** What follows its name: `<id> --by <name>`. */
  usage: string
  description: string
  /** How many words follow its name. */
  positionals: number | { min: number; max: number }
  options: readonly string[]
  /** Options without a value. */
  flags?: readonly string[]
  run(context: CommandContext, given: Arguments): Promise<void>
}

/** The chain that the database is bound to. Throws a `StartupError` if there is none yet, or if it is unreachable. */
export async function requireChain({
  db,
  connect,
  coldWallets = [],
}: CommandContext): Promise<{ chain: Chain; boundChain: BoundChain; cold: readonly string[] }> {
  const boundChain = await requireBoundChain(db)
  if (!connect) throw new StartupError('This command has no connection to the chain.')
  return { chain: await connect(), boundChain, cold: coldWallets }
}

/** What the database says of the chain that it is bound to. Throws a `StartupError` if there is none yet. */
export async function requireBoundChain(db: Queryable): Promise<BoundChain> {
  const boundChain = await readBoundChain(db)
  if (!boundChain)
    throw new StartupError('The database is not bound to a chain yet: the signer has never started on it.')
  return boundChain
}
