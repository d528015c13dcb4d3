import { edit, type Mutants } from './edit.ts'

const READ = 'server/operators/read-operators.ts'
const VERIFY = 'server/operators/verify-act.ts'
const COUNT = 'server/operators/count-approvals.ts'
const TEXT = 'contract/console/acts.ts'
const ACTS = 'server/operators/operator-acts.ts'
const NUMBER = 'server/signer/acts/require-next-number.ts'
const EXECUTE = 'server/signer/acts/execute-act.ts'

/** Each check of a signed act, left out. The tests of signed acts must fail with every one of them. */
export const ACT_MUTANTS: Mutants = {
  'anybody-is-an-operator': [
    edit(
      READ,
      'const operator = byWallet.get(wallet)',
      "const operator = byWallet.get(wallet) ?? { wallet, name: 'x', rights: new Set(RIGHTS) }",
    ),
  ],
  'rights-are-ignored': [edit(READ, "(right === 'view' || operator.rights.has(right))", 'true')],
  'one-is-always-enough': [edit(READ, 'amount > secondAbove ? 2 : 1', '1')],
  'a-broken-file-keeps-its-operators': [
    edit(
      READ,
      '    operators = readOperators(path)\n',
      '    const fresh = readOperators(path)\n    if (fresh.problem === null) operators = fresh\n',
    ),
  ],
  'signatures-are-not-verified': [
    edit(VERIFY, 'if (!(await isSignedAs(', 'if (false && !(await isSignedAs('),
  ],
  'acts-do-not-expire': [edit(VERIFY, 'if (!(expiresAt > now))', 'if (false)')],
  'the-signer-accepts-any-expiry': [
    edit(VERIFY, 'if (expiresAt.getTime() - now.getTime() > FURTHEST_EXPIRY_MS)', 'if (false)'),
  ],
  'acts-live-as-long-as-they-say': [
    edit(
      'server/operators/submit-act.ts',
      'if (expiresAt.getTime() > now.getTime() + LONGEST_ACT_LIFE_MS + MAX_CLOCK_SKEW_MS)',
      'if (false)',
    ),
  ],
  'messages-name-no-world': [edit(TEXT, '`World: ${treasury}`', "'World: any'")],
  'messages-name-no-host': [edit(TEXT, '`${product} operator, ${host}`', '`${product} operator`')],
  'messages-name-no-amount': [
    edit(TEXT, "...('amount' in act ? [`Amount: ${formatExact(toUnits(act.amount))} $COTTON`] : []),", ''),
  ],
  'reasons-may-have-lines': [edit(TEXT, '&& !UNSHOWN.test(text)', '')],
  'the-amount-is-not-compared': [edit(COUNT, '|| toUnits(act.amount) !== amount', '')],
  'the-wallet-is-not-compared': [edit(COUNT, 'act.wallet !== withdrawal.wallet ||', '')],
  'the-withdrawal-is-not-compared': [
    edit(COUNT, '|| act.withdrawalId !== withdrawal.id', ''),
    edit(VERIFY, '|| ownId !== withdrawalId', ''),
  ],
  'operators-count-twice': [
    edit(COUNT, 'by.set(operator.wallet, operator)', 'by.set(stored.nonce, operator)'),
  ],
  'a-nonce-is-used-again': [
    edit(ACTS, 'stored !== undefined && Buffer.compare(stored.signature, act.signature) === 0', 'true'),
  ],
  'an-act-is-executed-again': [
    edit(
      ACTS,
      "where nonce = ${nonce} and state = 'waiting' for update",
      'where nonce = ${nonce} for update',
    ),
  ],
  'seals-are-not-verified': [
    edit(
      'server/signer/review/verdict-seal.ts',
      '&& timingSafeEqual(verdictMac, sealVerdict(seal, withdrawal))',
      '',
    ),
  ],
  'seals-name-no-wallet': [
    edit(
      'server/signer/review/verdict-seal.ts',
      "id, wallet, deposited, earned].join(' ')",
      "id, deposited, earned].join(' ')",
    ),
  ],
  'seals-name-no-amount': [
    edit(
      'server/signer/review/verdict-seal.ts',
      "id, wallet, deposited, earned].join(' ')",
      "id, wallet].join(' ')",
    ),
  ],
  'a-refunded-withdrawal-is-paid': [
    edit('server/signer/review/failed-check.ts', '|| (await isReleased(db, withdrawal))', ''),
  ],
  'approvals-are-applied-uncounted': [
    edit(
      'server/signer/review/approvals.ts',
      'if (!isApproved(await countApprovals(db, context, { withdrawal, now }))) return',
      '',
    ),
  ],
  'approvals-are-not-counted-when-a-payout-is-stored': [
    edit(
      'server/signer/payouts/sign-approved.ts',
      "if (!(await isDecided(tx, deps, { withdrawal: locked, now }))) throw new CheckFailed('not_approved')",
      '',
    ),
  ],
  'the-state-of-a-row-is-trusted': [
    edit(
      'server/signer/review/check-decision.ts',
      'if (isSealed(deps.seal, withdrawal)) return true',
      'return true',
    ),
  ],
  'replacements-are-not-checked': [
    edit(
      'server/signer/payouts/replace-payouts.ts',
      '(await isDecided(tx, deps, { withdrawal: locked, now })) &&',
      '',
    ),
  ],
  'one-operator-adds-any-amount': [
    edit('server/signer/acts/limit-credit.ts', 'if (added + amount <= limit) return', 'return'),
  ],
  'rejections-do-not-wait': [
    edit(
      'server/signer/acts/execute-acts.ts',
      'const without = reconciled ? [] : AFTER_RECONCILIATION',
      'const without: ActKind[] = []',
    ),
  ],
  'a-resume-lifts-any-pause': [edit(EXECUTE, 'if (before.id !== pauseId) {', 'if (false) {')],
  'an-unfreeze-lifts-any-freeze': [edit(EXECUTE, 'if (before.id !== freezeId) {', 'if (false) {')],
  'messages-name-no-pause': [edit(TEXT, ' after pause ${act.pauseId}', '')],
  'messages-name-no-freeze': [edit(TEXT, ' after freeze ${act.freezeId}', '')],
  'a-withheld-act-is-done-after-another': [edit(NUMBER, 'if (number === next) return', 'return')],
  'acts-need-no-number': [edit(NUMBER, 'if (number === null)', 'if (number === null) return\n  if (false)')],
  'messages-name-no-number': [edit(TEXT, '`Number: ${describeNumber(act, number)}`', "'Number: any'")],
  'rows-may-add-a-number': [edit(VERIFY, ' || hasOthersNumber', '')],
  'wallets-and-markets-share-numbers': [edit(ACTS, 'and ${TARGET} = ${target}', "and ${target} <> 'none'")],
  'refused-acts-use-numbers': [
    edit(ACTS, "and state = 'done' and number is not null", "and state <> 'waiting' and number is not null"),
  ],
  'stale-acts-are-done': [
    edit(
      'server/signer/acts/find-withdrawal.ts',
      'if (wallet !== of.wallet || amount !== of.amount) {',
      'if (false) {',
    ),
  ],
}
