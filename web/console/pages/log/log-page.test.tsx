import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { LogPage } from './log-page.tsx'

const written = vi.hoisted((): { login: string | null } => ({ login: null }))

vi.mock('../../api/queries.ts', () => {
  const at = '2026-01-05T12:00:00.000Z'
  const line = { id: '1', at, who: 'Ana', command: 'pause', arguments: {}, reason: null, outcome: 'Done.' }
  const foot = { hasMore: false, loading: false, failed: false, onMore: () => undefined, shown: 1 }
  const useList = ({ path }: { path: string }) => ({
    data: path.endsWith('/log') ? [{ ...line, ...written }] : [],
    error: null,
    refetch: () => undefined,
    foot,
  })
  return { useList }
})

function render(login: string | null): string {
  written.login = login
  return renderToStaticMarkup(
    <MemoryRouter>
      <LogPage />
    </MemoryRouter>,
  )
}

test('a line of the operator log names the login of the database that wrote it', () => {
  expect(render('console')).toContain('data-head="Database login">console<')
  expect(render(null)).toContain('data-head="Database login">–<')
})
