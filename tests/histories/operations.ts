import { isDeepStrictEqual } from 'node:util'
import type { ActionName, Actions, Answer, Call } from './history.ts'

/** What a client wanted once: all attempts with one key, or one read. */
export type Operation = {
  [A in ActionName]: {
    action: A
    wallet: string
    key: string | null
    args: Actions[A]['args']
    /** It took effect between these two times, if it did. `to` is when it was first acknowledged. */
    from: number
    to: number
    /** The first reply, or null if none acknowledged it. */
    reply: Actions[A]['reply'] | null
    /** acknowledged: a reply says that it happened. stored: the state says so. maybe: nobody knows. */
    outcome: 'acknowledged' | 'stored' | 'maybe'
    /** What a claim without a reply has paid, if the state says so. */
    paid: bigint | null
    /** What all claims of its worker without a reply have paid together, if there are several. */
    paidAtMost?: bigint | null
    /** Of equal ones without a reply, of which only the number is known, so many are counted. */
    isCounted?: boolean
    /** The number of its first attempt in the file. */
    call: number
  }
}[ActionName]

/**
 * The operations that happened or may have happened, and what is wrong with the answers to one key. Refused operations
 * are left out, because they change nothing.
 */
export function groupOperations(
  events: readonly (Call | Answer)[],
  { earliest, lateMs }: { earliest: number; lateMs: number },
): { operations: Operation[]; faults: string[] } {
  const answers = new Map(events.flatMap((event) => (event.event === 'answer' ? [[event.call, event]] : [])))
  const calls = events.filter((event) => event.event === 'call')
  const groups = Map.groupBy(calls, ({ call, wallet, action, key }) => `${wallet} ${action} ${key ?? call}`)
  const faults: string[] = []
  const operations = [...groups.values()].flatMap((attempts): Operation[] => {
    const first = attempts[0]!
    if (attempts.some(({ args }) => !isDeepStrictEqual(args, first.args)))
      throw new Error(`The history is malformed: the key ${first.key} has different arguments.`)
    const open = attempts.filter(({ call }) => answers.get(call)?.outcome !== 'refused')
    if (open.length === 0) return []
    const done = open
      .flatMap(({ call }) => answers.get(call) ?? [])
      .filter((answer) => answer.outcome === 'done')
      .toSorted((a, b) => a.at - b.at)
    const reply = done[0]?.reply ?? null
    faults.push(...findChangedAnswers(first, done), ...findLateRefusals(first, attempts, answers))
    // A read without an answer has shown nothing.
    if (reply === null && first.key === null) return []
    const { action, wallet, key, args, call } = first
    const from = Math.max(earliest, Math.min(...open.map(({ at }) => at)))
    const to = done[0]?.at ?? Math.max(...open.map(({ at }) => at)) + lateMs
    const outcome = reply === null ? 'maybe' : 'acknowledged'
    return [{ action, wallet, key, args, from, to, reply, outcome, paid: null, call } as Operation]
  })
  return { operations, faults }
}

function findChangedAnswers(first: Call, done: readonly (Answer & { outcome: 'done' })[]): string[] {
  const other = done.find(({ reply }) => !isDeepStrictEqual(reply, done[0]!.reply))
  if (!other) return []
  const replies = `${JSON.stringify(done[0]!.reply)} and then ${JSON.stringify(other.reply)}`
  return [`The key ${first.key} of ${first.action} by ${first.wallet} was answered with ${replies}.`]
}

/** What was acknowledged is not refused afterwards. */
function findLateRefusals(
  first: Call,
  attempts: readonly Call[],
  answers: ReadonlyMap<number, Answer>,
): string[] {
  const known = attempts.flatMap(({ call }) => answers.get(call) ?? [])
  const doneAt = Math.min(...known.flatMap(({ outcome, at }) => (outcome === 'done' ? at : [])))
  return attempts.flatMap(({ call, at }) => {
    const answer = answers.get(call)
    // The server had no time for it, which denies nothing.
    if (answer?.outcome !== 'refused' || answer.code === 'busy' || at < doneAt) return []
    return `The key ${first.key} of ${first.action} by ${first.wallet} was acknowledged and later refused: ${answer.code}.`
  })
}

/** How a sentence names an operation. */
export function nameOperation({ action, wallet, args, call, reply }: Operation): string {
  const outcome = reply === null ? 'unknown outcome' : `answered ${JSON.stringify(reply)}`
  return `call ${call}, ${action} ${JSON.stringify(args)} by ${wallet}, ${outcome}`
}
