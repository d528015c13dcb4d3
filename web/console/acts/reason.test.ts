import { expect, test } from 'vitest'
import { isAct } from '#contract/console/acts.ts'
import { cleanReason, cleanSignedReason } from './reason.ts'

test('a signed reason has no character that a wallet does not show', () => {
  const typed = ' Ask\u200B again\u00AD\nwith \u202E“ä” \u{1F468}\u200D\u{1F469}\u0007 '
  const reason = cleanSignedReason(typed)
  expect(reason).toBe('Ask again with “ä” \u{1F468}\u{1F469}')
  expect(isAct({ kind: 'fund', amount: '1', reason })).toBe(true)
  expect(isAct({ kind: 'fund', amount: '1', reason: cleanReason(typed) })).toBe(false)
  expect(cleanSignedReason('\u200B')).toBe('')
})
