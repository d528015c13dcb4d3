import './browser-stub.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readUser } from '#contract/account.ts'
import { readHistory } from '#contract/history.ts'
import { checkDeposit, prepareDeposit, submitDeposit } from '#contract/deposits.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { baseUnits } from '#game/cotton.ts'
import { claimAllWorkers, claimWorker } from '#contract/workers.ts'

const pauses: number[] = []
// The delays themselves are not waited for.
vi.mock('./pause.ts', () => ({
  pause: (ms: number) => {
    pauses.push(ms)
    return Promise.resolve()
  },
}))

const { call } = await import('./call.ts')
const { endSession, session, startSession } = await import('./session.ts')
const { CallError, getErrorMessage } = await import('./call-error.ts')
const { reachability } = await import('./reachability.ts')
const { waitingCalls } = await import('./waiting-calls.ts')

const WALLET = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const CLAIMED = { success: true, claimedAmount: 14, newBalance: 14 }

const MAY_REPEAT =
  'It may have gone through. Trying again within a minute is safe: it counts only once, unless you reload the page.'

type Seen = { url: string; headers: IncomingMessage['headers']; body: string }
let answer: (seen: Seen, response: ServerResponse) => void
let seen: Seen[]
let server: Server
const plainFetch = globalThis.fetch

const json = (status: number, body: unknown) => (_: Seen, response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const one = { url: request.url ?? '', headers: request.headers, body }
      seen.push(one)
      answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // A page's addresses are relative to its origin; Node has none.
  globalThis.fetch = (input, init) => plainFetch(new URL(String(input), origin), init)
})

afterAll(() => {
  // Other test files run in the same process.
  globalThis.fetch = plainFetch
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  seen = []
  pauses.splice(0)
  endSession('logged-out')
  startSession({ token: 'secret', walletAddress: WALLET })
})

async function refusal(calling: Promise<unknown>): Promise<InstanceType<typeof CallError>> {
  const error: unknown = await calling.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CallError)
  return error as InstanceType<typeof CallError>
}

test('a call carries the token; a deposit call carries it as a bearer, too (S-80)', async () => {
  answer = json(200, CLAIMED)
  await call(claimWorker, { body: { workerId: 'kid-0001' } })
  expect(seen[0]?.headers['x-auth-token']).toBe('secret')
  expect(seen[0]?.headers.authorization).toBeUndefined()

  answer = json(200, { success: true, newDeposit: false, amount: 0, newBalance: 0, pending: 0 })
  await call(checkDeposit, {})
  expect(seen[1]?.headers.authorization).toBe('Bearer secret')
})

test('an amount in a request is sent as a JSON number of $COTTON', async () => {
  answer = json(200, { success: true, transaction: '', blockhash: '' })
  await call(prepareDeposit, { body: { amount: baseUnits(1_250_500_000n) } }).catch(() => undefined)
  expect(seen[0]?.body).toBe('{"amount":1250.5}')
})

test('parameters and queries are put into the URL', async () => {
  answer = json(200, { walletAddress: WALLET, creditBalance: 1.5, frozen: null })
  await expect(call(readUser, { params: { address: WALLET } })).resolves.toMatchObject({ creditBalance: 1.5 })
  answer = json(200, { success: true, items: [], next: null, pending: [] })
  await call(readHistory, { query: { limit: '10', before: undefined } })
  expect(seen.map(({ url }) => url)).toEqual([`/api/users/wallet/${WALLET}`, '/api/users/history?limit=10'])
})

test('a read needs nothing that browsers have over https only', async () => {
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function')
  })
  answer = json(200, { walletAddress: WALLET, creditBalance: 1.5, frozen: null })
  await expect(call(readUser, { params: { address: WALLET } })).resolves.toMatchObject({ creditBalance: 1.5 })
})

test('a claim without a response is sent again with the same key, and a new claim has a new key', async () => {
  answer = (_, response) => response.destroy()
  const lost = await refusal(call(claimAllWorkers, { body: { workerType: 'kid' } }))
  expect(lost).toMatchObject({ code: 'unreachable', wasAnswered: false })
  answer = json(503, { success: false, code: 'busy', message: 'The game is busy.' })
  await refusal(call(claimAllWorkers, { body: { workerType: 'kid' } }))
  answer = json(200, { ...CLAIMED, claimedWorkers: 1 })
  await call(claimAllWorkers, { body: { workerType: 'kid' } })
  await call(claimAllWorkers, { body: { workerType: 'kid' } })
  const keys = seen.map(({ headers }) => headers['idempotency-key'])
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(new Set(keys.slice(0, -1)).size).toBe(1)
  expect(keys.at(-1)).not.toBe(keys[0])
})

test('a press a minute after the last one without a response is another action, with another key', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const claimAt = async (seconds: number): Promise<void> => {
    vi.setSystemTime(seconds * 1_000)
    await refusal(call(claimAllWorkers, { body: { workerType: 'grandma' } }))
  }
  answer = json(503, { success: false, code: 'busy', message: 'The game is busy.' })
  for (const seconds of [0, 59.999, 119.998, 179.998]) await claimAt(seconds)
  answer = (_, response) => response.destroy()
  await claimAt(239.998)
  vi.setSystemTime(299_998)
  const lost = () => refusal(call(claimAllWorkers, { body: { workerType: 'grandma' } }))
  expect((await offline(lost)).message).toBe('You are offline. Nothing was sent.')
  vi.useRealTimers()
  const keys = [...new Set(seen.map(({ headers }) => headers['idempotency-key']))]
  const used = seen.map(({ headers }) => keys.indexOf(headers['idempotency-key']))
  expect(used.slice(0, 5)).toEqual([0, 0, 0, 1, 2])
  expect(keys).toHaveLength(3)
})

test('an action during a restart is repeated with its key until the game answers, for five seconds at most', async () => {
  const failures = [
    (_: Seen, response: ServerResponse) => response.destroy(),
    (_: Seen, response: ServerResponse) => response.writeHead(502).end('<h1>Bad gateway</h1>'),
    json(503, { message: 'no upstream' }),
    (_: Seen, response: ServerResponse) => response.writeHead(521).end('<h1>Web server is down</h1>'),
  ]
  answer = (one, response) => (failures.shift() ?? json(200, CLAIMED))(one, response)
  await expect(call(claimWorker, { body: { workerId: 'kid-0003' } })).resolves.toMatchObject({
    success: true,
  })
  expect(new Set(seen.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1)
  expect([seen.length, pauses]).toEqual([5, [200, 400, 800, 1_600]])
  expect(reachability.get().outage).toBeNull()

  answer = (_, response) => response.destroy()
  await refusal(call(claimWorker, { body: { workerId: 'kid-0004' } }))
  expect(pauses.slice(4).reduce((sum, ms) => sum + ms)).toBe(5_000)
})

test('an action whose outcome the game does not know is repeated with its key, and the player is told so', async () => {
  const unknown = json(503, { success: false, code: 'unknown_outcome', message: 'Ask with the same key.' })
  const answers = [unknown, unknown, json(200, CLAIMED)]
  answer = (one, response) => answers.shift()!(one, response)
  await expect(call(claimWorker, { body: { workerId: 'kid-0006' } })).resolves.toMatchObject({
    success: true,
  })
  expect([seen.length, pauses]).toEqual([3, [200, 400]])
  expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)

  answer = unknown
  const unanswered = await refusal(call(claimWorker, { body: { workerId: 'kid-0007' } }))
  expect(unanswered).toMatchObject({ code: 'unknown_outcome', wasAnswered: true })
  expect(unanswered.message).toBe(`The game has not confirmed this yet. ${MAY_REPEAT}`)
  expect(reachability.get().outage).toBe('busy')
  answer = json(200, CLAIMED)
  await call(claimWorker, { body: { workerId: 'kid-0007' } })
  expect(new Set(seen.slice(3).map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('an action whose response breaks off or cannot be read may have taken effect, and has the same key again', async () => {
  const breakOff = (_: Seen, response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': 99 }).write('{"success":tr', () => response.destroy())
  }
  const answers = [breakOff, json(200, CLAIMED)]
  answer = (one, response) => answers.shift()!(one, response)
  await call(claimWorker, { body: { workerId: 'kid-0011' } })
  answer = breakOff
  const lost = await refusal(call(claimWorker, { body: { workerId: 'kid-0011' } }))
  expect(lost).toMatchObject({ code: 'unreachable', wasAnswered: false })
  expect(getErrorMessage(lost, 'Failed to claim tokens')).toBe(`Failed to claim tokens. ${MAY_REPEAT}`)
  answer = (_, response) => response.writeHead(200).end('<h1>Log in to this network</h1>')
  await refusal(call(claimWorker, { body: { workerId: 'kid-0011' } }))
  answer = json(200, CLAIMED)
  await call(claimWorker, { body: { workerId: 'kid-0011' } })
  const keys = seen.map(({ headers }) => headers['idempotency-key'])
  expect([keys.length, new Set(keys.slice(0, 2)).size, new Set(keys.slice(2)).size]).toEqual([10, 1, 1])
})

test('nothing else is repeated: a refusal, a call without a key, an offline browser', async () => {
  answer = json(503, { success: false, code: 'busy', message: 'The game is busy.' })
  await refusal(call(claimWorker, { body: { workerId: 'kid-0005' } }))
  answer = (_, response) => response.destroy()
  await refusal(call(checkDeposit, {}))
  await offline(() => refusal(call(claimWorker, { body: { workerId: 'kid-0005' } })))
  expect([seen.length, pauses]).toEqual([2, []])
})

test('a refusal of the game is distinguished from every other failure (S-105)', async () => {
  answer = json(409, { success: false, code: 'nothing_to_claim', message: 'There is nothing to claim yet.' })
  const no = await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(no).toMatchObject({ code: 'nothing_to_claim', status: 409, wasAnswered: true })
  expect(no.message).toBe('There is nothing to claim yet.')

  answer = (_, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
  await expect(refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))).resolves.toMatchObject({
    code: 'unreadable',
    status: 502,
    wasAnswered: false,
  })
})

test('a refusal without a message gets the message of the page (S-105)', async () => {
  answer = json(409, { success: false, code: 'nothing_to_claim' })
  const no = await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(no.wasAnswered).toBe(true)
  expect(getErrorMessage(no, 'Failed to claim tokens')).toBe('Failed to claim tokens')
  answer = json(409, { success: false, code: 'nothing_to_claim', message: 'There is nothing to claim yet.' })
  const said = await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(getErrorMessage(said, 'Failed to claim tokens')).toBe('There is nothing to claim yet.')
})

test('a call without a response is aborted after 30 seconds (S-60)', async () => {
  const waits: number[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    waits.push(ms)
    const late = new AbortController()
    setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), 20)
    return late.signal
  })
  answer = () => undefined
  const no = await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(no).toMatchObject({ code: 'timed_out', wasAnswered: false })
  expect(waits).toEqual([30_000])
})

test('an invalid token ends the session; a wrong signature does not', async () => {
  answer = json(401, { success: false, code: 'signature_failed', message: 'Signature verification failed' })
  await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(session.get().token).toBe('secret')

  answer = json(401, { success: false, code: 'not_authenticated', message: 'Not authenticated' })
  await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(session.get()).toMatchObject({ token: null, ended: 'expired' })
})

test('a late 401 for an old token does not end the new session', async () => {
  answer = (_, response) => {
    startSession({ token: 'newer', walletAddress: WALLET })
    json(401, { success: false, code: 'not_authenticated', message: 'Not authenticated' })(_, response)
  }
  await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(session.get().token).toBe('newer')
})

test('without a token a player’s call is not even sent (S-101)', async () => {
  endSession('logged-out')
  const no = await refusal(call(checkDeposit, {}))
  expect(no).toMatchObject({ code: 'not_authenticated', message: 'Not authenticated' })
  expect(seen).toEqual([])
})

test('in development a reply that violates the contract is an error', async () => {
  answer = json(200, { success: true, claimedAmount: 'many' })
  await expect(call(claimWorker, { body: { workerId: 'kid-0001' } })).rejects.toThrow('outside its contract')
})

test('the game counts as busy after a busy response, as unreachable without one, and as reachable after any other', async () => {
  const troubleAfter = async (given: typeof answer) => {
    answer = given
    await call(claimWorker, { body: { workerId: 'kid-0001' } }).catch(() => undefined)
    return reachability.get().outage
  }
  expect(await troubleAfter(json(200, CLAIMED))).toBeNull()
  const receivedAt = reachability.get().lastResponseAt!
  expect(await troubleAfter(json(503, { success: false, code: 'busy', message: 'Busy.' }))).toBe('busy')
  expect(await troubleAfter((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'))).toBe(
    'busy',
  )
  expect(await troubleAfter((_, response) => response.destroy())).toBe('unreachable')
  expect(reachability.get().lastResponseAt).toBe(receivedAt)
  const paused = { success: false, code: 'withdrawals_paused', message: 'Paused.' }
  expect(await troubleAfter(json(503, paused))).toBeNull()
  expect(await troubleAfter((_, response) => response.destroy())).toBe('unreachable')
  expect(
    await troubleAfter(json(409, { success: false, code: 'nothing_to_claim', message: 'No.' })),
  ).toBeNull()
})

test('the reason of a proxy in front of the game is shown, and does not count as an answer of the game', async () => {
  answer = json(500, { message: 'Server exploded' })
  const no = await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(no).toMatchObject({ wasAnswered: false, hasMessage: true })
  expect(no.message).toBe('Server exploded')
  answer = json(500, { message: 5 })
  const silent = await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(silent).toMatchObject({ wasAnswered: false, hasMessage: false })
})

/** What happens while the browser has no network. */
async function offline<T>(act: () => Promise<T>): Promise<T> {
  vi.stubGlobal('navigator', { onLine: false })
  const { fetch } = globalThis
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  return act().finally(() => {
    globalThis.fetch = fetch
    vi.unstubAllGlobals()
  })
}

test('an action of an offline browser is refused with a clear message, which says so if an earlier try may have arrived', async () => {
  const claimOne = () => refusal(call(claimWorker, { body: { workerId: 'kid-0009' } }))
  const no = await offline(claimOne)
  expect(no).toMatchObject({ code: 'offline', wasAnswered: false })
  expect(getErrorMessage(no, 'Failed to claim tokens')).toBe('You are offline. Nothing was sent.')
  answer = (_, response) => response.destroy()
  await claimOne()
  expect((await offline(claimOne)).message).toBe(`You are offline. ${MAY_REPEAT}`)
  answer = json(200, CLAIMED)
  await call(claimWorker, { body: { workerId: 'kid-0009' } })
  expect((await offline(claimOne)).message).toBe('You are offline. Nothing was sent.')
})

test('a read of an offline browser is refused without talk of sending', async () => {
  expect((await offline(() => refusal(call(readHistory, { query: {} })))).message).toBe('You are offline.')
})

test('a game on the own computer answers a browser without a network', async () => {
  answer = json(200, CLAIMED)
  vi.stubGlobal('navigator', { onLine: false })
  await call(claimWorker, { body: { workerId: 'kid-0001' } }).finally(() => vi.unstubAllGlobals())
  expect(seen).toHaveLength(1)
})

test('only an action that counts once is said to be safe to repeat', async () => {
  answer = (_, response) => response.destroy()
  const claim = await refusal(call(claimWorker, { body: { workerId: 'kid-0001' } }))
  expect(getErrorMessage(claim, 'Failed to claim tokens')).toBe(`Failed to claim tokens. ${MAY_REPEAT}`)
  const checkFirst = 'It may have gone through. Check your history before you try again.'
  const body = { amount: baseUnits(1n), message: '', signature: '' }
  const withdrawal = await refusal(call(requestWithdrawal, { body }))
  expect(getErrorMessage(withdrawal, 'Failed.')).toBe(`Failed. ${checkFirst}`)
  const deposit = await refusal(call(submitDeposit, { body: { transaction: '' } }))
  expect(getErrorMessage(deposit, 'Failed.')).toBe(`Failed. ${checkFirst}`)
  const harmless = await refusal(call(prepareDeposit, { body: { amount: baseUnits(1n) } }))
  expect(getErrorMessage(harmless, 'Failed.')).toBe('Failed.')
})

test('an action that waits for two seconds can be abandoned: that is no outage, and its next try has the same key', async () => {
  answer = json(200, CLAIMED)
  await call(claimWorker, { body: { workerId: 'kid-0001' } })
  seen = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answer = () => undefined
  const lost = refusal(call(claimWorker, { body: { workerId: 'kid-0008' } }))
  await vi.advanceTimersByTimeAsync(1_999)
  expect(waitingCalls.get()).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  vi.useRealTimers()
  waitingCalls.get().forEach((stopWaiting) => stopWaiting())
  const no = await lost
  expect(no.code).toBe('cancelled')
  expect(no.message).toBe(`You stopped waiting. ${MAY_REPEAT}`)
  expect(reachability.get().outage).toBeNull()
  expect(waitingCalls.get()).toHaveLength(0)
  answer = json(200, CLAIMED)
  await call(claimWorker, { body: { workerId: 'kid-0008' } })
  const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']))
  expect([seen.length, keys.size]).toEqual([2, 1])
})
