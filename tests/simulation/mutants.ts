import {
  BY_INSTRUCTION,
  CANCEL_AND_LOCK_MUTANTS,
  IN_MEMORY_COUNTERS,
  resetOnClaimEdits,
} from './mutant-code.ts'
import { CHAIN_MUTANTS } from './chain-mutants.ts'
import { SAFEGUARD_MUTANTS } from './safeguard-mutants.ts'

/** A change of a product file while it is loaded. `find` occurs in the file exactly once. */
export type Edit = { file: string; find: string; replace: string }

/** A plausible bug, named after the failure mode that it causes. */
export type Mutant = {
  name: string
  edits: readonly Edit[]
  /** Triggers of the database that would catch the bug before it has an effect. They are off meanwhile. */
  disabledTriggers?: readonly { table: string; trigger: string }[]
  /** The unit tests that find it, if two hundred worlds do not. */
  foundBy?: readonly string[]
}

export const mutants: readonly Mutant[] = [
  {
    name: 'd1-check-then-insert',
    edits: [
      {
        file: 'server/deposits/credit-deposits.ts',
        find: 'waiting.push(...(await db.transaction((tx) => recordArrivals(tx, recording))))',
        replace: `const early = new Set((await db.rows(sql({ name: 'mutant-early', params: { account: 'text' }, row: rowOf<{ signature: string }>(),
          text: ({ account }) => "select signature from receipts where state = 'credited' and token_account = " + account }), { account: address.tokenAccount })).map((row) => row.signature))
        const unseen = { ...recording, arrivals: arrivals.filter((each) => !early.has(each.signature)) }
        waiting.push(...(await db.transaction((tx) => recordArrivals(tx, unseen))))`,
      },
      {
        file: 'server/deposits/record-arrivals.ts',
        find: 'const known = new Set(rows.map((row) => row.signature))',
        replace: 'const known = new Set<string>()',
      },
      {
        file: 'server/deposits/record-arrivals.ts',
        find: "       where receipts.state in ('pending', 'dropped')\n",
        replace: '',
      },
    ],
  },
  {
    name: 'd2-by-owner',
    edits: [
      {
        file: 'server/chain/receipts.ts',
        find: 'const row = byAccount.get(of.tokenAccount)',
        replace:
          'const row = [...byAccount.values()].find((each) => each.mint === of.facts.mint && each.amount > 0n)',
      },
    ],
  },
  {
    name: 'd2-by-instruction',
    edits: [
      {
        file: 'server/chain/receipts.ts',
        find: 'amount: ours(after) - ours(before),',
        replace: 'amount: byInstruction(answer as never, keys, of.tokenAccount),',
      },
      {
        file: 'server/chain/receipts.ts',
        find: 'export type TokenRow = {',
        replace: `${BY_INSTRUCTION}export type TokenRow = {`,
      },
    ],
  },
  {
    name: 'd2-ignore-err',
    edits: [
      {
        file: 'server/chain/receipts.ts',
        find: 'amount: ours(after) - ours(before),',
        replace:
          'amount: meta.err !== null ? byInstruction(answer as never, keys, of.tokenAccount) : ours(after) - ours(before),',
      },
      {
        file: 'server/chain/receipts.ts',
        find: 'export type TokenRow = {',
        replace: `${BY_INSTRUCTION}export type TokenRow = {`,
      },
      {
        file: 'server/deposits/read-arrivals.ts',
        find: '(receipt.failed ? null : receipt)',
        replace: '(receipt)',
      },
    ],
  },
  {
    name: 'd2-float',
    edits: [
      {
        file: 'server/chain/receipts.ts',
        find: 'BigInt(row.uiTokenAmount.amount)',
        replace: 'BigInt(Math.floor(Number((row.uiTokenAmount as any).uiAmount) * 1e6))',
      },
    ],
  },
  {
    name: 'd3-confirmed',
    edits: [
      {
        file: 'server/deposits/read-arrivals.ts',
        find: 'final: false, waitsFor: null',
        replace: 'final: true, waitsFor: null',
      },
    ],
  },
  {
    name: 'd3-single-node',
    edits: [
      {
        file: 'server/chain/quorum.ts',
        find: "if (chain.nodes.length < QUORUM) return 'agreed'",
        replace: "return 'agreed'",
      },
    ],
  },
  {
    name: 'd4-cursor-newest',
    edits: [
      {
        file: 'server/deposits/read-arrivals.ts',
        find: 'const read = open < 0 ? batch : batch.slice(0, open)',
        replace: 'const read = batch.slice(open * 0)',
      },
    ],
  },
  {
    name: 'd4-short-page-is-the-end',
    edits: [
      {
        file: 'server/deposits/read-arrivals.ts',
        find: '    items.push(...page)\n',
        replace: '    items.push(...page)\n    if (page.length < pageSize) return items.toReversed()\n',
      },
    ],
  },
  {
    name: 'w1-sign-again-on-timeout',
    edits: [
      {
        file: 'server/signer/payouts/send-payouts.ts',
        find: "import type { StepDeps } from '../step-deps.ts'\n",
        replace: `import { buildPayout } from '#server/chain/transactions.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import type { StepDeps } from '../step-deps.ts'
`,
      },
      {
        file: 'server/signer/payouts/send-payouts.ts',
        find: 'sendPayouts({ db, chain, log }: SendPayoutsDeps)',
        replace: 'sendPayouts({ db, chain, log, treasury }: any)',
      },
      {
        file: 'server/signer/start-signer.ts',
        find: 'sendPayouts({ db, chain, log })',
        replace: 'sendPayouts({ db, chain, log, treasury: treasuryKey } as any)',
      },
      {
        file: 'server/signer/payouts/send-payouts.ts',
        find: "    if (sent.state === 'rejected')\n",
        replace: `    if (sent.state === 'unknown') {
      const lanes = await db.rows(sql({ name: 'mutant-lanes', row: rowOf<{ account: never }>(), text: 'select nonce_account as account from lanes order by lane' }))
      for (const { account } of lanes) {
        const nonce = await chain.nonceValue(account, 'finalized')
        if (nonce === null || nonce === payouts[at]!.lane.nonce) continue
        const again = { token: chain.facts, treasury, lane: { nonceAccount: account, nonce }, wallet: payouts[at]!.wallet as never, amount: payouts[at]!.amount, id }
        await chain.send((await buildPayout(again)).wire, { skipPreflight: true })
      }
    }
    if (sent.state === 'rejected')
`,
      },
    ],
  },
  {
    name: 'w1-persist-after-send',
    edits: [
      {
        file: 'server/signer/payouts/sign-approved.ts',
        find: '    await storePayout(deps, {',
        replace: '    await chain.send(payout.wire, { skipPreflight: true })\n    await storePayout(deps, {',
      },
    ],
  },
  {
    name: 'w1-null-is-failed',
    edits: [
      {
        file: 'server/signer/payouts/settle-payouts.ts',
        find: '  if (!ended) return false\n',
        replace: `  if (!ended) {
    if (payout.state !== 'sent' || payout.attempts.some((each) => outcomeOf.get(each.signature) !== 'unseen')) return false
    return db.transaction((tx) => refundWithdrawal(tx, { id, wallet, now: clock.now(), reason: WITHDRAWAL_REASONS.payout_failed }))
  }
`,
      },
    ],
  },
  {
    name: 'w1-expiry-by-wall-clock',
    edits: [
      {
        file: 'server/signer/payouts/settle-payouts.ts',
        find: '  if (!ended) return false\n',
        replace: `  if (!ended) {
    if (clock.now().getTime() - payout.attempts.at(-1)!.signedAt.getTime() < 90_000) return false
    return db.transaction((tx) => refundWithdrawal(tx, { id, wallet, now: clock.now(), reason: WITHDRAWAL_REASONS.payout_failed }))
  }
`,
      },
    ],
  },
  {
    name: 'w1-confirmed',
    edits: [
      {
        file: 'server/chain/quorum.ts',
        find: "status.commitment === 'finalized'",
        replace: "status.commitment !== 'processed'",
      },
    ],
  },
  {
    name: 'w1-advance-on-blockhash',
    foundBy: ['server/signer/nonces/renew-lanes.test.ts'],
    edits: [
      {
        file: 'server/signer/nonces/renew-lanes.ts',
        find: 'await buildAdvance({ treasury, lane, unitPriceMicrolamports: unitPrice })',
        replace: `(await signWithBlockhash(treasury, await deps.chain.latestBlockhash('confirmed'), [
    getAdvanceNonceAccountInstruction({ nonceAccount: lane.nonceAccount, nonceAuthority: treasury })]))`,
      },
      {
        file: 'server/signer/nonces/renew-lanes.ts',
        find: "import { buildAdvance, type SignedTransaction } from '#server/chain/transactions.ts'",
        replace: `import { getAdvanceNonceAccountInstruction } from '@solana-program/system'
import { signWithBlockhash, type SignedTransaction } from '#server/chain/transactions.ts'`,
      },
    ],
  },
  {
    name: 'w2-null-never-lands',
    edits: [
      {
        file: 'server/chain/quorum.ts',
        find: 'views.filter(({ height }) => height > lastValidHeight)',
        replace: 'views.filter(({ height }) => height > 0n || height > lastValidHeight)',
      },
    ],
  },
  {
    name: 'w2-settle-single-node',
    edits: [
      {
        file: 'server/chain/quorum.ts',
        find: 'const views = await askEachNode(chain, (node) => node.statuses(signatures))',
        replace:
          'const views = await askEachNode({ ...chain, nodes: chain.nodes.slice(0, 1) }, (node) => node.statuses(signatures))',
      },
      {
        file: 'server/chain/quorum.ts',
        find: 'ends.length < quorum',
        replace: 'ends.length < Math.min(1, quorum)',
      },
    ],
  },
  {
    name: 'w3-no-reconcile',
    edits: [
      {
        file: 'server/signer/payouts/reconcile-payouts.ts',
        find: 'await reconcileAll(deps, readPayoutMemos(items), {',
        replace: 'await reconcileAll(deps, readPayoutMemos(items).slice(0, 0), {',
      },
      {
        file: 'server/signer/payouts/reconcile-payouts.ts',
        find: 'const logged = deps.signed.newest()',
        replace: 'const logged = deps.signed.newest().slice(0, 0)',
      },
    ],
  },
  {
    name: 'w3-no-watermark',
    foundBy: ['server/signer/nonces/renew-lanes.test.ts', 'server/signer/payouts/restore.test.ts'],
    edits: [
      {
        file: 'server/signer/nonces/renew-lanes.ts',
        find: '  let renewed = lanes.length > 0\n',
        replace: '  if (lanes.length > 0) return true\n  let renewed = lanes.length > 0\n',
      },
    ],
  },
  {
    name: 'w4-hold-apart-from-request',
    edits: [
      {
        file: 'server/withdrawals/request-withdrawal.ts',
        find: '    storeWithdrawals(tx, newWithdrawals, now)\n',
        replace: '    ;(tx as any).later = (other: Tx) => storeWithdrawals(other, newWithdrawals, now)\n',
      },
      {
        file: 'server/withdrawals/routes.ts',
        find: 'await transact(key, (tx) => requestWithdrawals(tx, [request], clock, maxOpen))',
        replace: `await transact(key, async (tx) => {
      const answers = await requestWithdrawals(tx, [request], clock, maxOpen)
      return [answers[0], (tx as any).later]
    }).then(async ([answer, later]) => {
      if (later) await db.transaction(async (tx) => later(tx))
      return [answer] as any
    })`,
      },
    ],
  },
  ...CANCEL_AND_LOCK_MUTANTS,
  ...SAFEGUARD_MUTANTS,
  ...CHAIN_MUTANTS,
  {
    name: 'w7-in-memory-counters',
    edits: [
      {
        file: 'server/withdrawals/reward-day.ts',
        find: `    spent: baseUnits(row?.spent ?? ZERO),
    spentByWallet: baseUnits(mine?.spent ?? ZERO),
`,
        replace: `    spent: baseUnits(ZERO),
    spentByWallet: baseUnits(inMemory(day).get(wallet) ?? ZERO),
`,
      },
      {
        file: 'server/withdrawals/reward-day.ts',
        find: '  const { budget, spent } = row\n',
        replace: '  const { budget } = row\n  const spent = 0n\n',
      },
      {
        file: 'server/withdrawals/reward-day.ts',
        find: 'new Map(before.map((each) => [each.wallet, each.spent]))',
        replace: 'inMemory(day)',
      },
      {
        file: 'server/withdrawals/reward-day.ts',
        find: '      tx.send(spendDay,',
        replace: `      for (const [wallet, amount] of taken) spentBefore.set(wallet, (spentBefore.get(wallet) ?? 0n) + amount)
      tx.send(spendDay,`,
      },
      {
        file: 'server/withdrawals/reward-day.ts',
        find: 'const DAY_MS =',
        replace: `${IN_MEMORY_COUNTERS}const DAY_MS =`,
      },
    ],
  },
  {
    name: 'm8-now-frozen-before-the-lock',
    foundBy: ['server/workers/claim.test.ts'],
    edits: [
      {
        file: 'server/actions/run-once.ts',
        find: '  const [ledger, known, locked] = await Promise.all([',
        replace:
          '  const now = ((tx as any).now = clock.now())\n  const [ledger, known, locked] = await Promise.all([',
      },
      { file: 'server/actions/run-once.ts', find: '  const now = clock.now()\n', replace: '' },
      ...resetOnClaimEdits(`base = w.base + (w.rate_per_hour::bigint *
        (extract(epoch from $4::timestamptz - w.since) * 1000)::bigint * 5 / 18) - w.claimed - paid.amount`),
    ],
  },
  {
    name: 'm8-floor-loses-the-rest',
    edits: [
      {
        file: 'server/actions/run-once.ts',
        find: '  const now = clock.now()\n',
        replace: '  const now = ((tx as any).now = clock.now())\n',
      },
      ...resetOnClaimEdits('base = 0'),
    ],
  },
]
