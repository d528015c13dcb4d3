import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { readHealth } from '#contract/console/health.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { HealthPage } from './health-page.tsx'

type Health = ConsoleReply<typeof readHealth>

const read = vi.hoisted(() => ({ data: {} }))

vi.mock('../../api/queries.ts', () => ({ useRead: () => ({ ...read, error: null }) }))

const AT = '2026-01-05T12:00:00.000Z'
const HEALTH: Health = {
  at: AT,
  roles: [],
  versions: { program: '1', node: '24', postgres: '18', schema: '0001' },
  database: { bytes: 1, grownBytes: null, connections: 1, maxConnections: 100, tables: [], standbys: [] },
  watcherLagMs: null,
  backups: { lastAt: AT, failedAt: null, drillAt: null, drillFailedAt: null },
}
const text = pageMessages.health

function render(health: Partial<Health>): string {
  read.data = { ...HEALTH, ...health }
  return renderToStaticMarkup(
    <MemoryRouter>
      <HealthPage />
    </MemoryRouter>,
  )
}

test('a drill that failed reads so, and not as one that never was', () => {
  const drillOf = (backups: Partial<Health['backups']>): string | undefined =>
    render({ backups: { ...HEALTH.backups, ...backups } }).split(`<dt>${text.drill}</dt>`)[1]
  expect(drillOf({})).toContain(`<dd>${text.never}</dd>`)
  expect(drillOf({ drillAt: AT })).toContain(AT)
  expect(drillOf({ drillFailedAt: AT })).toMatch(new RegExp(`>${text.failed}<.*${AT}`))
})

test('without a failure since the last backup none is named', () => {
  expect(render({})).not.toContain(text.failedBackup)
  expect(render({ backups: { ...HEALTH.backups, failedAt: AT } })).toContain(text.failedBackup)
})

test('a standby is named as one, with the time that it is behind', () => {
  const standbys = [{ name: 'db2', state: 'streaming', lagMs: 340 }]
  const html = render({ database: { ...HEALTH.database, standbys } })
  const [head, row] = html.split('>db2<')
  expect(head).toMatch(new RegExp(`>${text.standby}</th>[^]*>${text.behind}</th>`))
  expect(row).toContain('>0.3 s<')
})

test('counts and seconds have thousands separators', () => {
  const role = { role: 'api', state: 'running', connections: 1_024, seenAt: null, detail: '' } as const
  const standbys = [{ name: 'db2', state: 'streaming', lagMs: 3_600_500 }]
  const database = { ...HEALTH.database, connections: 1_030, maxConnections: 5_000, standbys }
  const html = render({ roles: [role], database, watcherLagMs: 4_321_000 })
  expect(html).toContain('data-head="Connections">1,024<')
  for (const shown of ['1,030 of 5,000', '3,600.5 s', '4,321 s ago']) expect(html).toContain(`>${shown}<`)
})
