import { edit, type Mutants } from './edit.ts'

const SERVE = 'server/platform/http/serve.ts'
const SESSIONS = 'server/account/sessions.ts'
const LOG_IN = 'server/account/log-in.ts'
const CONSOLE = 'server/console/serve-console.ts'
const CONSOLE_SESSIONS = 'server/console/sessions.ts'

/** Each check of who may call what, left out. The tests of access must fail with every one of them. */
export const ACCESS_MUTANTS: Mutants = {
  'one-route-needs-no-session': [
    edit(
      SERVE,
      "const needsPlayer = route.auth === 'player' ||",
      "const needsPlayer = (route.auth === 'player' && route.path !== '/api/users/last-seen') ||",
    ),
  ],
  'a-bad-token-is-nobody': [
    edit(SERVE, "(route.auth === 'either' && hasToken(request))", "(route.auth === 'either' && false)"),
  ],
  'ended-sessions-live-on': [
    edit(SESSIONS, '= any(${of.tokenHashes}) and ended_at is null', '= any(${of.tokenHashes})'),
  ],
  'sessions-never-idle': [
    edit(
      SESSIONS,
      '(seen_at > ${of.seenAfter} and created_at',
      '((true or seen_at > ${of.seenAfter}) and created_at',
    ),
  ],
  'sessions-never-too-old': [
    edit(
      SESSIONS,
      'and created_at > ${of.createdAfter} and',
      'and (true or created_at > ${of.createdAfter}) and',
    ),
  ],
  'anybody-ends-a-session': [
    edit(
      SESSIONS,
      'where wallet = ${wallet} and ended_at is null\n',
      'where (true or wallet = ${wallet}) and ended_at is null\n',
    ),
  ],
  'the-wallet-of-a-call-is-trusted': [
    edit('server/actions/serve-action.ts', 'if (body.walletAddress !== player.wallet)', 'if (false)'),
  ],
  'anybody-claims': [
    edit(
      'server/workers/claim.ts',
      'rows.map((row) => [`${row.wallet} ${row.worker_id}`',
      'rows.map((row) => [`${claims[0]!.wallet} ${row.worker_id}`',
    ),
    edit(
      'server/workers/claim.ts',
      'join ${requested} using (wallet, worker_id)`',
      'join ${requested} using (worker_id)`',
    ),
  ],
  'anybody-lists-land': [
    edit('server/market/list-parcels.ts', 'if (owners.get(parcelId) !== wallet)', 'if (false)'),
  ],
  'anybody-cancels-a-listing': [
    edit('server/market/cancel-listings.ts', 'if (listing.seller !== wallet)', 'if (false)'),
  ],
  'anybody-cancels-a-withdrawal': [
    edit('server/withdrawals/cancel-withdrawal.ts', 'and w.wallet = cancelled.wallet and', 'and'),
  ],
  'anybody-submits-a-deposit': [
    edit(
      'server/deposits/submit-deposit.ts',
      'and wallet = ${wallet} and at',
      'and (true or wallet = ${wallet}) and at',
    ),
    edit('server/deposits/submit-deposit.ts', ' || transfer.signer !== wallet', ''),
    edit(
      'server/deposits/submit-deposit.ts',
      'isSignedBy(wallet, message',
      'isSignedBy(transfer.signer, message',
    ),
  ],
  'everybody-sees-who-bought': [
    edit('server/market/read-listings.ts', 'reader === wallet\n', 'wallet === wallet\n'),
  ],
  'all-withdrawals-are-listed': [
    edit(
      'server/withdrawals/read-withdrawals.ts',
      'where w.wallet = ${wallet} and (w.requested_at',
      'where (true or w.wallet = ${wallet}) and (w.requested_at',
    ),
  ],
  'private-balances-are-public': [
    edit(
      'server/account/routes.ts',
      "deps.balances === 'private' && player?.wallet",
      'deps.balances === undefined && player?.wallet',
    ),
  ],
  'frozen-wallets-act': [
    edit('server/actions/run-once.ts', 'ledger.isFrozen(wallet)', 'ledger.isFrozen(wallet) && false'),
  ],
  'frozen-wallets-get-a-challenge': [
    edit('server/withdrawals/challenge-withdrawal.ts', 'if (freeze) replyOf', 'if (freeze && false) replyOf'),
  ],
  'refused-logins-look-up-the-player': [
    edit(
      LOG_IN,
      'const createUser = sql({',
      "const lookUp = sql({ name: 'login-look-up', params: { wallet: 'text' }, row: rowOf<object>(), text: ({ wallet }) => `select 1 from users where wallet = ${wallet}` })\nconst createUser = sql({",
    ),
    edit(LOG_IN, '{ type Db, sql }', '{ type Db, rowOf, sql }'),
    // Twice for a wallet that plays.
    edit(
      LOG_IN,
      '  if (!issuedAt || message !== expected.message)',
      '  const of = { wallet }\n  if ((await db.rows(lookUp, of)).length > 0) await db.rows(lookUp, of)\n  if (!issuedAt || message !== expected.message)',
    ),
  ],
  'strangers-are-named': [
    edit(
      'server/console/log-in.ts',
      "  if (!issuedAt) refuseCall('login_expired')",
      "  if (!issuedAt) refuseCall('login_expired')\n  if (!findOperator(operators(), wallet, 'view')) refuseCall('not_an_operator')",
    ),
  ],
  'console-rights-are-ignored': [
    edit(CONSOLE, 'if (findOperator(operators(), wallet, right)) return', 'return'),
  ],
  'console-sessions-do-not-end': [
    edit(
      CONSOLE_SESSIONS,
      '\n     where token_hash = ${tokenHash} and ended_at is null`',
      '\n     where token_hash = ${tokenHash}`',
    ),
  ],
  'console-sessions-never-idle': [
    edit(CONSOLE_SESSIONS, ' || hasPassed(IDLE_MS, { from: seenAt, now })', ''),
  ],
  'console-sessions-never-too-old': [
    edit(CONSOLE_SESSIONS, 'hasPassed(ABSOLUTE_MS, { from: createdAt, now }) || ', ''),
  ],
  'removed-operators-stay': [
    edit(CONSOLE, "  if (!operator) refuseCall('not_an_operator')\n", ''),
    edit(
      CONSOLE,
      'if (caller) requireRight(deps, caller.operator',
      'if (caller?.operator) requireRight(deps, caller.operator',
    ),
  ],
}
