import { isIPv6 } from 'node:net'
import { WebSocket } from 'ws'
import type { BoundChain } from '#server/deposits/connect-bound-chain.ts'
import { openDb } from '#server/platform/db/db.ts'
import { isThisMachine } from '#server/platform/site.ts'
import { readActOrigin, readSignerState } from '#server/signer/signer-state.ts'
import { type DoctorContext, type Finding, findingsOn, reasonOf } from './finding.ts'

const TIMEOUT_MS = 5_000
/** The game takes bodies of 16 KiB. */
const LARGE_BODY_BYTES = 15_000

/** What players reach at PUBLIC_URL: the game itself, its WebSocket, its largest requests; and TRUST_PROXY. */
export async function checkProxy({ config }: DoctorContext, bound: BoundChain | null): Promise<Finding[]> {
  const { publicUrl, port } = config
  const url = findingsOn('PUBLIC_URL')
  const isPublic = !isThisMachine(publicUrl)
  if (bound && bound.cluster !== 'local' && !isPublic)
    url.fix(`it is ${publicUrl}, which only this machine reaches`, 'set it to the origin that players open')
  if (isPublic && publicUrl.startsWith('http:'))
    url.fix(
      `${publicUrl} is not encrypted`,
      'put a TLS proxy in front (deploy/proxy) and set PUBLIC_URL to its https origin',
    )
  const trust = checkTrust(config)
  const isRunning = await isReady(originHere(config))
  const problem = await findProblem(publicUrl)
  if (problem !== null) {
    const what = `${publicUrl} does not lead to the game (${problem})`
    if (isRunning)
      url.fix(what, `point its name and its proxy to port ${port}, and give the proxy a valid certificate`)
    else url.note(what, 'the game does not run here: start it, and run the doctor again')
    return [...url.found, ...trust]
  }
  url.ok(`${publicUrl} leads to the game`)
  return [...url.found, ...trust, await checkSocket(publicUrl), await checkBody(publicUrl)]
}

/** Whether the signer verifies signatures for this PUBLIC_URL, and runs if an api does. */
export async function checkSigner(databaseUrl: string, { config, now }: DoctorContext): Promise<Finding[]> {
  const [url, signer] = [findingsOn('PUBLIC_URL'), findingsOn('signer')]
  const db = openDb(databaseUrl, { max: 1, applicationName: 'doctor' })
  try {
    const found = await readActOrigin(db, config.publicUrl)
    if ('problem' in found)
      url.fix(found.problem.replace(/\.$/, ''), 'give api and signer the same value, and restart them')
    const state = await readSignerState(db, now())
    const isSilent = state === null || state.silent
    if (isSilent && ((await isReady(originHere(config))) || (await isReady(config.publicUrl))))
      signer.fix(
        `it ${state ? `was last seen at ${state.at.toISOString()}` : 'has never run on this database'}, so nobody pays withdrawals`,
        'its log says why; start it if it does not run',
      )
  } finally {
    await db.end()
  }
  return [...url.found, ...signer.found]
}

/** Where this machine reaches an api with these settings. */
export function originHere({ host, port }: Pick<DoctorContext['config'], 'host' | 'port'>): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

function checkTrust({ publicUrl, trustProxy, host }: DoctorContext['config']): Finding[] {
  const trust = findingsOn('TRUST_PROXY')
  const isBehindTls = publicUrl.startsWith('https:')
  const isReachable = host !== 'localhost' && !host.startsWith('127.') && host !== '::1'
  if (isBehindTls && trustProxy === false)
    trust.fix(
      'it is off, although a proxy encrypts',
      'set it to the address of the proxy; without it all players share one rate limit',
    )
  else if (!isBehindTls && trustProxy !== false)
    trust.fix(
      'it is set, although no proxy encrypts',
      'remove it, or set PUBLIC_URL to the https origin; without a proxy any client can forge its address',
    )
  else if (typeof trustProxy === 'number' && isReachable)
    trust.note(
      `it trusts ${trustProxy} hops, and HOST is ${host}`,
      'name the addresses of the proxy, or make sure that only the proxy reaches the port',
    )
  else trust.ok(trustProxy === false ? 'off, without a proxy' : 'set, behind a proxy')
  return trust.found
}

function checkSocket(publicUrl: string): Promise<Finding> {
  const topic = 'WebSocket'
  return new Promise((resolve) => {
    const socket = new WebSocket(`${publicUrl.replace(/^http/, 'ws')}/ws`, { handshakeTimeout: TIMEOUT_MS })
    const fail = (why: string) =>
      resolve({
        level: 'fix',
        topic,
        what: `${publicUrl}/ws does not open (${why})`,
        remedy: 'let the proxy pass the headers Upgrade and Connection on (deploy/proxy)',
      })
    socket.once('unexpected-response', (request, { statusCode }) => {
      fail(`it answers ${statusCode}`)
      request.destroy()
    })
    socket.once('error', ({ message }) => fail(message))
    socket.once('open', () => {
      socket.terminate()
      resolve({ level: 'ok', topic, what: `${publicUrl}/ws opens` })
    })
  })
}

/** Sends a request that the game refuses before it reads any of it. */
async function checkBody(publicUrl: string): Promise<Finding> {
  const body = findingsOn('body limit')
  const answer = await fetch(`${publicUrl}/api/users/nonce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress: 'x'.repeat(LARGE_BODY_BYTES) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
  if (answer?.status === 400) body.ok('requests of 15 kB arrive')
  else
    body.fix(
      `a request of 15 kB is answered ${answer?.status ?? 'not at all'}`,
      "raise the proxy's limit to the game's 16 kB (deploy/proxy)",
    )
  return body.found[0]!
}

/** Whether a game answers at this origin that can serve players. */
export const isReady = async (origin: string): Promise<boolean> => (await findProblem(origin)) === null

/** Why no game that can serve players answers at this origin; null if one does. */
export async function findProblem(origin: string): Promise<string | null> {
  try {
    const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = (await answer.json().catch(() => null)) as { status?: unknown } | null
    if (body?.status === 'ok') return null
    return answer.ok ? 'something else answers' : `it answers ${answer.status}`
  } catch (error) {
    return reasonOf(error)
  }
}
