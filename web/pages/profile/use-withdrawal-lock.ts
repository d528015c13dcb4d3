import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/route.ts'
import { LOCK_HOURS, readWithdrawalLock, setWithdrawalLock } from '#contract/withdrawal-lock.ts'
import { call } from '#web/api/call.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { complete, orNull } from '#web/api/complete.ts'
import { forgetUnanswered } from '#web/api/idempotency-keys.ts'
import { useSession } from '#web/api/session.ts'
import { securityMessages } from '#web/messages/en-security.ts'
import { showToast } from '#web/ui/toast-store.ts'

const LOCK_KEY = ['mine', 'withdrawal-lock']

/** How often it is read while it is about to end or to become shorter: the player may wait for that moment. */
const PENDING_REFRESH_MS = 30_000

export type LockHours = 0 | (typeof LOCK_HOURS)[number]
export type Lock = ReplyOf<typeof readWithdrawalLock>['lock']

const LOCK: Lock = { hours: 0, next: orNull({ hours: 0, at: '–' }) }

/** The player's lock, and how to change it. */
export function useWithdrawalLock() {
  const { walletAddress } = useSession()
  const client = useQueryClient()
  const query = useQuery({
    queryKey: [...LOCK_KEY, walletAddress],
    queryFn: async ({ signal }) => complete({ lock: LOCK }, await call(readWithdrawalLock, { signal })).lock,
    enabled: walletAddress !== null,
    refetchInterval: ({ state }) => (state.data?.next ? PENDING_REFRESH_MS : false),
  })
  const change = async (hours: LockHours): Promise<void> => {
    try {
      await call(setWithdrawalLock, { body: { hours } })
      forgetUnanswered(setWithdrawalLock)
      await client.invalidateQueries({ queryKey: LOCK_KEY })
    } catch (error) {
      showToast({ kind: 'error', text: getErrorMessage(error, securityMessages.failed) })
      void client.invalidateQueries({ queryKey: LOCK_KEY })
    }
  }
  return { ...query, change }
}
