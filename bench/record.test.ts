import { expect, test } from 'vitest'
import { renderTable } from './record.ts'

const machine = { cpus: 2, cpu: 'a processor', memoryGb: 1, node: 'v0', load: 0 }

test('a target is compared with the median of the ratios of each round', () => {
  // The ratio of the sums is 1.5; the ratios of the rounds are 3, 1 and 3.
  const rendered = renderTable({
    suite: 'claims',
    at: '2026-01-01T00:00:00.000Z',
    quick: false,
    machine,
    base: 'base',
    unit: 'claims',
    variants: [
      { name: 'base', perSecond: [10, 100, 10], p99Ms: [4, 4, 4] },
      { name: 'ours', perSecond: [30, 100, 30], p99Ms: [1, 1, 3] },
    ],
    targets: [
      { what: 'more', of: 'ours', over: 'base', atLeast: 3 },
      { what: 'much more', of: 'ours', over: 'base', atLeast: 3.5 },
      { what: 'sooner', of: 'ours', over: 'base', figure: 'p99Ms', atMost: 0.3 },
      { what: 'much sooner', of: 'ours', over: 'base', figure: 'p99Ms', atMost: 0.2 },
      { what: 'no target', of: 'ours', over: 'base' },
    ],
    facts: {},
  })
  expect(rendered).toContain('| more | at least 3 | 3.00 (1.00 to 3.00) | yes |')
  expect(rendered).toContain('| much more | at least 3.5 | 3.00 (1.00 to 3.00) | not yet |')
  expect(rendered).toContain('| sooner | at most 0.3 | 0.25 (0.25 to 0.75) | yes |')
  expect(rendered).toContain('| much sooner | at most 0.2 | 0.25 (0.25 to 0.75) | not yet |')
  expect(rendered).toContain('| no target |  | 3.00 (1.00 to 3.00) |  |')
})

test('a figure without a base is compared with its target, and an unknown figure fails', () => {
  const result = {
    suite: 'realtime',
    at: '2026-01-01T00:00:00.000Z',
    quick: false,
    machine,
    base: 'base',
    unit: 'changes',
    variants: [{ name: 'base', perSecond: [10, 20, 30], more: { 'stall, ms': [9, 26, 7] } }],
    facts: {},
  }
  const stall = { what: 'stall', of: 'base', figure: 'stall, ms', atMost: 25 }
  expect(renderTable({ ...result, targets: [stall] })).toContain(
    '| stall | at most 25 | 9.00 (7.00 to 26.00) | yes |',
  )
  expect(renderTable({ ...result, targets: [{ ...stall, atMost: 8 }] })).toContain(
    '| stall | at most 8 | 9.00 (7.00 to 26.00) | not yet |',
  )
  expect(() => renderTable({ ...result, targets: [{ ...stall, figure: 'stal' }] })).toThrow(
    'base has no stal',
  )
})
