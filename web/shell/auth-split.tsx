import type { ReactNode } from 'react'
import { useSession } from '#web/api/session.ts'
import { classNames } from '#web/ui/class-names.ts'

type AuthSplitProps = { visitor?: ReactNode; player?: ReactNode; box?: 'div' | 'span' }

/**
 * Shows one content to visitors and another to players. Prerendered pages contain both, and `head-script.ts` marks the
 * document before the first paint so that `css/base.css` hides one. The boxes create no layout; within text they must be
 * spans.
 */
export function AuthSplit({ visitor, player, box: Box = 'div' }: AuthSplitProps) {
  const { loggedIn, known } = useSession()
  return (
    <>
      {known && loggedIn ? null : (
        <Box className={classNames('display-contents', !known && 'for-visitor')}>{visitor}</Box>
      )}
      {known && !loggedIn ? null : (
        <Box className={classNames('display-contents', !known && 'for-player')}>{player}</Box>
      )}
    </>
  )
}
