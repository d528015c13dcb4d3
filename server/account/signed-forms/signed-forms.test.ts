import { hash } from 'node:crypto'
import { createSignInMessage } from '@solana/wallet-standard-util'
import { expect, test } from 'vitest'
import { loginText } from '#server/account/log-in.ts'
import { siteOf } from '#server/platform/site.ts'
import { concat, envelopeV0, envelopeV1 } from '#tests/support/signing-wallets.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { memoTransaction } from './memo-transaction.ts'
import { signInInput } from './sign-in-input.ts'
import { buildSignedForm, findSignedForm, isSignedAs, SIGNED_FORMS } from './signed-forms.ts'
import { toOneLine } from './text-to-sign.ts'
import { verifySignedText } from './verify-signed-text.ts'
import { walletBytes } from '../wallet-signature.ts'

const SITE = siteOf({ publicUrl: 'https://farm.test:8443' }, 'mainnet')
const PLAYER = testPlayer()
const KEY = walletBytes(PLAYER.wallet)!
const NONCE = '0123456789abcdef'.repeat(4)
const TEXT = loginText(SITE, { nonce: NONCE, wallet: PLAYER.wallet })
const DOMAIN = hash('sha256', 'farm.test:8443', 'buffer')

test('each envelope has the bytes that the specification of off-chain messages describes', () => {
  const signers = [KEY]
  const [text, line] = [TEXT.message, toOneLine(TEXT)]
  const signIn = new TextDecoder().decode(createSignInMessage(signInInput(SITE, TEXT)))
  const expected = {
    raw: Buffer.from(text),
    offchain_v0_line: envelopeV0({ text: line, signers, domain: DOMAIN, format: 0 }),
    offchain_v0_line_no_domain: envelopeV0({ text: line, signers, format: 0 }),
    offchain_v0: envelopeV0({ text, signers, domain: DOMAIN, format: 1 }),
    offchain_v0_no_domain: envelopeV0({ text, signers, format: 1 }),
    offchain_v1: envelopeV1({ text, signers }),
    sign_in: Buffer.from(signIn),
    sign_in_offchain_v1: envelopeV1({ text: signIn, signers }),
    memo_transaction: memoTransaction(TEXT).messageBytes,
  }
  expect(Object.keys(expected)).toEqual([...SIGNED_FORMS])
  for (const form of SIGNED_FORMS) {
    const bytes = Buffer.from(buildSignedForm(SITE, TEXT, form))
    expect([form, bytes.toString('hex')]).toEqual([form, Buffer.from(expected[form]).toString('hex')])
    expect(findSignedForm(SITE, TEXT, bytes)).toBe(form)
  }
})

test('a sign-in text names host, wallet, purpose, origin, chain and nonce', () => {
  expect(Buffer.from(buildSignedForm(SITE, TEXT, 'sign_in')).toString()).toBe(
    [
      'farm.test:8443 wants you to sign in with your Solana account:',
      PLAYER.wallet,
      '',
      'Sign in to Cotton Farm at farm.test:8443',
      '',
      'URI: https://farm.test:8443',
      'Version: 1',
      'Chain ID: solana:mainnet',
      `Nonce: ${NONCE}`,
    ].join('\n'),
  )
})

test('the memo transaction has the text as its first instruction, and a blockhash that says what it is', () => {
  const bytes = Buffer.from(memoTransaction(TEXT).messageBytes)
  // Header, three accounts, blockhash, three instructions: program 3 accounts in, one account, the memo.
  expect([...bytes.subarray(0, 4)]).toEqual([1, 0, 2, 3])
  expect(bytes.subarray(4, 36)).toEqual(Buffer.from(KEY))
  expect(bytes.subarray(100, 132).toString()).toBe('this transaction must never land')
  expect(bytes[132]).toBe(3)
  // The memo: its program, and the wallet as the one account.
  expect([...bytes.subarray(134, 136)]).toEqual([1, 0])
  const memo = Buffer.from(toOneLine(TEXT))
  expect(bytes.subarray(133).indexOf(memo)).toBeGreaterThan(0)
  expect(memo.toString()).toBe(
    `Sign in to Cotton Farm at farm.test:8443; Nonce: ${NONCE}; Wallet: ${PLAYER.wallet}`,
  )
})

test('no two forms have the same bytes, and none starts another', () => {
  const all = SIGNED_FORMS.map((form) => Buffer.from(buildSignedForm(SITE, TEXT, form)).toString('hex'))
  for (const [at, one] of all.entries())
    for (const [other, two] of all.entries()) if (at !== other) expect(two.startsWith(one)).toBe(false)
})

test('a signature in one form is none in another, and an unknown form is not signed', async () => {
  for (const form of SIGNED_FORMS) {
    const signature = PLAYER.sign(Uint8Array.from(buildSignedForm(SITE, TEXT, form)))
    const accepted: string[] = []
    for (const each of [...SIGNED_FORMS, 'unknown', '', 'toString', '__proto__'])
      if (await isSignedAs(SITE, TEXT, { form: each, signature })) accepted.push(each)
    expect(accepted).toEqual([form])
  }
})

test('bytes around or inside a form are not a form', () => {
  for (const form of SIGNED_FORMS) {
    const bytes = Uint8Array.from(buildSignedForm(SITE, TEXT, form))
    const changed = [
      bytes.subarray(1),
      bytes.subarray(0, -1),
      concat(bytes, Uint8Array.of(0)),
      new Uint8Array(),
    ]
    for (const each of changed) expect(findSignedForm(SITE, TEXT, each)).toBeNull()
  }
})

test('a text that a form cannot carry is not signed in it, and is in another', async () => {
  const text = { ...TEXT, message: `${TEXT.message} é` }
  const bytes = Uint8Array.from(buildSignedForm(SITE, text, 'offchain_v1'))
  expect(findSignedForm(SITE, text, bytes)).toBe('offchain_v1')
  const signature = PLAYER.sign(bytes)
  expect(await isSignedAs(SITE, text, { form: 'offchain_v1', signature })).toBe(true)
  expect(await isSignedAs(SITE, text, { form: 'offchain_v0_line', signature })).toBe(false)
  const bug = { ...TEXT, message: null as never }
  expect(() => findSignedForm(SITE, bug, bytes)).toThrow(TypeError)
})

test('a verified text comes with its form and its signature', async () => {
  const bytes = Uint8Array.from(buildSignedForm(SITE, TEXT, 'sign_in'))
  const signature = PLAYER.sign(bytes)
  const answer = {
    signature: signature.toString('base64'),
    signedMessage: Buffer.from(bytes).toString('base64'),
  }
  const verified = await verifySignedText(SITE, TEXT, answer)
  expect([verified.form, Buffer.from(verified.signature)]).toEqual(['sign_in', signature])
})
