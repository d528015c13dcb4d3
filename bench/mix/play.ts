import { keepAlive, type KeepAlive } from '../keep-alive.ts'
import { processorOf } from '../processor-of.ts'
import type { Child } from '../start-child.ts'
import { chosenFrom, type Kind } from './evening.ts'
import type { Watched, WatchQuestion } from './watch-process.ts'

/** Requests on their way at a time. */
export const LANES = 128

export type Answers = { latencies: number[]; refused: number }

/** What came of playing for a while. */
export type Played = {
  perSecond: number
  seconds: number
  answers: Map<string, Answers>
  /** Cores that each of them kept busy. */
  cores: Record<string, number>
  watched: Watched
}

type Play = {
  api: Child<string>
  kinds: readonly Kind[]
  seconds: number
  profiled: boolean
  pids: Record<string, readonly number[]>
}

/** Lets players ask for all kinds of things at once. */
export async function playFor({ api, kinds, seconds, profiled, pids }: Play): Promise<Played> {
  const choose = chosenFrom(kinds)
  const answers = new Map(kinds.map(({ name }): [string, Answers] => [name, { latencies: [], refused: 0 }]))
  const open = await Promise.all(Array.from({ length: LANES }, () => keepAlive(api.hello)))
  await api.ask({ what: 'watch', profiled } satisfies WatchQuestion)
  const before = spentBy(pids)
  const from = performance.now()
  const until = from + seconds * 1000
  const askInTurn = async (connection: KeepAlive) => {
    while (performance.now() < until) {
      const kind = choose()
      await askOne(connection, kind, answers.get(kind.name)!)
    }
  }
  await Promise.all(open.map(askInTurn))
  const took = (performance.now() - from) / 1000
  const after = spentBy(pids)
  const watched = await api.ask<Watched>({ what: 'watched' } satisfies WatchQuestion)
  for (const each of open) each.close()
  const count = [...answers.values()].reduce((sum, { latencies }) => sum + latencies.length, 0)
  const cores = Object.fromEntries(Object.keys(pids).map((who) => [who, (after[who]! - before[who]!) / took]))
  return { perSecond: count / took, seconds: took, answers, cores, watched }
}

/** Seconds of the processor that each of them has had so far. */
const spentBy = (pids: Play['pids']): Record<string, number> =>
  Object.fromEntries(
    Object.entries(pids).map(([who, all]) => [
      who,
      all.reduce((sum, pid) => sum + (processorOf(pid) ?? 0), 0),
    ]),
  )

async function askOne(connection: KeepAlive, kind: Kind, answers: Answers): Promise<void> {
  const { request, learn } = kind.ask()
  const asking = performance.now()
  const answer = await connection.ask(request)
  answers.latencies.push(performance.now() - asking)
  const status = Number(answer.slice(9, 12))
  learn?.(answer, status)
  if (status === 409) answers.refused += 1
  else if (status !== 200 && status !== 304) throw new Error(`${kind.name} was answered with ${answer}`)
}
