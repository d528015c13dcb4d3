import type { Call, ReplyOf, Route } from '#contract/route.ts'
import { baseUnits, type Cotton, toWire } from '#game/cotton.ts'
import { messages } from '#web/messages/en.ts'
import type { Amounts, UnreadAmount } from './amounts.ts'
import { recordResponse, recordOutage } from './reachability.ts'
import { parseCallError, CallError } from './call-error.ts'
import { pause } from './pause.ts'
import { serverClock } from './server-clock.ts'
import { endSession, session } from './session.ts'
import { beginAttempt, type KeyedAttempt } from './idempotency-keys.ts'
import { trackWaiting } from './waiting-calls.ts'

export const TIMEOUT_MS = 30_000

/**
 * An action with an idempotency key is repeated after these delays while the game cannot be reached: a restart takes two
 * seconds. Later the player decides, because prices move.
 */
const REPEAT_AFTER_MS = [200, 400, 800, 1_600, 2_000]

type OptionPart<Name extends string, Value> = [Value] extends [undefined] ? unknown : { [K in Name]: Value }

/** A route's reply. `complete` converts its amounts. */
export type Reply<R extends Route> = Amounts<ReplyOf<R>, UnreadAmount>

/** The arguments of a call to this route. `quiet`: the page makes it by itself, so nobody is asked to wait for it. */
export type CallOptions<R extends Route> = OptionPart<'params', Call<R>['params']> &
  OptionPart<'query', Call<R>['query']> &
  OptionPart<'body', Amounts<Call<R>['body'], Cotton>> & { signal?: AbortSignal; quiet?: boolean }

type AnyCallOptions = {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
  signal?: AbortSignal
  quiet?: boolean
}

/** The wallet that was logged in when the call of a reply was made, and how many calls were made until then. */
const origins = new WeakMap<object, { walletAddress: string | null; number: number }>()

let callCount = 0

/** How many calls were made so far. */
export const countCalls = (): number => callCount

/** The number of the call of a reply, from 1 on; 0 for a call that was sent more than once. */
export const callNumberOf = (reply: object): number => origins.get(reply)?.number ?? 0

/**
 * The wallet that a reply is for. By the time of the reply, another one may have logged in. Null for a call that was sent
 * more than once: it may get the stored response of the first time, which is older than what the page knows by now.
 */
export const callerOf = (reply: object): string | null => origins.get(reply)?.walletAddress ?? null

/**
 * Calls a route of the contract and returns its reply. Throws `CallError` if the server refuses or does not respond
 * within 30 s. An invalid token ends the session.
 */
export async function call<R extends Route>(route: R, options: CallOptions<R>): Promise<Reply<R>> {
  const { params = {}, query = {}, body, signal, quiet } = options as AnyCallOptions
  const { token, walletAddress } = session.get()
  const number = ++callCount
  if (route.auth === 'player' && token === null) {
    throw new CallError({
      code: 'not_authenticated',
      message: messages.errors.notAuthenticated,
      status: 401,
      wasAnswered: true,
    })
  }

  const url = addressOf(route, params, query)
  const json = route.method === 'POST' ? JSON.stringify(body ?? {}, amountToWire) : undefined
  const requestText = `${url} ${json ?? ''}`

  const headers = new Headers({ accept: 'application/json' })
  if (json !== undefined) headers.set('content-type', 'application/json')
  if (token !== null) {
    headers.set('x-auth-token', token)
    if (route.path.includes('deposit')) headers.set('authorization', `Bearer ${token}`)
  }
  // Not for every call: browsers have no randomUUID over plain http, where visitors can look around.
  const attempt = route.keyed ? beginAttempt(requestText) : null
  if (attempt) headers.set('idempotency-key', attempt.key)

  const init = { method: route.method, headers, body: json, signal: signal ?? null }
  const answer = await send(url, init, { route, attempt, quiet }).catch((error: unknown) => {
    attempt?.fail(!(error instanceof CallError && error.code === 'offline'))
    throw error
  })
  const isFirst = attempt?.isFirst !== false && !answer.isRepeated
  // A limit of requests or an expired login says nothing about what an earlier attempt has done.
  if (answer.body !== null && answer.status < 500 && (isFirst || ![401, 429].includes(answer.status)))
    attempt?.succeed()
  else attempt?.fail(true)
  const refused =
    answer.ok && !isRefusalBody(answer.body)
      ? null
      : parseCallError(answer.status, answer.body, adviceOf({ route, attempt }))
  if (refused && isUnavailable(refused)) recordOutage('busy')
  else recordResponse()
  if (!refused) {
    if (isFirst && answer.body instanceof Object) origins.set(answer.body, { walletAddress, number })
    return checkReply(route, answer.body)
  }
  if (refused.code === 'wallet_frozen')
    void import('./apply-freeze.ts').then(({ applyFreeze }) => applyFreeze(answer.body, token))
  if (refused.code === 'not_authenticated' && session.get().token === token) endSession('expired')
  throw refused
}

function addressOf(
  { path }: Route,
  params: Record<string, string>,
  query: Record<string, string | undefined>,
): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length > 0 ? `${filled}?${new URLSearchParams(given)}` : filled
}

const amountToWire = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? toWire(baseUnits(value)) : value

const isRefusalBody = (body: unknown): boolean => (body as { success?: unknown } | null)?.success === false

/** Whether the game is down for maintenance or overloaded. The response may come from a proxy in front of it. */
const isUnavailable = ({ status, code }: CallError): boolean =>
  status >= 502 && (code === 'busy' || code === 'unknown_outcome' || code === 'unreadable')

/**
 * What to do about an action without a response; undefined for a call that moves nothing. A repeated action has the same
 * key and counts once while that is stored, but a repeated withdrawal or deposit is signed again and counts again.
 */
function adviceOf({ route: { method, path }, attempt }: Sending): string | undefined {
  const { inDoubt, inDoubtOnce } = messages.errors
  if (method === 'POST' && /\/(withdrawals|deposits\/submit)$/.test(path)) return inDoubtOnce
  return attempt ? (attempt.isStored() ? inDoubt : inDoubtOnce) : undefined
}

type Sending = { route: Route; attempt: KeyedAttempt | null; quiet?: boolean }

type Answer = { ok: boolean; status: number; body: unknown; isRepeated?: boolean }

async function send(url: string, init: RequestInit, sending: Sending): Promise<Answer> {
  const { attempt: keyed } = sending
  // An attempt is made all the same: a game on this computer answers without a network.
  const isOffline = navigator.onLine === false
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const cancelled = new AbortController()
  const signals = [timeout, cancelled.signal, ...(init.signal ? [init.signal] : [])]
  const stopTracking = !sending.quiet && adviceOf(sending) ? trackWaiting(() => cancelled.abort()) : undefined
  const unsent = init.method === 'GET' ? undefined : messages.errors.notSent
  const signal = AbortSignal.any(signals)
  const startedAtMs = Date.now()
  // The timers of a device that sleeps stand still.
  const isLate = (): boolean => timeout.aborted || Date.now() - startedAtMs > TIMEOUT_MS
  try {
    for (let attempt = 0; ; attempt += 1) {
      const delayMs = keyed && !isOffline ? REPEAT_AFTER_MS[attempt] : undefined
      const answer = await fetchAnswer(url, { ...init, signal }).catch((error: unknown) => {
        if (delayMs === undefined || signal.aborted) throw error
        return null
      })
      if (answer !== null && (delayMs === undefined || !(isFromProxy(answer) || isUnknown(answer))))
        return { ...answer, isRepeated: attempt > 0 }
      await pause(delayMs ?? 0, signal)
      // What a device repeats when it wakes up may be older than the keys that the game stores.
      if (isLate()) throw new Error('timed_out')
    }
  } catch (error) {
    if (init.signal?.aborted) throw error
    // A call that waited for its answer was sent, even if the browser says that it is offline.
    const unanswered = isOffline ? 'offline' : 'unreachable'
    const code = cancelled.signal.aborted ? 'cancelled' : isLate() ? 'timed_out' : unanswered
    // A player who stops waiting says nothing about the game.
    if (code !== 'cancelled') recordOutage('unreachable')
    throw new CallError({
      code,
      message: messages.errors[code],
      status: 0,
      wasAnswered: false,
      hasMessage: code === 'offline' || code === 'cancelled',
      advice: code === 'offline' && !keyed?.wasTriedBefore ? unsent : adviceOf(sending),
    })
  } finally {
    stopTracking?.()
  }
}

async function fetchAnswer(url: string, init: RequestInit): Promise<Answer> {
  const sentAtMs = Date.now()
  const response = await fetch(url, { ...init, credentials: 'same-origin' })
  serverClock.addSample({
    serverSecondMs: Date.parse(response.headers.get('date') ?? ''),
    sentAtMs,
    receivedAtMs: Date.now(),
  })
  // Text that is no JSON is an answer, of a proxy for example. A connection that is lost within a response leaves none.
  const body: unknown = await response.json().catch((error: Error) => {
    // By name, because that of Safari is a DOMException.
    if (error.name !== 'SyntaxError') throw error
    return null
  })
  return { ok: response.ok && body !== null, status: response.status, body }
}

/** A proxy answers for a game that restarts. Cloudflare then answers 520 to 530. */
const isFromProxy = ({ status, body }: Answer): boolean => status >= 502 && !isRefusalBody(body)

/** The game has lost its database while it did this, and does not know what happened. */
const isUnknown = ({ body }: Answer): boolean =>
  isRefusalBody(body) && (body as { code?: unknown }).code === 'unknown_outcome'

/** Validates a reply in development. The production build contains no schemas. */
function checkReply<R extends Route>(route: R, body: unknown): Reply<R> {
  if (import.meta.env.DEV) {
    const parsed = route.reply.safeParse(body)
    if (!parsed.success)
      throw new Error(`${route.method} ${route.path} answered outside its contract: ${parsed.error}`)
  }
  return body as Reply<R>
}
