import { formatExact, fromDecimal, toDecimal } from '#game/cotton.ts'
import { CONTINENT_NAMES, type ContinentCode, isContinentCode } from '#game/continents.ts'
import type { Right } from './rights.ts'

/** The longest reason. Players read most reasons, and a wallet has to show them. */
export const LONGEST_REASON = 300

/** The latest expiry of a signed act. */
export const LONGEST_ACT_LIFE_MS = 24 * 60 * 60_000

/**
 * What an operator does by signing it, as it is submitted and stored. Amounts are exact decimals (`-1234.5`), as
 * `toDecimal` writes them. It moves money, lifts a stop or changes a market; a pause and a freeze are not signed.
 */
export type Act =
  | { kind: 'approve'; withdrawalId: string; wallet: string; amount: string }
  | { kind: 'reject'; withdrawalId: string; wallet: string; amount: string; reason: string }
  | { kind: 'adjust'; creditClass: 'deposited' | 'earned'; wallet: string; amount: string; reason: string }
  | { kind: 'fund'; amount: string; reason: string }
  | { kind: 'resume'; pauseId: string; reason: string }
  | { kind: 'unfreeze'; freezeId: string; wallet: string; reason: string }
  | { kind: 'market'; what: 'open' | 'close'; continent: ContinentCode; reason: string }
  | { kind: 'take-back'; payouts: string; amount: string; reason: string }
  | { kind: 'acknowledge'; transaction: string; amount: string; debt: 'none' | 'pool'; reason: string }

export type ActKind = Act['kind']

/** The right that each act needs. */
export const ACT_RIGHTS: Readonly<Record<ActKind, Right>> = {
  approve: 'decide',
  reject: 'decide',
  adjust: 'adjust',
  fund: 'adjust',
  resume: 'decide',
  unfreeze: 'decide',
  market: 'settings',
  'take-back': 'adjust',
  acknowledge: 'adjust',
}

export const isActKind = (text: string): text is ActKind => Object.hasOwn(ACT_RIGHTS, text)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const TRANSACTION = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
const COUNT = /^[1-9]\d{0,5}$/

/** Not one line, or with characters that are not shown. A wallet would show another text than the one that is signed. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

const isAmount = (text: string): boolean => {
  const amount = fromDecimal(text.replace(/^-/, ''))
  const written = amount !== null && toDecimal(text.startsWith('-') ? -amount : amount)
  return amount !== null && amount > 0n && amount < 2n ** 62n && written === text
}

const isReason = (text: string): boolean =>
  text.length > 0 && text.length <= LONGEST_REASON && text.trim() === text && !UNSHOWN.test(text)

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  kind: isActKind,
  withdrawalId: (text) => UUID.test(text),
  pauseId: (text) => UUID.test(text),
  freezeId: (text) => UUID.test(text),
  wallet: (text) => WALLET.test(text),
  amount: isAmount,
  reason: isReason,
  creditClass: (text) => text === 'deposited' || text === 'earned',
  what: (text) => text === 'open' || text === 'close',
  continent: isContinentCode,
  payouts: (text) => COUNT.test(text),
  transaction: (text) => TRANSACTION.test(text),
  debt: (text) => text === 'none' || text === 'pool',
}

const FIELDS: Readonly<Record<ActKind, readonly string[]>> = {
  approve: ['withdrawalId', 'wallet', 'amount'],
  reject: ['withdrawalId', 'wallet', 'amount', 'reason'],
  adjust: ['creditClass', 'wallet', 'amount', 'reason'],
  fund: ['amount', 'reason'],
  resume: ['pauseId', 'reason'],
  unfreeze: ['freezeId', 'wallet', 'reason'],
  market: ['what', 'continent', 'reason'],
  'take-back': ['payouts', 'amount', 'reason'],
  acknowledge: ['transaction', 'amount', 'debt', 'reason'],
}

/** The acts whose amount may be negative. */
const MAY_TAKE: ReadonlySet<string> = new Set(['adjust'])

/** True for exactly the fields of an act, each with a valid value. */
export const isAct = (value: unknown): value is Act => findActProblem(value) === null

/** The name of the first field of an act that is missing, invalid or unknown; null if it is an act. */
export function findActProblem(value: unknown): string | null {
  const given = new Map<string, unknown>(typeof value === 'object' && value ? Object.entries(value) : [])
  const kind = given.get('kind')
  if (typeof kind !== 'string' || !isActKind(kind)) return 'kind'
  const expected = ['kind', ...FIELDS[kind]]
  for (const name of expected) {
    const text = given.get(name)
    if (typeof text !== 'string' || !CHECKS[name]?.(text)) return name
    if (name === 'amount' && text.startsWith('-') && !MAY_TAKE.has(kind)) return name
  }
  return [...given.keys()].find((name) => !expected.includes(name)) ?? null
}

/** What an act does, as one line of its message. */
function describeAct(act: Act): string {
  switch (act.kind) {
    case 'approve':
      return `approve withdrawal ${act.withdrawalId}`
    case 'reject':
      return `reject withdrawal ${act.withdrawalId}`
    case 'adjust':
      return `adjust ${act.creditClass} credit`
    case 'fund':
      return 'fund the reward pool'
    case 'resume':
      return `resume withdrawals after pause ${act.pauseId}`
    case 'unfreeze':
      return `unfreeze a wallet after freeze ${act.freezeId}`
    case 'market':
      return `${act.what} the market of ${CONTINENT_NAMES[act.continent]}`
    case 'take-back':
      return `take back ${act.payouts} payouts that the books do not owe`
    case 'acknowledge':
      return act.debt === 'pool'
        ? `acknowledge payout ${act.transaction} and cover its debt from the pool`
        : `acknowledge payout ${act.transaction}`
  }
}

/**
 * The target of an act that has its effect again each time it is done: the wallet, the market, or the one pool. Such an act
 * is numbered among those of its kind and target. The database finds it by `TARGET`, and by an index with the same expression.
 * Null for an act that names what it decides or lifts, and is done once.
 */
export function numberedBy(act: Act): string | null {
  switch (act.kind) {
    case 'adjust':
      return act.wallet
    case 'market':
      return act.continent
    case 'fund':
      return ''
    case 'approve':
    case 'reject':
    case 'resume':
    case 'unfreeze':
    case 'take-back':
    case 'acknowledge':
      return null
  }
}

/** The number of an act that `numberedBy` has a target for, as part of a sentence. */
export function describeNumber({ kind }: Act, number: number): string {
  if (kind === 'adjust') return `adjustment ${number} of this wallet`
  return kind === 'market' ? `change ${number} of this market` : `funding ${number}`
}

/** The world in which an act is valid: the host of the game, and the treasury of its signer. */
export type ActWorld = { product: string; host: string; treasury: string }

/**
 * Who signs an act, and for how long. The nonce has 32 hex digits. One nonce, one act. Of several numbered acts that were
 * signed with the same number one is done.
 */
export type ActSigning = { operator: string; nonce: string; expiresAt: Date; number: number | null }

/**
 * What an operator's wallet signs, for every signed form: the message in lines, and the same in one line as the purpose.
 * Console, `ops` and signer build it from the act, so a signature is valid for exactly this act.
 */
export function actText(
  act: Act,
  { product, host, treasury }: ActWorld,
  { operator, nonce, expiresAt, number }: ActSigning,
): { wallet: string; nonce: string; purpose: string; message: string } {
  const what = [
    `${product} operator, ${host}`,
    `World: ${treasury}`,
    `Act: ${describeAct(act)}`,
    ...('amount' in act ? [`Amount: ${formatExact(toUnits(act.amount))} $COTTON`] : []),
    ...('wallet' in act ? [`To: ${act.wallet}`] : []),
    ...(number !== null && numberedBy(act) !== null ? [`Number: ${describeNumber(act, number)}`] : []),
    ...('reason' in act ? [`Reason: ${act.reason}`] : []),
  ]
  const expires = `Expires: ${expiresAt.toISOString()}`
  return {
    wallet: operator,
    nonce,
    purpose: [...what, expires].join('; '),
    message: [...what, `Operator: ${operator}`, `Nonce: ${nonce}`, expires].join('\n'),
  }
}

/** The base units of the amount of an act. */
export const toUnits = (amount: string): bigint =>
  amount.startsWith('-') ? -(fromDecimal(amount.slice(1)) ?? 0n) : (fromDecimal(amount) ?? 0n)
