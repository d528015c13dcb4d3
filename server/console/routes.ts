import { hasRight, RIGHTS } from '#contract/console/rights.ts'
import { CONSOLE_ROUTES } from '#contract/console/routes.ts'
import { NEWEST_OF_PLAYER } from '#contract/console/withdrawals.ts'
import { toDecimal } from '#game/cotton.ts'
import { createNonces } from '#server/account/issue-nonce.ts'
import { whatToSign } from '#server/account/signed-forms/what-to-sign.ts'
import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { findWaitingAct } from '#server/operators/find-waiting-act.ts'
import { readActOutcome, readNextNumber } from '#server/operators/operator-acts.ts'
import { writeOperatorLog } from '#server/operators/operator-log.ts'
import type { Operator } from '#server/operators/read-operators.ts'
import { prepareAct, submitAct } from '#server/operators/submit-act.ts'
import type { ActContext } from '#server/operators/verify-act.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import { readTogether } from '#server/platform/db/read-together.ts'
import { ok } from '#server/platform/http/serve.ts'
import { PRODUCT, siteOf } from '#server/platform/site.ts'
import { randomBytes } from 'node:crypto'
import { readActOrigin } from '#server/signer/signer-state.ts'
import type { ConsoleDeps } from './console-deps.ts'
import { instant } from './exact.ts'
import { exportJournals, listJournals } from './list-journals.ts'
import { listDeposits, readNewestDeposits } from './list-deposits.ts'
import { listLog } from './list-log.ts'
import { listWithdrawals, readNewestOf, readOneWithdrawal } from './list-withdrawals.ts'
import { logIn, requestLogin } from './log-in.ts'
import * as actions from './operator-actions.ts'
import { listActs, readAct, readActsOn } from './read-acts.ts'
import { readActivity, readBooksPoints } from './read-activity.ts'
import { readBooks } from './read-books.ts'
import { readHealth } from './read-health.ts'
import { readLive } from './read-live.ts'
import { listPlayers, readPlayer, readPlayerFacts } from './read-players.ts'
import { readToday } from './read-today.ts'
import { listAnnouncements, readWorld } from './read-world.ts'
import { refuseCall } from './refuse.ts'
import type { ServeConsole } from './serve-console.ts'
import { endSession } from './sessions.ts'

const R = CONSOLE_ROUTES

const toOperatorView = ({ wallet, name, rights }: Operator) => ({
  wallet,
  name,
  rights: RIGHTS.filter((right) => hasRight([...rights], right)),
})

/** Serves sessions: log in, log out, and who the caller is. */
export function sessionRoutes(serve: ServeConsole, deps: ConsoleDeps): void {
  const { db, clock, config, version } = deps
  const key = randomBytes(32)
  const site = siteOf({ publicUrl: config.consoleUrl }, 'private')
  // The key of this process: after a restart an unfinished login is signed again.
  const login = { ...deps, site, nonces: createNonces(async () => key) }
  serve(R.readGame, async () => ({
    product: PRODUCT,
    url: config.publicUrl,
    cluster: await readCluster(db),
    version,
  }))
  serve(R.requestLogin, async ({ body }) =>
    ok(await requestLogin(login, { wallet: body.wallet, ...(body.form && { form: body.form }) })),
  )
  serve(R.logIn, async ({ body }) => {
    const { token, operator, endsAt, idleAt } = await logIn(login, body)
    return ok({
      token,
      operator: toOperatorView(operator),
      endsAt: instant(endsAt),
      idleAt: instant(idleAt),
    })
  })
  serve(R.logOut, async ({ caller }) => {
    const now = clock.now()
    await endSession(db, { tokenHash: caller.session.tokenHash, now })
    await writeOperatorLog(db, { now, who: caller.operator.name, command: 'log out', outcome: 'Logged out.' })
    return ok({})
  })
  serve(R.readSession, async ({ caller: { operator, session } }) => ({
    operator: toOperatorView(operator),
    endsAt: instant(session.endsAt),
    idleAt: instant(session.idleAt),
    world: (await readBoundChain(db))?.treasury ?? null,
    secondAbove: toDecimal(deps.operators().secondAbove),
  }))
}

const readCluster = async (db: Queryable): Promise<string> => (await readBoundChain(db))?.cluster ?? ''

/** Serves the pages that only read. */
export function readRoutes(serve: ServeConsole, deps: ConsoleDeps): void {
  const { db, clock, config, operators, version } = deps
  const context = () => ({ operators: operators(), now: clock.now() })
  serve(R.readToday, () =>
    readTogether(db, async (tx) =>
      readToday(tx, { now: clock.now(), isLocal: (await readCluster(tx)) === 'local' }),
    ),
  )
  serve(R.readActivity, async ({ query }) => ({
    points: await readActivity(db, { span: query.span, now: clock.now() }),
  }))
  serve(R.readLive, () => readLive(db, clock.now()))
  serve(R.listWithdrawals, ({ query }) => listWithdrawals(db, query, context()))
  serve(R.readWithdrawal, ({ query: { id } }) =>
    readTogether(db, async (tx) => {
      const withdrawal = await readOneWithdrawal(tx, id, context())
      if (!withdrawal) refuseCall('withdrawal_not_found')
      const { wallet } = withdrawal
      const newest = { wallet, limit: NEWEST_OF_PLAYER }
      const [acts, player, withdrawals, deposits] = await Promise.all([
        readActsOn(tx, id, operators()),
        readPlayerFacts(tx, wallet),
        readNewestOf(tx, newest, context()),
        readNewestDeposits(tx, newest),
      ])
      if (!player) refuseCall('player_not_found')
      return { withdrawal, acts, player, withdrawals, deposits }
    }),
  )
  serve(R.listDeposits, ({ query }) => listDeposits(db, query))
  serve(R.listPlayers, ({ query }) => listPlayers(db, query))
  serve(R.readPlayer, ({ query }) =>
    readTogether(db, (tx) => readPlayer(tx, { wallet: query.wallet, now: clock.now() })),
  )
  serve(R.readWorld, () => readTogether(db, (tx) => readWorld(tx, config.marketMode)))
  serve(R.listAnnouncements, ({ query }) => listAnnouncements(db, { ...query, now: clock.now() }))
  serve(R.readBooks, () => readTogether(db, (tx) => readBooks(tx, clock.now())))
  serve(R.readBooksHistory, async ({ query }) => ({
    points: await readBooksPoints(db, { span: query.span, now: clock.now() }),
  }))
  serve(R.listJournals, ({ query }) => listJournals(db, query))
  serve(R.exportJournals, async ({ query }) => exportJournals(db, query))
  serve(R.listLog, ({ query }) => listLog(db, query))
  serve(R.readHealth, () => readHealth(db, { now: clock.now(), version }))
}

/** Serves what operators do. Acts that move money are signed, and the signer executes them. */
export function actRoutes(serve: ServeConsole, deps: ConsoleDeps): void {
  const { db, clock, operators } = deps
  const by = ({ operator }: { operator: Operator }) => ({ operator, now: clock.now() })
  serve(R.listActs, ({ query }) => listActs(db, query, operators()))
  serve(R.readAct, async ({ query }) => {
    const act = await readAct(db, query.nonce, operators())
    if (!act) refuseCall('act_not_found')
    return { act }
  })
  serve(R.prepareAct, async ({ body: { act, form }, caller }) => {
    const context = await readActContext(deps)
    const now = clock.now()
    const number = await readNextNumber(db, act)
    const waiting = await findWaitingAct(db, { act, number, operators: context.operators, now })
    const signing = { operator: caller.operator.wallet, number, now }
    const { nonce, expiresAt, toSign } = prepareAct(context, act, signing)
    return ok({ nonce, expiresAt: instant(expiresAt), waiting, ...whatToSign(context.site, toSign, form) })
  })
  serve(R.submitAct, async ({ body, caller: { operator } }) => {
    const now = clock.now()
    const context = await readActContext(deps)
    const { nonce, problem } = await submitAct(db, context, { ...body, operator: operator.wallet, now })
    if (problem !== null) refuseCall('act_refused', { problem })
    const stored = await readActOutcome(db, nonce)
    return ok({ nonce, state: stored?.state ?? 'waiting' })
  })
  serve(R.pause, async ({ body, caller }) => ok(await actions.pause(db, { ...by(caller), ...body })))
  serve(R.freezePlayer, async ({ body, caller }) => ok(await actions.freeze(db, { ...by(caller), ...body })))
  serve(R.endPlayerSessions, async ({ body, caller }) =>
    ok(await actions.endSessions(db, { ...by(caller), ...body })),
  )
  serve(R.announce, async ({ body, caller }) => {
    const [startsAt, endsAt] = [new Date(body.startsAt), new Date(body.endsAt)]
    return ok(await actions.announce(db, { ...by(caller), text: body.text, startsAt, endsAt }))
  })
  serve(R.endAnnouncement, async ({ body, caller }) =>
    ok(await actions.endAnnouncement(db, { ...by(caller), ...body })),
  )
}

/** Where acts are valid: the host that the signer verifies them for, and its treasury. */
async function readActContext({ db, config, operators }: ConsoleDeps): Promise<ActContext> {
  const chain = await readBoundChain(db)
  if (!chain)
    refuseCall('act_refused', { problem: 'The signer has never started on this database: start it first.' })
  const read = await readActOrigin(db, config.publicUrl)
  if ('problem' in read) refuseCall('act_refused', read)
  return {
    site: siteOf({ publicUrl: read.origin }, chain.cluster),
    treasury: chain.treasury,
    operators: operators(),
  }
}
