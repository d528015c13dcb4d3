import { expect, test } from 'vitest'
import { METRICS, type MetricRow } from './metric-table.ts'

const rows = Object.entries<MetricRow>(METRICS)

/** The base units of Prometheus, and those of the game. */
const UNITS = ['seconds', 'bytes', 'cotton', 'sol']

test('metrics have one prefix, and counters alone end in _total', () => {
  for (const [name, { type }] of rows) {
    expect(name).toMatch(/^(cotton|http)(_[a-z]+)+$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    expect(name, 'reserved for the parts of a histogram').not.toMatch(
      /_(count|sum|bucket|info)$(?<!build_info)/,
    )
  }
})

test('metrics are in base units, which their names end with', () => {
  for (const [name, { help }] of rows) {
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|days|kb|mb|lamports|percent)(_|$)/)
    if (/duration|_age_|delay|wait_|timestamp/.test(name)) expect(name).toMatch(/_seconds$/)
    if (help.includes('in $COTTON')) expect(name).toMatch(/_cotton$/)
  }
  expect(rows.filter(([name]) => UNITS.some((unit) => name.endsWith(`_${unit}`))).length).toBeGreaterThan(10)
})

test('histograms have ascending buckets, and only they have any', () => {
  for (const [name, { type, buckets }] of rows) {
    expect(buckets !== undefined, name).toBe(type === 'histogram')
    expect(buckets, name).toEqual(buckets?.toSorted((a, b) => a - b))
  }
})

test('the labels of a metric have few values: none is a wallet, an id or a path', () => {
  const known = [
    'action',
    'alert',
    'asset',
    'method',
    'node',
    'outcome',
    'place',
    'pool',
    'role',
    'round',
    'route',
  ]
  const labels = new Set(rows.flatMap(([, row]) => row.labels ?? []))
  expect([...labels].toSorted()).toEqual([...known, 'stage', 'state', 'status', 'to', 'version'])
})
