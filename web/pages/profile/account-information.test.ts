import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')

test('the balance of the profile is measured by its box, so that a long one fits', () => {
  const page = read('account-information.tsx')
  expect(page).toMatch(/className=\{styles\.grow\}>[^]*<BalanceAmount balance=\{balance\} \/>/)
  expect(read('profile.module.css')).toMatch(/\.grow \{\s+container-type: inline-size;/)
})
