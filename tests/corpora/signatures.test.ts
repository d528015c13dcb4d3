import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { openNonces } from '#server/account/issue-nonce.ts'
import { loginText, type LoginDeps, requestNonce, verifyWallet } from '#server/account/log-in.ts'
import { createSessions } from '#server/account/sessions.ts'
import { buildSignedForm, findSignedForm, SIGNED_FORMS } from '#server/account/signed-forms/signed-forms.ts'
import type { TextToSign } from '#server/account/signed-forms/text-to-sign.ts'
import { isSignedBy } from '#server/account/wallet-signature.ts'
import { Refused, replyOf } from '#server/platform/answer.ts'
import type { Db } from '#server/platform/db/db.ts'
import { siteOf } from '#server/platform/site.ts'
import { challengeWithdrawal } from '#server/withdrawals/challenge-withdrawal.ts'
import { requestWithdrawals } from '#server/withdrawals/request-withdrawal.ts'
import { verifySignedMessage } from '#server/withdrawals/verify-signed-message.ts'
import { extractNonce, withdrawalText } from '#server/withdrawals/withdrawal-message.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { concat, SIGNING_DOMAIN } from '#tests/support/signing-wallets.ts'
import { signingKeyOf } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import {
  HOSTILE_SIGNATURES,
  KEYLESS_SIGNATURES,
  KEYLESS_WALLETS,
  type SignatureAttempt,
  type SignatureContext,
} from './hostile-signatures.ts'

const SITE = siteOf({ publicUrl: 'http://farm.test' }, 'local')
const EVIL = { ...SITE, host: 'evil.test' }
const AMOUNT = cotton(5)
const MINUTE_MS = 60_000

/** Logs in or withdraws: makes a context, and sends an attempt. `now` may be later than the world's time. */
type Kind = {
  name: string
  context(world: TestWorld): Promise<SignatureContext>
  send(world: TestWorld, context: SignatureContext, attempt: SignatureAttempt, now?: Date): Promise<unknown>
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const answerOf = ({ toSign }: SignatureContext, { signature, signedMessage, message }: SignatureAttempt) => ({
  message: message ?? toSign.message,
  signature: base64(signature),
  signedMessage: base64(signedMessage),
})

const deps = ({ db, clock }: TestWorld): LoginDeps => ({
  db,
  clock,
  site: SITE,
  sessions: createSessions({ db, clock }),
  nonces: openNonces(db),
})

const newNonce = () => randomBytes(16).toString('hex')

async function loginNonce(world: TestWorld, wallet: string): Promise<TextToSign> {
  const { nonce } = await requestNonce(deps(world), { wallet })
  return loginText(SITE, { nonce, wallet })
}

async function challenge({ db, clock }: TestWorld, wallet: string, amount = AMOUNT): Promise<TextToSign> {
  const { message } = await challengeWithdrawal({ db, clock, site: SITE, maxOpen: 1_000 }, { wallet, amount })
  return withdrawalText(SITE, { wallet, amount, nonce: extractNonce(message)! })
}

const LOGIN: Kind = {
  name: 'login',
  async context(world) {
    const [player, stranger] = [
      await world.player({ deposited: 1_000 }),
      await world.player({ deposited: 1_000 }),
    ]
    const { wallet } = player
    const toSign = await loginNonce(world, wallet)
    const { nonce } = toSign
    const onOtherHost = loginText(EVIL, { nonce, wallet })
    const otherAmount = withdrawalText(SITE, { wallet, amount: cotton(1), nonce })
    const otherKindOfNonce = withdrawalText(SITE, { wallet, amount: AMOUNT, nonce })
    const [otherNonce, otherWallet] = [
      await loginNonce(world, wallet),
      await loginNonce(world, stranger.wallet),
    ]
    const otherKind = await challenge(world, wallet)
    return {
      site: SITE,
      player,
      stranger,
      toSign,
      onOtherHost,
      otherAmount,
      otherNonce,
      otherWallet,
      otherKind,
      otherKindOfNonce,
    }
  },
  send: (world, context, attempt, now = world.clock.now()) =>
    verifyWallet(
      { ...deps(world), clock: { now: () => now } },
      { wallet: context.toSign.wallet, ...answerOf(context, attempt) },
    ),
}

const WITHDRAWAL: Kind = {
  name: 'withdrawal',
  async context(world) {
    const [player, stranger] = [
      await world.player({ deposited: 1_000 }),
      await world.player({ deposited: 1_000 }),
    ]
    const { wallet } = player
    const toSign = await challenge(world, wallet)
    const { nonce } = toSign
    const onOtherHost = withdrawalText(EVIL, { wallet, amount: AMOUNT, nonce })
    const otherAmount = withdrawalText(SITE, { wallet, amount: cotton(500), nonce })
    const otherKindOfNonce = loginText(SITE, { wallet, nonce })
    const [otherNonce, otherWallet] = [
      await challenge(world, wallet),
      await challenge(world, stranger.wallet),
    ]
    const otherKind = await loginNonce(world, wallet)
    return {
      site: SITE,
      player,
      stranger,
      toSign,
      onOtherHost,
      otherAmount,
      otherNonce,
      otherWallet,
      otherKind,
      otherKindOfNonce,
    }
  },
  async send({ db, clock }, context, attempt, now = clock.now()) {
    const { wallet } = context.toSign
    const proof = await verifySignedMessage(SITE, { wallet, amount: AMOUNT, ...answerOf(context, attempt) })
    const request = { wallet, amount: AMOUNT, ...proof, key: null }
    const [answer] = await db.transaction((tx) =>
      requestWithdrawals(tx, [request], { now: () => now }, 1_000),
    )
    return replyOf(answer!)
  },
}

const KINDS = [LOGIN, WITHDRAWAL]

const TABLES = [
  'sessions',
  'nonces',
  'users',
  'withdrawals',
  'withdrawal_challenges',
  'journals',
  'entries',
  'accounts',
]

async function readState(db: Db): Promise<string[]> {
  const rows = TABLES.map((table) =>
    db.rows(
      rawSql<{ state: string }>({
        name: `test-state-${table}`,
        text: `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as state from ${table} t`,
      }),
    ),
  )
  return (await Promise.all(rows)).map(([row], at) => `${TABLES[at]} ${row!.state}`)
}

/** The code of the refusal, or what was accepted. */
const outcomeOf = (sending: Promise<unknown>): Promise<string> =>
  sending.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Refused ? error.refusal.code : String(error)),
  )

const GROUPS = [...new Set(HOSTILE_SIGNATURES.map(({ group }) => group))]

let attempts = 0

test.for(
  KINDS.flatMap((kind) => GROUPS.map((group) => ({ kind, group, title: `${kind.name} with ${group}` }))),
)('no $title is accepted', async ({ kind, group }, { world }) => {
  const context = await kind.context(world)
  const before = await readState(world.db)
  const outcomes = new Map<string, string[]>()
  for (const { name, attempt } of HOSTILE_SIGNATURES.filter((each) => each.group === group)) {
    const made = attempt(context)
    if (!made) continue
    attempts += 1
    const outcome = await outcomeOf(kind.send(world, context, made))
    outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), name])
  }
  for (const code of ['signed_form_unknown', 'signature_failed']) outcomes.delete(code)
  expect(Object.fromEntries(outcomes)).toEqual({})
  expect(await readState(world.db)).toEqual(before)
  // The same context is accepted once the wallet signs what it was asked to sign.
  expect(await outcomeOf(kind.send(world, context, sign(context, 'raw')))).toBe('accepted')
})

const sign = (context: SignatureContext, form: (typeof SIGNED_FORMS)[number]): SignatureAttempt => {
  const signedMessage = Uint8Array.from(buildSignedForm(SITE, context.toSign, form))
  return { signedMessage, signature: context.player.sign(signedMessage) }
}

test.for(
  KINDS.flatMap((kind) => SIGNED_FORMS.map((form) => ({ kind, form, title: `${kind.name} as ${form}` }))),
)(
  'a $title is accepted once: late it has expired, and a replay is refused',
  async ({ kind, form }, { world }) => {
    const context = await kind.context(world)
    const attempt = sign(context, form)
    const expired = kind === LOGIN ? 'login_expired' : 'challenge_expired'
    const late = new Date(world.clock.now().getTime() + 5 * MINUTE_MS)
    const before = await readState(world.db)
    expect(await outcomeOf(kind.send(world, context, attempt, late))).toBe(expired)
    expect(await readState(world.db)).toEqual(before)
    expect(await outcomeOf(kind.send(world, context, attempt))).toBe('accepted')
    const after = await readState(world.db)
    expect(await outcomeOf(kind.send(world, context, attempt))).toBe(expired)
    expect(await readState(world.db)).toEqual(after)
    attempts += 2
  },
)

test.for(KINDS)('no $name of a wallet without a private key is accepted', async (kind, { world }) => {
  const context = await kind.context(world)
  for (const wallet of KEYLESS_WALLETS) {
    const keyless =
      kind === LOGIN
        ? await loginNonce(world, wallet)
        : withdrawalText(SITE, { wallet, amount: AMOUNT, nonce: newNonce() })
    for (const form of SIGNED_FORMS) {
      const signedMessage = Uint8Array.from(buildSignedForm(SITE, keyless, form))
      for (const signature of KEYLESS_SIGNATURES) {
        attempts += 1
        const of = { ...context, toSign: keyless }
        expect(await outcomeOf(kind.send(world, of, { signedMessage, signature }))).toBe('signature_failed')
      }
    }
  }
})

// ---- Faulty verifiers that the corpus detects ------------------------------------------------------------------------

const isForm = (toSign: TextToSign, bytes: Uint8Array) => findSignedForm(SITE, toSign, bytes) !== null

/** The envelope with the signers of its preamble replaced by the wallet alone. */
function withoutSigners(bytes: Uint8Array, key: Uint8Array): Uint8Array {
  const isEnvelope = Buffer.compare(bytes.subarray(0, 16), SIGNING_DOMAIN) === 0
  const at = bytes[16] === 0 ? 50 : 17
  if (!isEnvelope || bytes.length < at) return bytes
  return concat(bytes.subarray(0, at), Uint8Array.of(1), key, bytes.subarray(at + 1 + 32 * bytes[at]!))
}

const withoutDomain = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte, at) => (at >= 17 && at < 49 && bytes[0] === 0xff ? 0 : byte))

const withoutChain = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/(\nChain ID: [^\n]*)?\nNonce/, `\nChain ID: ${SITE.chainId}\nNonce`),
    'latin1',
  )

type Verifier = (context: SignatureContext, bytes: Uint8Array) => boolean

/** Each of them accepts what the wallet reports, if the wallet signed it and one check, which is missing here, passes. */
const FAULTY: [name: string, accepts: Verifier][] = [
  ['trusts the bytes that the caller reports', () => true],
  ['skips the application domain', ({ toSign }, bytes) => isForm(toSign, withoutDomain(bytes))],
  [
    'skips the list of signers',
    ({ toSign, player }, bytes) => isForm(toSign, withoutSigners(bytes, signingKeyOf(player).publicKey)),
  ],
  ['skips the chain', ({ toSign }, bytes) => isForm(toSign, withoutChain(bytes))],
  [
    'accepts a login for a withdrawal',
    ({ toSign, otherKindOfNonce }, bytes) => isForm(toSign, bytes) || isForm(otherKindOfNonce, bytes),
  ],
]

type Made = { context: SignatureContext; signed: Uint8Array[] }

let making: Promise<Made> | null = null

/** The bytes of the corpus that the player really signed, once for all verifiers. */
async function makeSigned(world: TestWorld): Promise<Made> {
  const context = await WITHDRAWAL.context(world)
  const signed: Uint8Array[] = []
  for (const { attempt } of HOSTILE_SIGNATURES) {
    const made = attempt(context)
    if (made && (await isSignedBy(context.player.wallet, made.signedMessage, made.signature)))
      signed.push(made.signedMessage)
  }
  return { context, signed }
}

test.for(FAULTY)('the corpus detects a verifier that %s', async ([, accepts], { world }) => {
  const { context, signed } = await (making ??= makeSigned(world))
  expect(signed.some((bytes) => accepts(context, bytes))).toBe(true)
})

test('the corpus detects no verifier that skips nothing', async ({ world }) => {
  const { context, signed } = await (making ??= makeSigned(world))
  expect(signed.length).toBeGreaterThan(100)
  expect(signed.filter((bytes) => isForm(context.toSign, bytes))).toEqual([])
})

test('the corpus has more than 400 logins and withdrawals', () => {
  expect(attempts).toBeGreaterThanOrEqual(400)
  process.stdout.write(`${attempts} hostile logins and withdrawals, 0 accepted\n`)
})
