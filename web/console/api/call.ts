import type { ConsoleCall, ConsoleReply, ConsoleRoute } from '#contract/console/route.ts'
import { beginInTime } from '#web/api/begin-in-time.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { ConsoleError } from './console-error.ts'
import { endSession, session } from './session.ts'

const TIMEOUT_MS = 20_000

type Part<Name extends string, Value> = [Value] extends [undefined] ? unknown : { [K in Name]: Value }

export type CallOptions<R extends ConsoleRoute> = Part<'query', ConsoleCall<R>['query']> &
  Part<'body', ConsoleCall<R>['body']> & { signal?: AbortSignal }

type AnyOptions = { query?: Record<string, string | undefined>; body?: unknown; signal?: AbortSignal }

/** Calls a route of the console. Throws a `ConsoleError` with a sentence. A session that ended is removed. */
export async function call<R extends ConsoleRoute>(
  route: R,
  options: CallOptions<R>,
): Promise<ConsoleReply<R>> {
  const { query = {}, body, signal } = options as AnyOptions
  const { token } = session.get()
  const response = await send(route, addressOf(route, query), { token, body, signal })
  const reply: unknown = await response.json().catch(() => null)
  if (response.ok && reply !== null) return reply as ConsoleReply<R>
  throw refuse({ route, token }, response.status, reply)
}

/** The file of a route that answers with CSV. The answer has to begin in time; all of it may take longer. */
export async function download<R extends ConsoleRoute>(route: R, options: CallOptions<R>): Promise<Blob> {
  const { query = {} } = options as AnyOptions
  const { token } = session.get()
  const response = await beginInTime(TIMEOUT_MS, (timeout) =>
    send(route, addressOf(route, query), { token, timeout }),
  )
  if (response.ok) return response.blob()
  throw refuse({ route, token }, response.status, await response.json().catch(() => null))
}

function addressOf({ path }: ConsoleRoute, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

async function send(
  { method, right }: ConsoleRoute,
  address: string,
  {
    token,
    body,
    signal,
    timeout = AbortSignal.timeout(TIMEOUT_MS),
  }: { token: string | null; body?: unknown; signal?: AbortSignal; timeout?: AbortSignal },
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (method === 'POST') headers.set('content-type', 'application/json')
  if (right !== 'nobody' && token !== null) headers.set('authorization', `Bearer ${token}`)
  const signals = [timeout, ...(signal ? [signal] : [])]
  const sentAtMs = Date.now()
  const response = await fetch(address, {
    method,
    headers,
    body: method === 'POST' ? JSON.stringify(body ?? {}) : null,
    credentials: 'omit',
    signal: AbortSignal.any(signals),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ConsoleError({ code: 'unreachable', status: 0, message: consoleMessages.unreachable })
  })
  serverClock.addSample({
    serverSecondMs: Date.parse(response.headers.get('date') ?? ''),
    sentAtMs,
    receivedAtMs: Date.now(),
  })
  return response
}

/** The error of an answer. It ends the session of the call if the server knows it no longer, or its operator. */
function refuse(
  { route, token }: { route: ConsoleRoute; token: string | null },
  status: number,
  reply: unknown,
): ConsoleError {
  const refusal = readRefusal(status, reply)
  if (route.right === 'nobody' || token === null || session.get().token !== token) return refusal
  if (refusal.code === 'not_logged_in') endSession('expired')
  if (refusal.code === 'not_an_operator') endSession('removed')
  return refusal
}

function readRefusal(status: number, reply: unknown): ConsoleError {
  const { success, code, message } = (reply ?? {}) as Record<string, unknown>
  if (success === false && typeof code === 'string' && typeof message === 'string')
    return new ConsoleError({ code: code as ConsoleError['code'], status, message })
  return new ConsoleError({ code: 'unreadable', status, message: consoleMessages.unreadable(status) })
}
