import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { messages } from '#web/messages/en.ts'

/** A link to the terms and risks, shown wherever money is about to move. */
export function TermsLink({ onFollow }: { onFollow?: () => void }) {
  return (
    <Link to={paths.terms} onClick={onFollow}>
      {messages.menu.terms}
    </Link>
  )
}
