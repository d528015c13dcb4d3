import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { MOVE_WITHIN_MS } from '#web/realtime/change-feed.ts'
import { signLogin } from '#tests/support/serve-app.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { openSocket } from '#tests/support/test-socket.ts'

/** What the clients saw: each status or error by how often it came. */
export type LoadReport = {
  reads: Record<string, number>
  hires: Record<string, number>
  /** How many hires were cut off and repeated with their key, as the web app does. */
  repeated: number
  /** The ids of the workers in the answers. */
  hired: string[]
  /** For each socket that the server closed: its close code, and how long it took to be open again. */
  moves: { code: number; tookMs: number }[]
}

type LoadOptions = { url: string; players: readonly TestPlayer[]; sockets: number }

/**
 * Clients that read, hire workers and follow changes until stopped. A read that fails shows in the report, and so does a
 * hire that fails twice.
 */
export async function startLoad({ url, players, sockets }: LoadOptions): Promise<() => Promise<LoadReport>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const report: LoadReport = { reads: {}, hires: {}, repeated: 0, hired: [], moves: [] }
  const stopping = new AbortController()
  const repeat = async (everyMs: number, work: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      await work()
      await sleep(everyMs)
    }
  }
  const ask = (call: Call) => send(url, { agent, ...call })
  const read = async () => count(report.reads, await ask({ path: '/api/site' }))
  const hire = async (player: TestPlayer, token: string) => {
    const body = { workerType: 'kid', walletAddress: player.wallet }
    const action = { path: '/api/workers/purchase', body, token, key: randomUUID() }
    let result = await ask(action)
    if (result.status !== '200') {
      report.repeated += 1
      await sleep(200)
      result = await ask(action)
    }
    count(report.hires, result)
    const { worker } = result.body as { worker?: { workerId: string } }
    if (worker) report.hired.push(worker.workerId)
  }
  const tokens = await Promise.all(players.map((player) => logIn(ask, player)))
  const open = await Promise.all(Array.from({ length: sockets }, () => openSocket(socketUrl(url))))
  const running = [
    ...Array.from({ length: 2 }, () => repeat(100, read)),
    ...players.map((player, n) => repeat(400, () => hire(player, tokens[n]!))),
  ]
  const following = open.map((socket) => follow(socket, { url, report, stopping: stopping.signal }))
  return async () => {
    stopping.abort()
    await Promise.all([...running, ...following])
    agent.destroy()
    return report
  }
}

const socketUrl = (url: string): string => `${url.replace('http:', 'ws:')}/ws`

type FollowOptions = { url: string; report: LoadReport; stopping: AbortSignal }

/** Opens a closed socket again as the web app does after "going away". */
async function follow(
  first: Awaited<ReturnType<typeof openSocket>>,
  { url, report, stopping }: FollowOptions,
) {
  let socket = first
  const stop = () => socket.socket.close(1000)
  stopping.addEventListener('abort', stop)
  for (;;) {
    const code = await socket.closed
    if (stopping.aborted) return
    const closedAt = performance.now()
    await sleep(Math.random() * MOVE_WITHIN_MS)
    const reopened = await openSocket(socketUrl(url)).catch(() => null)
    report.moves.push({ code, tookMs: reopened ? performance.now() - closedAt : Infinity })
    if (!reopened) return
    socket = reopened
    if (stopping.aborted) stop()
  }
}

type Call = { path: string; body?: object; token?: string; key?: string }
type Result = { status: string; body: unknown }

const count = (counts: Record<string, number>, { status }: Result): void => {
  counts[status] = (counts[status] ?? 0) + 1
}

/** One answer through the proxy, over connections that stay open as a browser's do. */
function send(url: string, { agent, path, body, token, key }: Call & { agent: Agent }): Promise<Result> {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { 'x-auth-token': token }),
    ...(key && { 'idempotency-key': key }),
  }
  return new Promise((settle) => {
    const failed = ({ code, message }: NodeJS.ErrnoException) => settle({ status: code ?? message, body: {} })
    request(`${url}${path}`, { agent, method: body ? 'POST' : 'GET', headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.once('error', failed).once('end', () => {
        const isJson = answer.headers['content-type']?.startsWith('application/json')
        settle({ status: String(answer.statusCode), body: isJson ? JSON.parse(text) : text })
      })
    })
      .once('error', failed)
      .end(body && JSON.stringify(body))
  })
}

async function logIn(ask: (call: Call) => Promise<Result>, player: TestPlayer): Promise<string> {
  const nonce = await ask({ path: '/api/users/nonce', body: { walletAddress: player.wallet } })
  const { message } = nonce.body as { message: string }
  const verified = await ask({ path: '/api/users/verify-wallet', body: signLogin(player, message) })
  return (verified.body as { token: string }).token
}
