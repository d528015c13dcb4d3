import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Arguments } from './read-arguments.ts'

/** What an operator's command works with: the owner's database, and a way to speak to the person. */
export type Desk = { db: Db; clock: Clock; say(line: string): void }

/** One command of the operator. A refusal is a `StartProblem`: one sentence, and the program ends with 1. */
export type Command = {
  /** What follows its name: `<id> --by <name>`. */
  usage: string
  does: string
  /** How many words stand after its name. */
  words: number
  options: readonly string[]
  run(desk: Desk, given: Arguments): Promise<void>
}
