import { Link } from 'react-router'
import { WORKERS } from '#game/workers.ts'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { useChain } from '#web/api/use-chain.ts'
import gift from '#web/art/icons/gift.webp'
import { paths } from '#web/paths.ts'
import { guideWanted } from '#web/shell/guide-store.ts'
import { useStore } from '#web/store.ts'
import { Note } from '#web/ui/note.tsx'
import { hiringMessages } from '#web/messages/en-hiring.ts'
import styles from './buy-pickers.module.css'

/** Local chain only: where a player who cannot afford a picker gets test tokens. */
export function LocalHint() {
  const { loggedIn } = useSession()
  const balance = useBalance()
  const isLocal = useChain()?.cluster === 'local'
  const guided = useStore(guideWanted)
  if (guided || !isLocal || !loggedIn || balance === undefined || balance >= WORKERS.kid.price) return null
  return (
    <Note tone="ok" picture={gift} className={styles.credit}>
      {hiringMessages.testTokens.hint} <Link to={paths.testTokens}>{hiringMessages.testTokens.hintLink}</Link>
    </Note>
  )
}
