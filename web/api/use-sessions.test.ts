import './browser-stub.ts'
import { expect, test } from 'vitest'
import { LISTED_SESSIONS } from '#contract/sessions.ts'

const { mayHaveOthers } = await import('./use-sessions.ts')

const own = { active: true, current: true }
const other = { active: true, current: false }
const ended = { active: false, current: false }

test('a list that is full of ended logins does not show that the player is logged in nowhere else', () => {
  expect(mayHaveOthers([own])).toBe(false)
  expect(mayHaveOthers([own, ended])).toBe(false)
  expect(mayHaveOthers([own, other])).toBe(true)
  const full = [own, ...Array.from({ length: LISTED_SESSIONS - 1 }, () => ended)]
  expect(mayHaveOthers(full.slice(1))).toBe(false)
  expect(mayHaveOthers(full)).toBe(true)
})
