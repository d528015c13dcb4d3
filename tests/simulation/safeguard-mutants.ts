import type { Mutant } from './mutants.ts'

/** Bugs of what stops payouts: operators' signatures, the policy, freezes, and the reserve. */
export const SAFEGUARD_MUTANTS: readonly Mutant[] = [
  {
    name: 'o1-signature-not-verified',
    edits: [
      {
        file: 'server/operators/verify-act.ts',
        find: 'if (!(await isSignedAs(site, toSign, { form: signedForm, signature })))',
        replace: "if (!(await isSignedAs(site, toSign, { form: signedForm, signature })) && nonce === '')",
      },
    ],
  },
  {
    name: 'o1-one-operator-is-enough',
    edits: [
      {
        file: 'server/operators/read-operators.ts',
        find: 'amount > secondAbove ? 2 : 1',
        replace: 'amount > secondAbove ? 1 : 1',
      },
    ],
  },
  {
    name: 'o1-signatures-are-counted',
    edits: [
      {
        file: 'server/operators/count-approvals.ts',
        find: 'by.set(operator.wallet, operator)',
        replace: 'by.set(stored.nonce, operator)',
      },
    ],
  },
  {
    name: 'o1-approval-of-any-withdrawal',
    edits: [
      {
        file: 'server/operators/verify-act.ts',
        find: 'details.kind !== kind || ownId !== withdrawalId',
        replace: "details.kind !== kind || ownId === ''",
      },
      {
        file: 'server/operators/count-approvals.ts',
        find: "act.kind !== 'approve' || act.withdrawalId !== withdrawal.id)",
        replace: "act.kind !== 'approve')",
      },
    ],
  },
  {
    name: 'o1-approval-of-any-amount',
    edits: [
      {
        file: 'server/operators/count-approvals.ts',
        find: 'if (act.wallet !== withdrawal.wallet || toUnits(act.amount) !== amount) continue',
        replace: 'if (act.wallet !== withdrawal.wallet || toUnits(act.amount) < 0n) continue',
      },
    ],
  },
  {
    name: 'o1-rights-ignored',
    edits: [
      {
        file: 'server/operators/read-operators.ts',
        find: "return operator && (right === 'view' || operator.rights.has(right)) ? operator : null",
        replace: 'return operator ?? null',
      },
    ],
  },
  {
    name: 'o1-removed-operator-counts',
    edits: [
      {
        file: 'server/operators/read-operators.ts',
        find: 'if (now === version) return operators',
        replace: 'if (version !== null) return operators',
      },
    ],
  },
  {
    name: 'o1-expired-approval-counts',
    foundBy: ['server/signer/acts/execute-acts.test.ts'],
    edits: [
      {
        file: 'server/operators/verify-act.ts',
        find: 'if (!(expiresAt > now))',
        replace: 'if (!(expiresAt > new Date(0)))',
      },
      {
        file: 'server/operators/operator-acts.ts',
        find: "kind = ${kind} and state = 'done' and expires_at > ${now}",
        replace: "kind = ${kind} and state = 'done' and expires_at is distinct from ${now}",
      },
      {
        file: 'server/signer/review/approvals.ts',
        find: 'a.expires_at > ${now}',
        replace: 'a.expires_at is distinct from ${now}',
      },
    ],
  },
  {
    name: 'o1-state-decides',
    edits: [
      {
        file: 'server/signer/review/check-decision.ts',
        find: 'if (isSealed(deps.seal, withdrawal)) return true',
        replace: "if (withdrawal.state !== 'review') return true",
      },
    ],
  },
  {
    name: 'o1-any-seal',
    edits: [
      {
        file: 'server/signer/review/verdict-seal.ts',
        find: 'timingSafeEqual(verdictMac, sealVerdict(seal, withdrawal))',
        replace: 'timingSafeEqual(verdictMac, verdictMac)',
      },
    ],
  },
  {
    name: 'o1-large-is-approved',
    edits: [
      {
        file: 'server/signer/review/policy.ts',
        find: '!(totalOf(requested) <= limits.reviewAbove)',
        replace: '!(totalOf(requested) <= limits.reviewAbove * 1000n)',
      },
    ],
  },
  {
    name: 'f1-actions-ignore-freezes',
    // The second line of defence would refuse the action with an error.
    disabledTriggers: [{ table: 'accounts', trigger: 'accounts_frozen' }],
    edits: [
      {
        file: 'server/actions/run-once.ts',
        find: 'wallets.filter((wallet) => ledger.isFrozen(wallet))',
        replace: "wallets.filter((wallet) => ledger.isFrozen(wallet) && wallet === '')",
      },
    ],
  },
  {
    name: 'f1-signer-ignores-freezes',
    foundBy: ['server/signer/review/follow-freezes.test.ts'],
    edits: [
      {
        file: 'server/signer/review/failed-check.ts',
        find: "return (await readFreeze(db, withdrawal.wallet)) ? 'frozen' : null",
        replace: 'return null',
      },
    ],
  },
  {
    name: 'f1-unfrozen-is-not-reviewed-again',
    edits: [
      {
        file: 'server/signer/review/follow-freezes.ts',
        find: 'of await db.rows(readReleased)',
        replace: 'of (await db.rows(readReleased)).slice(0, 0)',
      },
    ],
  },
  {
    name: 's1-snapshot-of-any-age',
    edits: [
      {
        file: 'server/withdrawals/reserve-standing.ts',
        find: "if (!isRecent) return 'unseen'",
        replace: "if (!isRecent && snapshot.confirmed) return 'unseen'",
      },
    ],
  },
  {
    name: 's1-shortage-does-not-stop-payouts',
    edits: [
      {
        file: 'server/withdrawals/reserve-standing.ts',
        find: "if (snapshot.confirmed) return 'short'",
        replace: '',
      },
      {
        file: 'server/withdrawals/withdrawal-pause.ts',
        find: 'return (await readPause(db)) !== null',
        replace: "return (await readPause(db))?.why === ''",
      },
    ],
  },
  {
    name: 's1-pause-is-ignored',
    edits: [
      {
        file: 'server/withdrawals/withdrawal-pause.ts',
        find: 'return (await readPause(db)) !== null',
        replace: "return (await readPause(db))?.why === ''",
      },
    ],
  },
  {
    name: 's2-shortage-is-never-confirmed',
    edits: [
      {
        file: 'server/solvency/watch-solvency.ts',
        find: 'before.confirmed || lasted || -surplus > uncertain',
        replace: 'before.confirmed && lasted && -surplus > uncertain',
      },
    ],
  },
  {
    name: 's2-shortage-does-not-pause',
    edits: [
      {
        file: 'server/solvency/watch-solvency.ts',
        find: 'if (!isPaused) await pauseWithdrawals',
        replace: 'if (isPaused) await pauseWithdrawals',
      },
    ],
  },
]
