import * as account from '#contract/account.ts'
import * as history from '#contract/history.ts'
import * as sessions from '#contract/sessions.ts'
import { toWire } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import { readFreeze } from '#server/freeze/freeze-wallet.ts'
import { readBalance } from '#server/ledger/read-balance.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Config } from '#server/platform/config.ts'
import { callerKeyOf } from '#server/platform/http/caller-address.ts'
import { ok, type Serve } from '#server/platform/http/serve.ts'
import { limitAtOnce } from '#server/platform/limit-at-once.ts'
import { limitByName } from '#server/platform/limit-by-name.ts'
import { createFailureDelay, type DelayFailures } from './delay-failures.ts'
import { openNonces } from './issue-nonce.ts'
import { type LoginDeps, requestNonce, verifyWallet } from './log-in.ts'
import { exportHistory } from './export-history.ts'
import { readHistory } from './read-history.ts'
import { readLastSeen } from './read-last-seen.ts'
import { exportStatement, readStatement, toStatementView } from './read-statement.ts'
import { walletBytes } from './wallet-signature.ts'

const HISTORY_PAGE = 50

// A statement reads every change since its month began, which takes seconds for a player with millions of them. Ten at
// once would use all connections of an api. Those of one player are read one after the other, so that one turn and most of
// the queue are left to others.
const STATEMENTS = { max: 2, maxWaiting: 20 }

// A wallet may have any number of sessions, and ending them all locks each: calls of one player that wait for each other must not
// take all connections.
const ENDINGS = { fresh: true, inTurn: true }

// A file of a long history has many pages, and its next one is read as soon as the client takes it. Those of many files at once
// would take all connections and then the processor. A page waits for its turn, because a file that has begun is not refused.
const EXPORTED_PAGES = { max: 2, maxWaiting: Infinity }

/** Login, logout, the balance of a wallet, and a player's own history and last visit. */
export function accountRoutes(
  serve: Serve,
  deps: Omit<LoginDeps, 'nonces'> & {
    balances?: Config['balances']
    /** Whether the answers to failed logins wait. */
    limited?: boolean
    wait?: (ms: number) => Promise<void>
  },
): void {
  const login: LoginDeps = { ...deps, nonces: openNonces(deps.db) }
  const delayFailures: DelayFailures = deps.limited ? createFailureDelay(deps) : (_origin, run) => run()

  serve(account.requestNonce, async ({ body }) => {
    return ok(await requestNonce(login, { wallet: body.walletAddress, form: body.form }))
  })

  serve(account.verifyWallet, async ({ body, client }) => {
    const { walletAddress: wallet, ...answer } = body
    const from = client()
    const token = await delayFailures({ caller: callerKeyOf(from.address), wallet }, () =>
      verifyWallet(login, { wallet, ...answer, client: from }),
    )
    return ok({ token, message: 'Logged in' })
  })

  serve(account.logout, async ({ player }) => {
    await deps.sessions.end(player)
    return ok({})
  })

  serve(sessions.readSessions, async ({ player }) => ok({ sessions: await deps.sessions.list(player) }), {
    fresh: true,
  })

  serve(
    sessions.endSession,
    async ({ player, body }) => {
      if ((await deps.sessions.endOf(player, body.sessionId)) === 0) refuse('session_not_found')
      return ok({})
    },
    ENDINGS,
  )

  serve(
    sessions.endOtherSessions,
    async ({ player }) => ok({ ended: await deps.sessions.endOf(player, null) }),
    ENDINGS,
  )

  serve(account.readUser, async ({ params, player }) => {
    if (!walletBytes(params.address))
      refuse('malformed', { field: 'address', problem: 'is not a wallet address' })
    if (deps.balances === 'private' && player?.wallet !== params.address) refuse('wallet_of_another')
    const [credit, freeze] = await Promise.all([
      readBalance(deps.db, params.address),
      player?.wallet === params.address ? readFreeze(deps.db, params.address) : null,
    ])
    return {
      walletAddress: params.address,
      creditBalance: toWire(totalOf(credit)),
      frozen: freeze && { reason: freeze.reason, since: freeze.since.toISOString() },
    }
  })

  serve(history.readHistory, ({ player, query }) =>
    readHistory(
      deps.db,
      {
        wallet: player.wallet,
        before: query.before,
        limit: query.limit === undefined ? HISTORY_PAGE : Number(query.limit),
      },
      query,
    ),
  )

  const takePageOf = limitByName({ maxWaiting: EXPORTED_PAGES.maxWaiting })
  const takePage = limitAtOnce(EXPORTED_PAGES)
  serve(history.exportHistory, async ({ player: { wallet }, query }) =>
    exportHistory(deps.db, wallet, query, (read) => takePageOf(wallet, () => takePage(read))),
  )

  const takeTurnOf = limitByName({ maxWaiting: STATEMENTS.maxWaiting })
  const takeTurn = limitAtOnce(STATEMENTS)
  const statementOf = (wallet: string, month: string) => {
    const read = () => readStatement(deps.db, { wallet, month, now: deps.clock.now() })
    return takeTurnOf(wallet, () => takeTurn(read))
  }

  serve(history.readStatement, async ({ player, query }) =>
    ok({ statement: toStatementView(await statementOf(player.wallet, query.month)) }),
  )

  serve(history.exportStatement, async ({ player, query }) =>
    exportStatement(await statementOf(player.wallet, query.month)),
  )

  serve(history.readLastSeen, async ({ player }) => {
    const at = await readLastSeen(deps.db, player)
    return ok({ elsewhereAt: at?.toISOString() ?? null })
  })
}
