import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { solanaPayLink } from './solana-pay.ts'

const of = {
  recipient: 'Depo5itOwner',
  mint: 'M1nt',
  amount: cotton(50_000),
  label: 'Cotton Farm',
  message: 'Deposit & play',
}

test('a Solana Pay link names owner, mint and amount, and encodes its texts with percent signs', () => {
  expect(solanaPayLink(of)).toBe(
    'solana:Depo5itOwner?amount=50000&spl-token=M1nt&label=Cotton%20Farm&message=Deposit%20%26%20play',
  )
})

test('the amount of a Solana Pay link is in whole $COTTON with a point, and without it the wallet asks', () => {
  const amountIn = (amount: Parameters<typeof solanaPayLink>[0]['amount']) =>
    new URL(solanaPayLink({ ...of, amount })).searchParams.get('amount')
  expect(amountIn(baseUnits(1n))).toBe('0.000001')
  expect(amountIn(baseUnits(1_234_567_500_000n))).toBe('1234567.5')
  expect(amountIn(null)).toBeNull()
})
