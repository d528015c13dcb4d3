import { hash, randomBytes } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import { memoTransaction } from '#server/account/signed-forms/memo-transaction.ts'
import { buildSignedForm, SIGNED_FORMS, type SignedForm } from '#server/account/signed-forms/signed-forms.ts'
import { type TextToSign, toOneLine } from '#server/account/signed-forms/text-to-sign.ts'
import type { Site } from '#server/platform/site.ts'
import { concat, envelopeV0, envelopeV1, SIGNING_DOMAIN } from '#tests/support/signing-wallets.ts'
import { signingKeyOf, type TestPlayer } from '#tests/support/test-player.ts'
import { SMALL_ORDER } from './hostile-logins.ts'

/** What is valid at the time of an attempt, and what an attacker knows besides. */
export type SignatureContext = {
  site: Site
  player: TestPlayer
  stranger: TestPlayer
  /** What the player was asked to sign. */
  toSign: TextToSign
  /** The same with another valid nonce, for another wallet, for another amount; and a text of the other kind. */
  otherNonce: TextToSign
  otherWallet: TextToSign
  otherAmount: TextToSign
  otherKind: TextToSign
  /** A text of the other kind with the same nonce. */
  otherKindOfNonce: TextToSign
  onOtherHost: TextToSign
}

/** What is sent to the server: the bytes that the wallet claims to have signed, and a signature. */
export type SignatureAttempt = { signedMessage: Uint8Array; signature: Uint8Array; message?: string }

/** An attempt that must be refused. It returns null where it would not differ from a valid one. */
export type HostileSignature = {
  group: string
  name: string
  attempt(context: SignatureContext): SignatureAttempt | null
}

const utf8 = (text: string): Uint8Array => Buffer.from(text)

const built = new WeakMap<TextToSign, Map<SignedForm, Uint8Array>>()

/** The bytes of a form, built once for each context. */
function honest({ site, toSign }: SignatureContext, form: SignedForm): Uint8Array {
  const forms = built.get(toSign) ?? new Map<SignedForm, Uint8Array>()
  built.set(toSign, forms)
  const bytes = forms.get(form) ?? Uint8Array.from(buildSignedForm(site, toSign, form))
  forms.set(form, bytes)
  return bytes
}

const isHonest = (context: SignatureContext, bytes: Uint8Array): boolean =>
  SIGNED_FORMS.some((form) => Buffer.compare(honest(context, form), bytes) === 0)

/** Bytes that the player's key really signed, but that are none of the forms. */
const signedBytes = (
  group: string,
  name: string,
  build: (context: SignatureContext) => Uint8Array,
): HostileSignature => ({
  group,
  name,
  attempt(context) {
    const bytes = build(context)
    return isHonest(context, bytes) ? null : { signedMessage: bytes, signature: context.player.sign(bytes) }
  },
})

const forEachForm = (make: (form: SignedForm) => HostileSignature[]): HostileSignature[] =>
  SIGNED_FORMS.flatMap(make)

// ---- Bytes around a valid form -------------------------------------------------------------------------------------

const flip = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))

const DAMAGED = forEachForm((form) => {
  const damaged = (name: string, change: (bytes: Uint8Array) => Uint8Array) =>
    signedBytes('damaged bytes', `${form}: ${name}`, (context) => change(honest(context, form)))
  return [
    damaged('without its first byte', (bytes) => bytes.subarray(1)),
    damaged('without its last byte', (bytes) => bytes.subarray(0, -1)),
    damaged('its first half', (bytes) => bytes.subarray(0, bytes.length / 2)),
    damaged('a zero before it', (bytes) => concat(Uint8Array.of(0), bytes)),
    damaged('a zero after it', (bytes) => concat(bytes, Uint8Array.of(0))),
    damaged('a line break after it', (bytes) => concat(bytes, utf8('\n'))),
    damaged('twice', (bytes) => concat(bytes, bytes)),
    damaged('its first byte changed', (bytes) => flip(bytes, 0)),
    damaged('a byte in the middle changed', (bytes) => flip(bytes, bytes.length >> 1)),
    damaged('its last byte changed', (bytes) => flip(bytes, bytes.length - 1)),
  ]
})

// ---- A valid form of another text -----------------------------------------------------------------------------------

const elsewhere =
  (change: Partial<Site>) =>
  ({ site, toSign }: SignatureContext, form: SignedForm): Uint8Array =>
    Uint8Array.from(buildSignedForm({ ...site, ...change }, toSign, form))

type Other = 'otherNonce' | 'otherWallet' | 'otherAmount' | 'otherKind' | 'otherKindOfNonce' | 'onOtherHost'

const ofText =
  (name: Other) =>
  (context: SignatureContext, form: SignedForm): Uint8Array =>
    Uint8Array.from(buildSignedForm(context.site, context[name], form))

const OTHER_STATEMENTS: [
  group: string,
  build: (context: SignatureContext, form: SignedForm) => Uint8Array,
][] = [
  ['another nonce', ofText('otherNonce')],
  ['another wallet', ofText('otherWallet')],
  ['another amount', ofText('otherAmount')],
  ['the other kind of text', ofText('otherKind')],
  ['the other kind of text', ofText('otherKindOfNonce')],
  ['another host', ofText('onOtherHost')],
  ['another host', elsewhere({ host: 'evil.test' })],
  ['another host', elsewhere({ host: 'farm.test:8080' })],
  ['another host', elsewhere({ uri: 'https://farm.test' })],
  ['another chain', elsewhere({ chainId: 'solana:mainnet' })],
  ['another chain', elsewhere({ chainId: 'solana:devnet' })],
  ['another chain', elsewhere({ chainId: '' })],
]

const MISDIRECTED = forEachForm((form) =>
  OTHER_STATEMENTS.flatMap(([group, build], at) => [
    signedBytes(group, `${form}: text ${at}`, (context) => build(context, form)),
    {
      group,
      name: `${form}: text ${at}, reported as the expected one`,
      attempt(context) {
        const bytes = build(context, form)
        if (isHonest(context, bytes)) return null
        return { signedMessage: honest(context, form), signature: context.player.sign(bytes) }
      },
    },
  ]),
)

/** The caller sends the message of that text too, so that everything agrees except with what was asked for. */
const SENT_MESSAGES = forEachForm((form) =>
  (['otherWallet', 'otherAmount', 'otherKind', 'otherKindOfNonce', 'onOtherHost'] as const).map((other) => ({
    group: 'another message',
    name: `${form}: ${other}`,
    attempt(context) {
      const bytes = ofText(other)(context, form)
      const { message } = context[other]
      return { message, signedMessage: bytes, signature: context.player.sign(bytes) }
    },
  })),
)

// ---- Signatures that are not the player's over these bytes ----------------------------------------------------------

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

function moved(signature: Uint8Array, times: bigint): Uint8Array {
  const scalar = BigInt(`0x${Buffer.from(signature.slice(32).toReversed()).toString('hex')}`) + times * ORDER
  const bytes = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').toReversed()
  return concat(signature.subarray(0, 32), bytes)
}

const FORGED = forEachForm((form) => {
  const forged = (
    name: string,
    change: (signature: Uint8Array, context: SignatureContext, bytes: Uint8Array) => Uint8Array,
  ): HostileSignature => ({
    group: 'a forged signature',
    name: `${form}: ${name}`,
    attempt(context) {
      const bytes = honest(context, form)
      return { signedMessage: bytes, signature: change(context.player.sign(bytes), context, bytes) }
    },
  })
  return [
    forged('of a stranger', (_, { stranger }, bytes) => stranger.sign(bytes)),
    forged('of the hash of the bytes', (_, { player }, bytes) =>
      player.sign(hash('sha256', bytes, 'buffer')),
    ),
    forged('S moved by the group order', (signature) => moved(signature, 1n)),
    forged('S moved by 7 times the group order', (signature) => moved(signature, 7n)),
    forged('zeros', () => new Uint8Array(64)),
    forged('its halves exchanged', (signature) => concat(signature.subarray(32), signature.subarray(0, 32))),
    forged('R of small order, S 0', () => concat(Buffer.from(SMALL_ORDER[0]!, 'hex'), new Uint8Array(32))),
    ...[0, 20, 40, 63].map((at) => forged(`byte ${at} changed`, (signature) => flip(signature, at))),
  ]
})

const CROSSED = forEachForm((form) =>
  SIGNED_FORMS.filter((other) => other !== form).map((other) => ({
    group: 'a signature over another form',
    name: `${other} reported as ${form}`,
    attempt: (context) => ({
      signedMessage: honest(context, form),
      signature: context.player.sign(honest(context, other)),
    }),
  })),
)

// ---- Envelopes ------------------------------------------------------------------------------------------------------

type Envelope = (
  context: SignatureContext & { text: string; key: Uint8Array; thief: Uint8Array },
) => Uint8Array

const DOMAINS: [name: string, domain: () => Uint8Array][] = [
  ['another host', () => hash('sha256', 'evil.test', 'buffer')],
  ['a host under ours', () => hash('sha256', 'www.farm.test', 'buffer')],
  ['our origin', () => hash('sha256', 'http://farm.test', 'buffer')],
  ['our host in capitals', () => hash('sha256', 'FARM.TEST', 'buffer')],
  ['our host as text', () => Buffer.concat([Buffer.from('farm.test')], 32)],
  ['ones', () => new Uint8Array(32).fill(0xff)],
  ['random bytes', () => randomBytes(32)],
]

const SIGNERS: [name: string, signers: (key: Uint8Array, thief: Uint8Array) => Uint8Array[]][] = [
  ['nobody', () => []],
  ['a stranger only', (_, thief) => [thief]],
  ['the player and a stranger', (key, thief) => [key, thief]],
  ['a stranger and the player', (key, thief) => [thief, key]],
  ['the player twice', (key) => [key, key]],
  ['a key of zeros', () => [new Uint8Array(32)]],
]

const ENVELOPES: [group: string, name: string, build: Envelope][] = [
  ...DOMAINS.map(([name, domain]): [string, string, Envelope] => [
    'another application domain',
    name,
    ({ text, key }) => envelopeV0({ text, signers: [key], domain: domain() }),
  ]),
  ...SIGNERS.flatMap(([name, signers]): [string, string, Envelope][] => [
    [
      'another list of signers',
      `version 0: ${name}`,
      (of) => envelopeV0({ ...of, signers: signers(of.key, of.thief) }),
    ],
    [
      'another list of signers',
      `version 1: ${name}`,
      (of) => envelopeV1({ ...of, signers: signers(of.key, of.thief) }),
    ],
  ]),
  ...[2, 3, 255].map((format): [string, string, Envelope] => [
    'an unknown envelope',
    `format ${format}`,
    ({ text, key }) => envelopeV0({ text, signers: [key], format }),
  ]),
  [
    'an unknown envelope',
    'version 2',
    ({ text, key }) => flipVersion(envelopeV1({ text, signers: [key] }), 2),
  ],
  [
    'an unknown envelope',
    'version 255',
    ({ text, key }) => flipVersion(envelopeV1({ text, signers: [key] }), 255),
  ],
  ['an unknown envelope', 'no application domain and signers', ({ text }) => short(text)],
  [
    'an unknown envelope',
    'the signing domain and the text',
    ({ text }) => concat(SIGNING_DOMAIN, utf8(text)),
  ],
  [
    'an unknown envelope',
    'another signing domain',
    ({ text, key }) => flip(envelopeV1({ text, signers: [key] }), 0),
  ],
  [
    'an unknown envelope',
    'an envelope in an envelope',
    ({ text, key }) => {
      const inner = Buffer.from(envelopeV1({ text, signers: [key] })).toString('latin1')
      return envelopeV1({ text: inner, signers: [key] })
    },
  ],
  [
    'an unknown envelope',
    'of another chain',
    ({ text }) => utf8(`\x19Ethereum Signed Message:\n${text.length}${text}`),
  ],
  ['an unknown envelope', 'in base64', ({ text }) => utf8(btoa(text))],
  ['an unknown envelope', 'in hex', ({ text }) => utf8(Buffer.from(text).toString('hex'))],
  ['an unknown envelope', 'in UTF-16', ({ text }) => Buffer.from(text, 'utf16le')],
  ['an unknown envelope', 'as JSON', ({ text }) => utf8(JSON.stringify({ message: text }))],
  ['an unknown envelope', 'its hash', ({ text }) => hash('sha256', text, 'buffer')],
  ['an unknown envelope', 'anything else', () => utf8('I agree')],
  ['an unknown envelope', 'one byte', () => Uint8Array.of(1)],
]

const flipVersion = (bytes: Uint8Array, version: number): Uint8Array =>
  bytes.map((byte, at) => (at === 16 ? version : byte))

/** The envelope of old command line tools: version, format and length, neither domain nor signers. */
const short = (text: string): Uint8Array =>
  concat(SIGNING_DOMAIN, Uint8Array.of(0, 0, text.length & 0xff, text.length >> 8), utf8(text))

const WRAPPED = ENVELOPES.flatMap(([group, name, build]) =>
  (['lines', 'line'] as const).map((layout) =>
    signedBytes(group, `${name}, ${layout}`, (context) => {
      const text = layout === 'lines' ? context.toSign.message : toOneLine(context.toSign)
      const key = signingKeyOf(context.player).publicKey
      return build({ ...context, text, key, thief: signingKeyOf(context.stranger).publicKey })
    }),
  ),
)

// ---- Transactions ---------------------------------------------------------------------------------------------------

const memoOf = ({ toSign }: SignatureContext): Uint8Array =>
  Uint8Array.from(memoTransaction(toSign).messageBytes)

const BLOCKHASH_AT = 4 + 3 * 32

const replaced = (bytes: Uint8Array, at: number, by: Uint8Array): Uint8Array =>
  concat(bytes.subarray(0, at), by, bytes.subarray(at + by.length))

/** One more instruction, of the program and account at these places, with data of a transfer. */
function withInstruction(bytes: Uint8Array, program: number, accounts: readonly number[]): Uint8Array {
  const count = bytes[BLOCKHASH_AT + 32]!
  const more = Uint8Array.of(program, accounts.length, ...accounts, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)
  return concat(replaced(bytes, BLOCKHASH_AT + 32, Uint8Array.of(count + 1)), more)
}

const transaction = (name: string, build: (bytes: Uint8Array, context: SignatureContext) => Uint8Array) =>
  signedBytes('another transaction', name, (context) => build(memoOf(context), context))

const TRANSACTIONS: HostileSignature[] = [
  transaction('a blockhash of zeros', (bytes) => replaced(bytes, BLOCKHASH_AT, new Uint8Array(32))),
  transaction('a random blockhash', (bytes) => replaced(bytes, BLOCKHASH_AT, randomBytes(32))),
  transaction('a stranger pays', (bytes, { stranger }) =>
    replaced(bytes, 4, signingKeyOf(stranger).publicKey),
  ),
  transaction('two signers', (bytes) => replaced(bytes, 0, Uint8Array.of(2))),
  transaction('a read-only signer', (bytes) => replaced(bytes, 1, Uint8Array.of(1))),
  transaction('a further instruction', (bytes) => withInstruction(bytes, 1, [0])),
  transaction('two further instructions', (bytes) => withInstruction(withInstruction(bytes, 1, [0]), 2, [])),
  transaction('version 0', (bytes) => concat(Uint8Array.of(0x80), bytes, Uint8Array.of(0))),
  transaction('version 1', (bytes) => concat(Uint8Array.of(0x81), bytes)),
  transaction('with its signatures', (bytes) => concat(Uint8Array.of(1), new Uint8Array(64), bytes)),
  transaction('another memo program', (bytes) => flip(bytes, 4 + 64)),
  transaction('in an off-chain message', (bytes) => concat(SIGNING_DOMAIN, Uint8Array.of(1), bytes)),
  transaction('a higher price', (bytes) => flip(bytes, bytes.length - 1)),
]

/** Every attempt that is made for a login and for a withdrawal. */
export const HOSTILE_SIGNATURES: readonly HostileSignature[] = [
  ...DAMAGED,
  ...MISDIRECTED,
  ...SENT_MESSAGES,
  ...FORGED,
  ...CROSSED,
  ...WRAPPED,
  ...TRANSACTIONS,
]

/** Wallets without a private key: anyone can make signatures that lax verifiers accept. */
export const KEYLESS_WALLETS = SMALL_ORDER.map((point) =>
  getBase58Decoder().decode(Buffer.from(point, 'hex')),
)

/** Their forged signatures. */
export const KEYLESS_SIGNATURES = SMALL_ORDER.slice(0, 4).map((r) =>
  concat(Buffer.from(r, 'hex'), new Uint8Array(32)),
)
