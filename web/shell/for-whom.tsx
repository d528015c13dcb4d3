import type { ReactNode } from 'react'
import { useSession } from '#web/api/session.ts'
import { classNames } from '#web/ui/class-names.ts'

/**
 * What a visitor sees, or a player. What the build draws holds both, and `light.ts` has said who reads it before it is
 * painted (`css/base.css`).
 */
export function ForWhom({ visitor, player }: { visitor?: ReactNode; player?: ReactNode }) {
  const { loggedIn, known } = useSession()
  return (
    <>
      {known && loggedIn ? null : (
        <span className={classNames('as-is', !known && 'for-visitor')}>{visitor}</span>
      )}
      {known && !loggedIn ? null : (
        <span className={classNames('as-is', !known && 'for-player')}>{player}</span>
      )}
    </>
  )
}
