import { useEffect } from 'react'
import { waitingCalls } from '#web/api/waiting-calls.ts'
import { useStore } from '#web/store.ts'
import { dismissToast, showToast } from '#web/ui/toast-store.ts'
import { messages } from '#web/messages/en.ts'

/** While an action waits for its response, a toast says so and offers to stop waiting, also above a dialog. */
export function useWaitingToast(): void {
  const isWaiting = useStore(waitingCalls).length > 0
  useEffect(() => {
    if (!isWaiting) return
    const { waiting: title, waitingText: text, stopWaiting: label } = messages.errors
    const run = (): void => waitingCalls.get().forEach((stopWaiting) => stopWaiting())
    const id = showToast({ kind: 'info', title, text, action: { label, run } })
    return () => dismissToast(id)
  }, [isWaiting])
}
