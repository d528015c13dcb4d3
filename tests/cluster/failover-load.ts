import { setTimeout as sleep } from 'node:timers/promises'
import type { ActionName } from '#tests/histories/history.ts'
import type { Player } from '#tests/e2e/funded-player.ts'
import { attempt, type HistoryLog, type LoggedAction, type Outcome } from './logged-calls.ts'
import { chooseAction, type Known, noteOutcome } from './player-actions.ts'

const CLIENTS_EACH = 2
const MAX_ATTEMPTS = 60
/** At the end most open outcomes are asked for once more, until an answer comes or this time is over. */
const SETTLE_MS = 60_000

const chance = (probability: number): boolean => Math.random() < probability

/**
 * Two clients for each player act at random. They repeat with the same key what has no answer, give up at times, and now
 * and then repeat what was answered.
 */
export class Load {
  /** Actions that were acknowledged, in the order of their answers. */
  readonly acknowledged: { action: ActionName; calledAt: number; at: number }[] = []
  /** Reads that were answered. */
  readonly reads: { calledAt: number; at: number }[] = []
  /** The signatures of deposits that the chain has taken. */
  readonly deposits = new Set<string>()
  /** How many attempts were made. */
  calls = 0
  /** How often each detail came with an outcome that is not known. */
  readonly unknown = new Map<string, number>()
  readonly #url: string
  readonly #log: HistoryLog
  readonly #known: Known
  readonly #players: readonly Player[]
  #open: LoggedAction[] = []
  #stopping = new AbortController()
  #working: Promise<void>[] = []

  constructor(
    url: string,
    log: HistoryLog,
    { players, known }: { players: readonly Player[]; known: Known },
  ) {
    this.#url = url
    this.#log = log
    this.#players = players
    this.#known = known
  }

  /** How many act at a time. */
  get clients(): number {
    return this.#players.length * CLIENTS_EACH
  }

  /** With `intervalMs` each client begins an action so often; without, it pauses at random, as in a hurry. */
  start(intervalMs?: number): void {
    this.#stopping = new AbortController()
    this.#open = []
    this.#working = this.#players.flatMap((player) =>
      Array.from({ length: CLIENTS_EACH }, () => this.#work(player, intervalMs)),
    )
  }

  /** Waits for the clients, and asks again for what is open, so that little stays unknown. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#working)
    const deadline = Date.now() + SETTLE_MS
    // Each once, also if this is called again: behind the next state no key is used again.
    const settling = this.#open.splice(0).filter(() => chance(0.7))
    await Promise.all(
      settling.map(async (action) => {
        let { outcome } = await this.#attempt(action)
        while (outcome === 'unknown' && Date.now() < deadline) {
          await sleep(500)
          ;({ outcome } = await this.#attempt(action))
        }
      }),
    )
  }

  async #work(player: Player, intervalMs: number | undefined): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const startedAt = performance.now()
      const action = await chooseAction(player, this.#known).catch(() => undefined)
      if (action) await this.#perform(action)
      const pauseMs = 40 + Math.random() * 120
      await sleep(
        intervalMs === undefined ? pauseMs : Math.max(0, startedAt + intervalMs - performance.now()),
      )
    }
  }

  async #perform(action: LoggedAction): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      const answer = await this.#attempt(action)
      const isBusy = answer.outcome === 'refused' && answer.code === 'busy'
      if (answer.outcome === 'done' && action.key !== null && chance(0.05)) await this.#attempt(action)
      if (answer.outcome !== 'unknown' && !isBusy) return
      const hasStopped = this.#stopping.signal.aborted || attempts === MAX_ATTEMPTS
      if (action.key === null || hasStopped || chance(0.05)) {
        noteOutcome(this.#known, action, null)
        if (action.key !== null) this.#open.push(action)
        return
      }
      await sleep(100 + Math.random() * 400)
    }
  }

  async #attempt(action: LoggedAction): Promise<Outcome> {
    this.calls += 1
    const calledAt = performance.now()
    const answer = await attempt(this.#url, this.#log, action)
    if (answer.outcome === 'done') {
      noteOutcome(this.#known, action, answer.body)
      if (action.action === 'deposit') this.deposits.add((action as LoggedAction<'deposit'>).args.signature)
      const times = { calledAt, at: performance.now() }
      if (action.key !== null) this.acknowledged.push({ action: action.action, ...times })
      else this.reads.push(times)
    }
    if (answer.outcome === 'refused' && answer.code !== 'busy') noteOutcome(this.#known, action, null)
    if (answer.outcome === 'unknown')
      this.unknown.set(answer.detail, (this.unknown.get(answer.detail) ?? 0) + 1)
    return answer
  }
}

/** The longest time between two acknowledgements, in ms. */
export function longestGap(acknowledged: Load['acknowledged'], from: number, to: number): number {
  const times = acknowledged.map(({ at }) => at)
  const within = [from, ...times.filter((at) => at >= from && at <= to), to]
  return Math.max(...within.slice(1).map((at, index) => at - within[index]!))
}
