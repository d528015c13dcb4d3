import type { Call, ReplyOf, Route } from '#contract/route.ts'
import { messages } from '#web/messages/en.ts'
import { recordResponse, recordOutage } from './reachability.ts'
import { parseCallError, CallError } from './call-error.ts'
import { serverClock } from './server-clock.ts'
import { endSession, session } from './session.ts'

export const TIMEOUT_MS = 30_000

type OptionPart<Name extends string, Value> = [Value] extends [undefined] ? unknown : { [K in Name]: Value }

/** What a call to this route needs. `key` names one intention; without it the call makes and keeps its own. */
export type CallOptions<R extends Route> = OptionPart<'params', Call<R>['params']> &
  OptionPart<'query', Call<R>['query']> &
  OptionPart<'body', Call<R>['body']> & { key?: string; signal?: AbortSignal }

type AnyCallOptions = {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
} & {
  key?: string
  signal?: AbortSignal
}

/** The keys of calls that were sent and never answered. Sent again, the same call must not happen twice. */
const unansweredKeys = new Map<string, string>()

/**
 * Calls a route of the contract and gives its reply. Throws `CallError` where the server says no or does not answer
 * within 30 s. A dead token ends the session, whichever call met it.
 */
export async function call<R extends Route>(route: R, options: CallOptions<R>): Promise<ReplyOf<R>> {
  const { params = {}, query = {}, body, key, signal } = options as AnyCallOptions
  const token = session.get().token
  if (route.auth === 'player' && token === null) {
    throw new CallError({
      code: 'not_authenticated',
      message: messages.errors.notAuthenticated,
      status: 401,
      wasAnswered: true,
    })
  }

  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  const url = search.size > 0 ? `${path}?${search}` : path
  const json = route.method === 'POST' ? JSON.stringify(body ?? {}) : undefined
  const requestText = `${url} ${json ?? ''}`

  const headers = new Headers({ accept: 'application/json' })
  if (json !== undefined) headers.set('content-type', 'application/json')
  if (token !== null) {
    headers.set('x-auth-token', token)
    if (route.path.includes('deposit')) headers.set('authorization', `Bearer ${token}`)
  }
  if (route.keyed) {
    const idempotencyKey = key ?? unansweredKeys.get(requestText) ?? crypto.randomUUID()
    unansweredKeys.set(requestText, idempotencyKey)
    headers.set('idempotency-key', idempotencyKey)
  }

  const answer = await send(url, { method: route.method, headers, body: json, signal: signal ?? null })
  if (answer.status < 500) unansweredKeys.delete(requestText)
  const refused = answer.ok && !isRefusalBody(answer.body) ? null : parseCallError(answer.status, answer.body)
  if (refused && isUnavailable(refused)) recordOutage('busy')
  else recordResponse()
  if (!refused) return checkReply(route, answer.body)
  if (refused.code === 'not_authenticated' && session.get().token === token) endSession('expired')
  throw refused
}

const isRefusalBody = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'success' in body && body.success === false

/** The game is being mended, or has more to do than it can; a proxy in front of it may be the one to say so. */
const isUnavailable = ({ status, code }: CallError): boolean =>
  status >= 502 && (code === 'busy' || code === 'unreadable')

type Answer = { ok: boolean; status: number; body: unknown }

async function send(url: string, init: RequestInit): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  const sentAtMs = Date.now()
  try {
    const response = await fetch(url, { ...init, signal, credentials: 'same-origin' })
    serverClock.addSample({
      serverSecondMs: Date.parse(response.headers.get('date') ?? ''),
      sentAtMs,
      receivedAtMs: Date.now(),
    })
    const body: unknown = await response.json().catch(() => null)
    return { ok: response.ok && body !== null, status: response.status, body }
  } catch (error) {
    if (init.signal?.aborted) throw error
    const code = timeout.aborted ? 'timed_out' : 'unreachable'
    recordOutage('unreachable')
    const message = timeout.aborted ? messages.errors.timedOut : messages.errors.unreachable
    throw new CallError({ code, message, status: 0, wasAnswered: false })
  }
}

/** In development an answer must be what the contract says; in production the schemas are not even loaded. */
function checkReply<R extends Route>(route: R, body: unknown): ReplyOf<R> {
  if (import.meta.env.DEV) {
    const parsed = route.reply.safeParse(body)
    if (!parsed.success)
      throw new Error(`${route.method} ${route.path} answered outside its contract: ${parsed.error}`)
  }
  return body as ReplyOf<R>
}
