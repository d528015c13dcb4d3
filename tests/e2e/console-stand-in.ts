import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { join } from 'node:path'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { getBase58Encoder } from '@solana/kit'
import { type Act, actText } from '#contract/console/acts.ts'
import { CONSOLE_REFUSALS, type ConsoleRefusalCode } from '#contract/console/refusals.ts'
import type { Right } from '#contract/console/rights.ts'
import { CONSOLE_ROUTES, type ConsoleRouteName } from '#contract/console/routes.ts'
import { securityHeaders } from '#server/platform/http/security-headers.ts'
import { serveWebApp } from '#server/platform/http/web-app.ts'
import { executeAct } from './console-acts.ts'
import {
  activityOf,
  ago,
  booksHistoryOf,
  type ConsoleWorld,
  createConsoleWorld,
  depositsOf,
  journalsFrom,
  PLAYERS,
  playerFacts,
  readBooks,
  readHealth,
  readPlayer,
  readWorld,
} from './console-world.ts'

const BUILD = join(import.meta.dirname, '../../.build/console')
const WORLD = { product: 'Cotton Farm', host: 'farm.example', treasury: PLAYERS[0] }

export type StandInOperator = { name: string; rights: readonly Right[] }
type Operator = StandInOperator & { wallet: string }

/** A refusal of the stand-in, with the real console's status and a sentence. */
class Refusal extends Error {
  readonly code: ConsoleRefusalCode
  constructor(code: ConsoleRefusalCode, sentence: string = CONSOLE_REFUSALS[code].sentence) {
    super(sentence)
    this.code = code
  }
}

type Input = Record<string, string | undefined>
type Body = Record<string, unknown> & { act?: Act; wallet?: string; reason?: string; message?: string }
type Call = { query: Input; body: Body; operator: Operator; token: string }

/**
 * The pages of the console with a stand-in of its role: each reply is checked against the contract, and each signature
 * against the message that the page was given. The first wallets that log in are the operators, in this order.
 */
export async function startConsole(operators: readonly StandInOperator[]) {
  const world = createConsoleWorld()
  const known: Operator[] = []
  const sessions = new Map<string, Operator>()
  const nonces = new Map<string, { message: string; act: Act }>()
  const { pageHeaders } = await securityHeaders({ publicUrl: 'http://127.0.0.1' })
  const app = Fastify()
  app.addHook('onRequest', async (_request, reply) => void reply.headers(pageHeaders))

  const logIn = ({ body }: Call) => {
    const wallet = String(body.wallet)
    assertSigned(wallet, body)
    const found = known.find((each) => each.wallet === wallet)
    const next = operators[known.length]
    if (!found && !next) throw new Refusal('not_an_operator')
    const operator = found ?? { ...next!, wallet }
    if (!found) known.push(operator)
    const token = randomBytes(8).toString('hex')
    sessions.set(token, operator)
    return { success: true, token, ...sessionOf(operator) }
  }
  const prepare = ({ body, operator }: Call) => {
    const act = body.act!
    const nonce = randomBytes(16).toString('hex')
    const expiresAt = new Date(Date.now() + 600_000)
    const { message } = actText(act, WORLD, { operator: operator.wallet, nonce, expiresAt })
    nonces.set(nonce, { message, act })
    return { success: true, nonce, expiresAt: expiresAt.toISOString(), message }
  }
  const submit = ({ body, operator }: Call) => {
    const nonce = /Nonce: (\w+)/.exec(String(body.message))?.[1] ?? ''
    const prepared = nonces.get(nonce)
    if (!prepared || prepared.message !== body.message) throw new Refusal('signature_failed')
    assertSigned(operator.wallet, body)
    if (world.acts.some((each) => each.nonce === nonce)) throw new Refusal('act_reused')
    executeAct(world, { act: prepared.act, nonce, operator })
    return { success: true, nonce, state: 'waiting' }
  }
  const logOut = ({ token }: Call) => {
    sessions.delete(token)
    return { success: true }
  }

  const handlers = {
    ...readHandlers(world),
    ...changeHandlers(world),
    logIn,
    logOut,
    prepareAct: prepare,
    submitAct: submit,
  }
  for (const [name, route] of Object.entries(CONSOLE_ROUTES)) {
    const handle = handlers[name as ConsoleRouteName] as (call: Call) => unknown
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
      const operator = sessions.get(token)
      try {
        if (route.right !== 'nobody' && !operator) throw new Refusal('not_logged_in')
        const query = (route.query?.parse(request.query) ?? {}) as Input
        const body = (route.body?.parse(request.body) ?? {}) as Body
        const result = handle({ query, body, operator: operator!, token })
        if (route.csv) return await reply.type('text/csv').send(result)
        return route.reply.parse(result)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const { code, message } = error
        return reply.code(CONSOLE_REFUSALS[code].status).send({ success: false, code, message })
      }
    }
    if (route.method === 'GET') app.get(route.path, answer)
    else app.post(route.path, answer)
  }
  await serveWebApp(app, BUILD, { limited: false })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url, world, endSessions: () => sessions.clear(), close: () => app.close() }
}

export type StandInConsole = Awaited<ReturnType<typeof startConsole>>

const sessionOf = ({ wallet, name, rights }: Operator) => ({
  operator: { wallet, name, rights },
  endsAt: ago(-480),
  idleAt: ago(-30),
})

function assertSigned(wallet: string, { message, signature }: Body): void {
  const key = createPublicKey({
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(getBase58Encoder().encode(wallet)).toString('base64url'),
    },
    format: 'jwk',
  })
  if (!verify(null, Buffer.from(String(message)), key, Buffer.from(String(signature), 'base64')))
    throw new Refusal('signature_failed')
}

const pageOf = <Item>(items: readonly Item[]) => ({ items, next: null })

function readHandlers(world: ConsoleWorld) {
  const matching = ({ state, wallet }: Input) => {
    const open = ['requested', 'review', 'approved', 'signed', 'sent']
    return world.withdrawals.filter(
      (each) =>
        (state === 'open' ? open.includes(each.state) : each.state === state) &&
        (wallet === undefined || each.wallet === wallet),
    )
  }
  const versions = () =>
    Object.fromEntries(
      ['withdrawals', 'deposits', 'acts', 'log', 'pause'].map((topic) => [topic, String(world.version)]),
    )
  return {
    readGame: () => ({
      product: 'Cotton Farm',
      url: 'https://farm.example',
      cluster: 'local',
      version: '0.1.0',
    }),
    requestLogin: () => ({
      success: true,
      message: `Cotton Farm operators\nNonce: ${randomBytes(16).toString('hex')}`,
    }),
    readSession: ({ operator }: Call) => ({
      ...sessionOf(operator),
      world: PLAYERS[0],
      secondAbove: '100000',
    }),
    readToday: () => ({
      at: ago(0),
      problems: world.problems,
      queue: [{ state: 'review', count: 3, amount: '232500.5', oldest: ago(312) }],
      pause: world.pause,
      reserve: { standing: 'covered', at: ago(0), surplus: '1029499' },
      budget: { total: '420000', used: '133700' },
      pendingDeposits: 2,
      waitingActs: world.acts.filter(({ state }) => state === 'waiting').length,
    }),
    readActivity: ({ query }: Call) => activityOf(query.span!),
    readLive: () => ({
      at: ago(0),
      versions: versions(),
      review: matching({ state: 'review' }).length,
      waitingActs: 0,
    }),
    listWithdrawals: ({ query }: Call) => pageOf(matching(query)),
    readWithdrawal: ({ query }: Call) => {
      const withdrawal = world.withdrawals.find(({ id }) => id === query.id)
      if (!withdrawal) throw new Refusal('withdrawal_not_found')
      const { wallet } = withdrawal
      return {
        withdrawal,
        acts: world.acts.filter(({ withdrawalId }) => withdrawalId === withdrawal.id),
        player: playerFacts(world, wallet),
        withdrawals: world.withdrawals.filter((each) => each.wallet === wallet),
        deposits: depositsOf('credited'),
      }
    },
    listDeposits: ({ query }: Call) => pageOf(depositsOf(query.view!)),
    listPlayers: ({ query }: Call) =>
      pageOf(
        PLAYERS.filter((wallet) => wallet.startsWith(query.search ?? '')).map((wallet) => {
          const { createdAt, deposited, earned, frozen } = playerFacts(world, wallet)
          return { wallet, createdAt, deposited, earned, frozen: frozen !== null }
        }),
      ),
    readPlayer: ({ query }: Call) => readPlayer(world, query.wallet!),
    readWorld: () => readWorld(world),
    listAnnouncements: () => pageOf(world.announcements),
    readBooks,
    readBooksHistory: ({ query }: Call) => booksHistoryOf(query.span!),
    listJournals: ({ query }: Call) =>
      query.cursor === undefined
        ? { items: journalsFrom(100, 50), next: '50', searchedTo: ago(350) }
        : { items: journalsFrom(50, 50), next: null, searchedTo: null },
    exportJournals: () => 'journal,wallet,amount\r\n100,a,5000\r\n',
    listActs: ({ query }: Call) =>
      pageOf(world.acts.filter(({ state }) => query.state === undefined || state === query.state)),
    readAct: ({ query }: Call) => {
      const act = world.acts.find(({ nonce }) => nonce === query.nonce)
      if (!act) throw new Refusal('act_not_found')
      return { act }
    },
    listLog: ({ query }: Call) => pageOf(world.log.filter(({ who }) => !query.who || who === query.who)),
    readHealth,
  }
}

function changeHandlers(world: ConsoleWorld) {
  const record = ({ operator, body }: Call, command: string, outcome: string) => {
    world.version += 1
    const id = String(world.log.length + 1)
    const reason = body.reason ?? null
    world.log.unshift({ id, at: ago(0), who: operator.name, command, arguments: {}, reason, outcome })
    return { success: true, outcome }
  }
  return {
    pause: (call: Call) => {
      if (world.pause)
        throw new Refusal('already_done', 'Withdrawals are paused already. Nothing was changed.')
      world.pause = { reason: String(call.body.reason), since: ago(0) }
      return record(call, 'pause', 'Withdrawals are paused.')
    },
    freezePlayer: (call: Call) => {
      world.frozen.set(String(call.body.wallet), String(call.body.reason))
      return record(call, 'freeze', 'The wallet is frozen.')
    },
    endPlayerSessions: (call: Call) => ({
      ...record(call, 'end-sessions', '1 session was ended.'),
      ended: 1,
    }),
    announce: (call: Call) => {
      const { text, startsAt, endsAt } = call.body
      const id = String(world.announcements.length + 1)
      world.announcements.unshift({
        id,
        text: String(text),
        startsAt: String(startsAt),
        endsAt: String(endsAt),
        state: 'shown',
        createdAt: ago(0),
        createdBy: call.operator.name,
      })
      return { ...record(call, 'announce', 'The announcement is stored.'), id }
    },
    endAnnouncement: (call: Call) => {
      for (const each of world.announcements) if (each.id === call.body.id) each.state = 'over'
      return record(call, 'end-announcement', 'The announcement has ended.')
    },
  }
}
