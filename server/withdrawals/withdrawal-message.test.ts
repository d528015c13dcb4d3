import { expect, test } from 'vitest'
import { extractNonce } from './withdrawal-message.ts'

const NONCE = '0123456789abcdef0123456789abcdef'

test('a nonce has 32 hexadecimal digits and a line of its own', () => {
  const read = (line: string) => extractNonce(`Withdraw\n${line}\nWallet: a`)
  expect(read(`Nonce: ${NONCE}`)).toBe(NONCE)
  for (const line of [`A Nonce: ${NONCE}`, `Nonce: ${NONCE}0`, `Nonce: ${NONCE.slice(1)}`, 'Nonce: null'])
    expect(read(line)).toBeNull()
})
