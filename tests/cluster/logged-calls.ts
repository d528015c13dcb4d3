import { appendFileSync } from 'node:fs'
import {
  type ActionName,
  type Actions,
  type Answer,
  type Call,
  type HistoryEvent,
  listLateAttempts,
  type State,
} from '#tests/histories/history.ts'

/** An attempt that is not answered by then counts as unknown. */
const TIMEOUT_MS = 10_000

/** Writes a history to a file, and collects what came since the last state. */
export class HistoryLog {
  /** The last state. */
  before: State | undefined
  /** What came since, and earlier attempts that may still take effect. */
  events: (Call | Answer)[] = []
  readonly #file: string
  #calls = 0

  constructor(file: string) {
    this.#file = file
  }

  nextCall(): number {
    return ++this.#calls
  }

  write(event: HistoryEvent): void {
    appendFileSync(this.#file, `${JSON.stringify(event)}\n`)
    if (event.event === 'call' || event.event === 'answer') this.events.push(event)
  }

  /** Writes a state. What came before it is forgotten, except for attempts that may still take effect. */
  writeState(state: State, lateMs: number): void {
    this.write(state)
    this.events = listLateAttempts(this.events, state.at - lateMs)
    this.before = state
  }

  remark(text: string): void {
    this.write({ event: 'remark', at: performance.now(), text })
  }
}

/** One action of a player, and the request that does it. Attempts of one action have the same key. */
export type LoggedAction<A extends ActionName = ActionName> = {
  action: A
  wallet: string
  key: string | null
  args: Actions[A]['args']
  request: { method: 'GET' | 'POST'; path: string; token: string; body?: object }
  /** What the checker needs of a reply. */
  readReply(body: Record<string, unknown>): Actions[A]['reply']
}

export type Outcome =
  | { outcome: 'done'; reply: object; body: Record<string, unknown> }
  | { outcome: 'refused'; code: string }
  | { outcome: 'unknown'; detail: string }

/** Makes one attempt through HAProxy and logs it. */
export async function attempt(url: string, log: HistoryLog, logged: LoggedAction): Promise<Outcome> {
  const { action, wallet, key, args } = logged
  const call = log.nextCall()
  log.write({ event: 'call', call, at: performance.now(), wallet, key, action, args })
  const answer = await send(url, logged)
  const at = performance.now()
  if (answer.outcome === 'done') {
    log.write({ event: 'answer', call, at, outcome: 'done', reply: answer.reply })
  } else {
    log.write({ event: 'answer', call, at, ...answer })
  }
  return answer
}

async function send(url: string, { request, key, readReply }: LoggedAction): Promise<Outcome> {
  const { method, path, token, body } = request
  const headers = {
    'x-auth-token': token,
    ...(body && { 'content-type': 'application/json' }),
    ...(key !== null && { 'idempotency-key': key }),
  }
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await answer.text()
    const given = parse(text)
    if (answer.status === 200 && given) return { outcome: 'done', reply: readReply(given), body: given }
    const code = typeof given?.code === 'string' ? given.code : null
    // Only what the game itself says is a refusal. `busy` promises that nothing happened.
    const isRefused =
      code !== null && (answer.status < 500 || code === 'busy' || code === 'withdrawals_paused')
    if (isRefused) return { outcome: 'refused', code }
    return { outcome: 'unknown', detail: code ?? `${answer.status} ${text.slice(0, 60)}` }
  } catch (error) {
    return { outcome: 'unknown', detail: String(error) }
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
