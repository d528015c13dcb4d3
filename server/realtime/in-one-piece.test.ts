import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inOnePiece } from './in-one-piece.ts'

test('a piece is its frames one behind the other, whatever was told before', () => {
  const pool = Array.from({ length: 4 }, (_, at) => Buffer.from(`frame ${at};`))
  const told = fc.array(fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 4 }), { maxLength: 50 })
  fc.assert(
    fc.property(told, (all) => {
      for (const frames of all) expect(String(inOnePiece(frames))).toBe(frames.join(''))
    }),
  )
})

test('all who are told the same get the very same piece', () => {
  const [first, second] = [Buffer.from('prices'), Buffer.from('Europe')]
  expect(inOnePiece([first, second])).toBe(inOnePiece([first, second]))
  expect(inOnePiece([second])).toBe(second)
})
