import { readBooks } from '#contract/console/books.ts'
import { readToday } from '#contract/console/today.ts'
import { pause } from '#contract/console/withdrawals.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { call } from '../../api/call.ts'
import { useRead } from '../../api/queries.ts'
import { ActButton } from '../../acts/act-button.tsx'
import { ConfirmDialog } from '../../acts/confirm-dialog.tsx'
import { ReasonAct } from '../../acts/reason-act.tsx'
import { Notice } from '../../ui/notice.tsx'

const useToday = () => useRead(readToday, {}, { topics: ['pause', 'withdrawals', 'acts'] })

/** Why withdrawals are paused; nothing while they are not. */
export function PauseNotice() {
  const paused = useToday().data?.pause
  return paused ? <Notice tone="bad">{consoleMessages.paused(paused.reason)}</Notice> : null
}

/** Pauses withdrawals at once, or resumes them by a signed act. */
export function PauseControl() {
  const { data, isFetched, failureCount } = useToday()
  // While nothing answers, all attempts take more than a minute.
  if (!isFetched && failureCount === 0) return null
  // Where the state cannot be read, an operator can still pause. A second pause is refused and changes nothing.
  const paused = data?.pause ?? null
  return (
    <>
      <ActButton text={actMessages.pause.action} needs="decide" shown={paused === null}>
        {(close) => (
          <ConfirmDialog
            {...actMessages.pause}
            danger
            reasonHint={actMessages.reasonForPlayers}
            act={(reason) => call(pause, { body: { reason } })}
            onClose={close}
          />
        )}
      </ActButton>
      <ActButton text={actMessages.resume.action} needs="decide" kind="main" shown={paused !== null}>
        {(close) => (
          <ReasonAct
            title={actMessages.resume.title}
            text={actMessages.resume.text}
            version={paused?.id}
            makeAct={(reason) =>
              paused
                ? { act: { kind: 'resume', pauseId: paused.id, reason } }
                : { problem: actMessages.changed }
            }
            onClose={close}
          >
            <UnsettledNotice />
          </ReasonAct>
        )}
      </ActButton>
    </>
  )
}

/** Warns of payouts that a restored backup had forgotten: their players may still have the credit. */
export function UnsettledNotice() {
  const { data } = useRead(readBooks, {}, { topics: ['acts'] })
  return data && data.restored.length > 0 ? <Notice tone="warn">{actMessages.resume.unsettled}</Notice> : null
}
