import { Link } from 'react-router'
import { consoleMessages } from '#web/messages/en-console.ts'
import { Page } from './shell/page.tsx'

export function NotFound() {
  return (
    <Page title={consoleMessages.notFound}>
      <p>{consoleMessages.notFoundText}</p>
      <p>
        <Link to="/">{consoleMessages.toToday}</Link>
      </p>
    </Page>
  )
}
