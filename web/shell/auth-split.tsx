import type { ReactNode } from 'react'
import { useSession } from '#web/api/session.ts'
import { classNames } from '#web/ui/class-names.ts'

type AuthSplitProps = { visitor?: ReactNode; player?: ReactNode; box?: 'div' | 'span' }

/**
 * What a visitor sees, or a player. What the build draws holds both, and `head-script.ts` has said who reads it before it is
 * painted (`css/base.css`). The boxes are seen by none; in a line of text they have to be spans.
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
