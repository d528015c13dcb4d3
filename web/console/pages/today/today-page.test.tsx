import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { MOST_COUNTED } from '#contract/console/today.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { TodayPage } from './today-page.tsx'

type Pause = { id: string; reason: string; since: string }
type State = { pause: Pause | null; waitingActs: number; pendingDeposits: number; queue: object[] }

const state = vi.hoisted((): State => ({ pause: null, waitingActs: 0, pendingDeposits: 0, queue: [] }))

vi.mock('../../api/queries.ts', () => {
  const today = {
    at: '2026-01-05T12:00:00.000Z',
    problems: [],
    reserve: { standing: 'covered', at: null, surplus: null },
    budget: { total: '0', used: '0' },
  }
  const useRead = ({ path }: { path: string }) => ({
    data: path.endsWith('/today') ? { ...today, ...state } : undefined,
    error: null,
    isFetched: true,
    isPlaceholderData: false,
  })
  return { useRead, queryClient: {} }
})

vi.mock('../../ui/use-now.ts', () => ({ useNow: () => Date.parse('2026-01-05T12:05:00.000Z') }))

function render(pause: Pause | null, waitingActs = 0): string {
  Object.assign(state, { pause, waitingActs })
  return renderToStaticMarkup(
    <MemoryRouter>
      <TodayPage />
    </MemoryRouter>,
  )
}

test('the first page says why withdrawals are paused', () => {
  const pause = { id: 'a pause', reason: 'An audit.', since: '2026-01-05T12:00:00.000Z' }
  expect(render(pause)).toContain(consoleMessages.paused(pause.reason))
})

test('without a pause it does not say that payouts run, which the signer may not', () => {
  expect(render(null)).toMatch(/<dt>Payouts<\/dt><dd><span[^>]*>not paused</)
})

test('a thousand signed acts that wait, which are not counted further, may be more', () => {
  expect(render(null, MOST_COUNTED - 1)).toContain('<dt>Signed acts that wait</dt><dd>999</dd>')
  expect(render(null, MOST_COUNTED)).toContain('<dt>Signed acts that wait</dt><dd>1,000+</dd>')
})

test('counts have thousands separators', () => {
  const queue = [{ state: 'review', count: 1_234, amount: '5', oldest: '2026-01-05T12:00:00.000Z' }]
  Object.assign(state, { pendingDeposits: 2_345, queue })
  const html = render(null)
  expect(html).toContain('data-head="Count">1,234<')
  expect(html).toContain('<dt>Pending deposits</dt><dd>2,345</dd>')
})
