import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONSOLE_ROUTES } from '#contract/console/routes.ts'
import type { Route } from '#contract/route.ts'
import { type RouteName, ROUTES } from '#contract/routes.ts'
import { freezeWallet } from '#server/freeze/freeze-wallet.ts'
import { type ChainTestWorld, openChainTestWorld, type TestWallet } from '#tests/support/chain-test-world.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { openSocket, socketUrl } from '#tests/support/test-socket.ts'
import {
  ACCESS_REFUSALS,
  actionsWithoutFreeze,
  type Caller,
  foreignRefusalFor,
  namesWallet,
  refusalFor,
} from './access-rules.ts'
import {
  createOwners,
  endSessions,
  findTablesNotCompared,
  logInWallet,
  openApi,
  type Owner,
  snapshotOf,
} from './access-world.ts'
import { CALLS, type Shared, takeParcels } from './game-calls.ts'

let world: ChainTestWorld
let app: FastifyInstance
let owner: Owner
let frozen: Owner
let other: TestWallet
let otherToken: string
let ended: Map<string, string>
let operatorToken: string
let shared: Shared

beforeAll(async () => {
  world = await openChainTestWorld({ signer: 'first' })
  const first = await openApi(world)
  const freeParcel = takeParcels()
  const three = () => [freeParcel(), freeParcel(), freeParcel()] as const
  ;({ ended, operatorToken } = await endSessions(world, first))
  const owners = await createOwners(world, first, [three(), three(), three()])
  ;[owner, frozen] = owners as [Owner, Owner]
  other = await createPlayerWith(world, { deposited: 10 })
  otherToken = await logInWallet(first, other)
  shared = { freeParcel, foreignListing: owners[2]!.listingId }
  const freeze = { wallet: frozen.wallet.address, reason: 'A report.', who: 'ana', now: world.clock.now() }
  await world.owner.transaction((tx) => freezeWallet(tx, freeze))
  await first.close()
  // A process that has cached no session.
  app = await openApi(world)
})

afterAll(async () => {
  await app.close()
  await world.close()
})

type Reply = { name: RouteName; status: number; code: unknown; text: string }

/** One header for all callers: a key belongs to the wallet that used it. */
const KEY = { 'idempotency-key': `access-${randomUUID()}` }

async function send(
  name: RouteName,
  {
    params = {},
    query,
    body,
  }: { params?: Record<string, string>; query?: Record<string, string>; body?: object },
  token: string | null,
): Promise<Reply> {
  const { method, path, auth, csv, keyed }: Route = ROUTES[name]
  const answer = await app.inject({
    method,
    url: path.replaceAll(/:(\w+)/g, (_, param: string) => params[param]!),
    ...(query && { query }),
    ...(body && { payload: body }),
    headers: { ...(token !== null && { 'x-auth-token': token }), ...(keyed && KEY) },
  })
  // No cache stores what only some callers may read. The reply to a login has a token.
  if (auth !== 'anyone' || method === 'POST')
    expect([name, answer.headers['cache-control']]).toEqual([name, 'no-store'])
  const isJson = !csv || answer.statusCode !== 200
  const code = isJson ? (answer.json() as { code?: unknown }).code : undefined
  return { name, status: answer.statusCode, code, text: answer.body }
}

/** Sends every call that acts for a player, as somebody. After a logout the next call has a new session. */
async function callAll(of: Owner, token: string | null): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const name of Object.keys(CALLS) as RouteName[]) {
    for (const input of CALLS[name](of, shared, world.clock.now()))
      replies.push(await send(name, input, token))
  }
  return replies
}

/** What a caller was answered, next to what the declarations say. */
function expectAccess(replies: readonly Reply[], caller: Caller): void {
  const asDeclared = replies.map(({ name }) => [name, refusalFor(name, caller)])
  const seen = replies.map(({ name, code }) => {
    const isPublic = ROUTES[name].auth === 'anyone'
    return [name, !isPublic && ACCESS_REFUSALS.has(String(code)) ? code : null]
  })
  expect(seen).toEqual(asDeclared)
}

const PUBLIC = (Object.keys(ROUTES) as RouteName[]).filter((name) => ROUTES[name].auth === 'anyone')

/** What the owner reads and nobody else may: every id and address in the owner's replies that no reply to everybody has. */
async function readSecrets(of: Owner): Promise<string[]> {
  const idsIn = (text: string) =>
    text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[1-9A-HJ-NP-Za-km-z]{32,88}\b/g) ?? []
  const own: string[] = []
  const shown = new Set([of.wallet.address])
  for (const name of Object.keys(CALLS) as RouteName[]) {
    if (ROUTES[name].method !== 'GET') continue
    for (const input of CALLS[name](of, shared, world.clock.now())) {
      const isPublic = PUBLIC.includes(name)
      const ids = idsIn((await send(name, input, isPublic ? null : of.token)).text)
      if (isPublic) for (const id of ids) shown.add(id)
      else own.push(...ids)
    }
  }
  return [...new Set(own)].filter((id) => !shown.has(id))
}

/** Sends calls that must neither change a row of the owner nor show one. */
async function expectNothingFor(of: Owner, work: () => Promise<Reply[]>): Promise<void> {
  const secrets = await readSecrets(of)
  expect(secrets.length).toBeGreaterThan(10)
  const before = await snapshotOf(world, of.wallet.address)
  const replies = await work()
  expect(await snapshotOf(world, of.wallet.address)).toEqual(before)
  const shown = replies.flatMap(({ name, text }) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${name} shows ${secret}`),
  )
  expect(shown).toEqual([])
}

test('nobody, an ended session and an operator’s session get what is public, and change nothing', async () => {
  const publicStatus = new Map<string, number>()
  await expectNothingFor(owner, async () => {
    const replies = await callAll(owner, null)
    expectAccess(replies, 'nobody')
    for (const { name, status } of replies) if (PUBLIC.includes(name)) publicStatus.set(name, status)
    expect(ended.size).toBe(5)
    for (const [how, token] of [...ended, ['of an operator', operatorToken] as const]) {
      const others = await callAll(owner, token)
      expectAccess(others, how === 'of an operator' ? 'operator' : 'ended session')
      // A token changes nothing where none is needed.
      for (const { name, status } of others)
        if (publicStatus.has(name)) expect([how, name, status]).toEqual([how, name, publicStatus.get(name)])
      replies.push(...others)
    }
    return replies
  })
  expect(publicStatus.size).toBe(PUBLIC.length)
})

/** The calls of another player who names the own wallet, and the owner's picker, land, listing or withdrawal. */
async function callWithOwnersIds(): Promise<Reply[]> {
  const replies: Reply[] = []
  const disguised: Owner = { ...owner, wallet: other }
  for (const name of Object.keys(CALLS) as RouteName[]) {
    const refusal = foreignRefusalFor(name)
    if (refusal === null || !namesWallet(ROUTES[name])) continue
    const [input] = CALLS[name](disguised, shared, world.clock.now())
    const reply = await send(name, input!, otherToken)
    expect([name, reply.code]).toEqual([name, refusal])
    replies.push(reply)
  }
  expect(replies.length).toBeGreaterThan(1)
  return replies
}

test('another player acts for the own wallet only, whatever a call names', async () => {
  const tries = async () => {
    const replies = await callAll(owner, otherToken)
    expectAccess(replies, 'another player')
    otherToken = await logInWallet(app, other)
    return [...replies, ...(await callWithOwnersIds())]
  }
  await expectNothingFor(owner, tries)
})

test('a frozen player reads everything, and is refused every action that moves something', async () => {
  const replies = await callAll(frozen, frozen.token)
  expectAccess(replies, 'frozen')
  const reads = replies.filter(({ name }) => ROUTES[name].method === 'GET' && !PUBLIC.includes(name))
  expect(reads.length).toBeGreaterThan(10)
  for (const { name, status, text } of reads) expect([name, status, text]).toEqual([name, 200, text])
  expect(actionsWithoutFreeze()).toEqual([])
})

/** What a socket receives that sends this token and subscribes to everything that could be a player's. */
async function receiveFrames(token: string | null): Promise<string[]> {
  const headers: Record<string, string> =
    token === null ? {} : { 'x-auth-token': token, authorization: `Bearer ${token}` }
  const socket = await openSocket(socketUrl(app.server), { headers })
  for (const topic of [owner.wallet.address, `player:${owner.wallet.address}`, 'users', 'continent:*'])
    socket.send({ type: 'subscribe', topic })
  socket.send({ type: 'subscribe', topic: 'continent:EU' })
  await socket.waitForFrame('parcelStatus')
  expect(socket.framesOf('error').map(({ data }) => data.code)).toEqual(Array(4).fill('topic_unknown'))
  socket.socket.terminate()
  return socket.received.map((frame) => JSON.stringify(frame)).toSorted()
}

test('sockets have no session: every caller gets the same public state, and no topic is a player’s', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const secrets = await readSecrets(owner)
  const callers = [null, ended.get('logged out')!, operatorToken, otherToken, owner.token]
  const receiveAll = () => Promise.all(callers.map((token) => receiveFrames(token)))
  let frames = await receiveAll()
  // What earlier tests changed may be broadcast to some of them only, once.
  for (let again = 0; again < 5 && new Set(frames.map((each) => each.join())).size > 1; again++)
    frames = await receiveAll()
  for (const each of frames) expect(each).toEqual(frames[0])
  expect(frames[0]!.length).toBeGreaterThan(6)
  const sent = frames.flat().join('')
  expect(secrets.filter((secret) => sent.includes(secret))).toEqual([])
})

test('balances that are private are shown to their own player only', async () => {
  const usual = app
  app = await openApi(world, { BALANCES: 'private' })
  const params = { address: owner.wallet.address }
  const codeFor = async (token: string | null) => (await send('readUser', { params }, token)).code
  for (const token of [null, otherToken]) expect(await codeFor(token)).toBe('wallet_of_another')
  for (const token of [...ended.values(), operatorToken])
    expect(await codeFor(token)).toBe('not_authenticated')
  expect(await codeFor(owner.token)).toBeUndefined()
  await app.close()
  app = usual
})

/** Calls of the owner that pass, and cannot have their effect: the tokens to deposit are not in the wallet. */
const NO_EFFECT = new Set(['transaction_rejected'])

test('the owner is served, and afterwards another player with the same keys is refused as before', async () => {
  const replies = await callAll(owner, owner.token)
  expectAccess(replies, 'owner')
  for (const { name, status, code, text } of replies)
    if (!PUBLIC.includes(name) && !NO_EFFECT.has(String(code)))
      expect([name, status, text]).toEqual([name, 200, text])
  owner.token = await logInWallet(app, owner.wallet)
  await expectNothingFor(owner, async () => {
    const again = await callAll(owner, otherToken)
    expectAccess(again, 'another player')
    return again
  })
  expect(await world.audit()).toEqual([])
})

test('every route has a call in the table, and the proof counts them', () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(Object.keys(ROUTES).toSorted())
  const calls = Object.values(CALLS).flatMap((inputs) => inputs(owner, shared, world.clock.now()))
  const proof = readFileSync(join(import.meta.dirname, '../../docs/proof.md'), 'utf8')
  const [, ofGame = '', ofConsole = ''] = proof.split('(`npm run test:access`)')
  expect(ofGame).toContain(`each of the ${Object.keys(ROUTES).length} routes`)
  expect(ofGame).toContain(`${calls.length} calls for each of these`)
  expect(ofConsole).toContain(`each of the ${Object.keys(CONSOLE_ROUTES).length} routes`)
})

test('what a call changes is looked for in every table that names a player', async () => {
  expect(await findTablesNotCompared(world)).toEqual([])
})
