import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { findOperator, quorumOf, readOperators, watchOperators } from './read-operators.ts'

const dir = mkdtempSync(join(tmpdir(), 'cotton-farm-operators-'))
const file = join(dir, 'operators.json')
afterAll(() => rmSync(dir, { recursive: true }))

const ANA = { wallet: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', name: 'Ana', rights: ['decide'] }
const BEN = { wallet: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', name: 'Ben', rights: ['view'] }

const write = (content: unknown): void =>
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o644 })

test('the file names operators, their rights, and the amounts that limit what one of them may do', () => {
  write({ operators: [ANA, BEN], secondAbove: '2500.5' })
  const operators = readOperators(file)
  expect(operators.problem).toBeNull()
  expect(operators.secondAbove).toBe(2_500_500_000n)
  expect(findOperator(operators, ANA.wallet, 'decide')?.name).toBe('Ana')
  expect(findOperator(operators, ANA.wallet, 'view')?.name).toBe('Ana')
  expect(findOperator(operators, ANA.wallet, 'adjust')).toBeNull()
  expect(findOperator(operators, BEN.wallet, 'decide')).toBeNull()
  expect(findOperator(operators, 'So11111111111111111111111111111111111111112', 'view')).toBeNull()
  expect([2_500_500_000n, 2_500_500_001n].map((amount) => quorumOf(operators, amount))).toEqual([1, 2])
  write({ operators: [ANA], creditPerDay: '0' })
  expect(readOperators(file).creditPerDay).toBe(0n)
  write({ operators: [ANA] })
  expect(readOperators(file)).toMatchObject({ secondAbove: cotton(100_000), creditPerDay: cotton(1_000_000) })
})

test('the file may begin with a byte order mark and end its lines as on Windows', () => {
  write(`\uFEFF${JSON.stringify({ operators: [ANA] }, null, 2).replaceAll('\n', '\r\n')}\r\n`)
  expect(readOperators(file)).toMatchObject({ problem: null, secondAbove: cotton(100_000) })
  expect(findOperator(readOperators(file), ANA.wallet, 'decide')?.name).toBe('Ana')
})

test.each([
  ['', 'is not JSON'],
  ['{"operators":', 'is not JSON'],
  [[], 'it must be an object'],
  [{ operators: [] }, '"operators" must be a list of at least one'],
  [{ operators: [ANA], second: 5 }, 'it has the unknown field "second"'],
  [{ operators: [ANA], secondAbove: 5 }, '"secondAbove" must be an amount of $COTTON in quotes'],
  [{ operators: [ANA], secondAbove: '-5' }, '"secondAbove" must be an amount'],
  [{ operators: [ANA], creditPerDay: 5 }, '"creditPerDay" must be an amount of $COTTON in quotes'],
  [{ operators: [ANA], creditPerDay: '99999999999999999999' }, '"creditPerDay" must be an amount'],
  [{ operators: ['Ana'] }, 'operator 1 is not an object'],
  [{ operators: [{ ...ANA, wallet: 'So1' }] }, 'the wallet of operator 1 is not an address'],
  [{ operators: [ANA, { ...BEN, name: '' }] }, 'the name of operator 2 must have 1 to 40 characters'],
  [{ operators: [{ ...ANA, name: 'A\nna' }] }, 'the name of operator 1'],
  [{ operators: [{ ...ANA, rights: [] }] }, 'the rights of Ana must be a list'],
  [{ operators: [{ ...ANA, rights: ['pay'] }] }, 'Ana has the right "pay"'],
  [{ operators: [{ ...ANA, key: 1 }] }, 'operator 1 has the unknown field "key"'],
  [{ operators: [ANA, { ...ANA, name: 'Eve' }] }, 'is named twice'],
  [{ operators: [ANA, { ...BEN, name: 'ANA' }] }, 'the name ANA is given twice'],
])('with a broken file nobody is an operator, and a sentence says why: %j', (content, problem) => {
  write(content)
  const operators = readOperators(file)
  expect(operators.byWallet.size).toBe(0)
  expect(operators.problem).toContain(problem)
  expect(operators.problem).toContain(file)
})

test('without a file, or with one that everybody can change, nobody is an operator', () => {
  rmSync(file)
  expect(readOperators(file).problem).toContain('No operators are named')
  write({ operators: [ANA] })
  chmodSync(file, 0o646)
  expect(readOperators(file)).toMatchObject({
    byWallet: new Map(),
    problem: expect.stringContaining('chmod o-w'),
  })
  chmodSync(file, 0o644)
  expect(readOperators(dir)).toMatchObject({
    byWallet: new Map(),
    problem: expect.stringContaining('EISDIR'),
  })
})

test('a removed operator counts no longer, and a broken file does not keep those before it', () => {
  write({ operators: [ANA, BEN] })
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const read = watchOperators(file, log)
  expect(read().byWallet.size).toBe(2)
  write({ operators: [BEN] })
  expect([...read().byWallet.keys()]).toEqual([BEN.wallet])
  write('{')
  utimesSync(file, 1, 1)
  expect(read().byWallet.size).toBe(0)
  expect(read().problem).toContain('is not JSON')
  expect(lines).toHaveLength(1)
  write({ operators: [ANA] })
  expect([...read().byWallet.keys()]).toEqual([ANA.wallet])
  rmSync(file)
  expect(read().byWallet.size).toBe(0)
  write({ operators: [ANA] })
})
