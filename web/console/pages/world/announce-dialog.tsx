import { useRef, useState } from 'react'
import { announce } from '#contract/console/world.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { usePressOnce } from '#web/ui/press-once.ts'
import { cleanReason } from '../../acts/reason.ts'
import dialog from '../../acts/sign-dialog.module.css'
import { useStepFocus } from '../../acts/use-step-focus.ts'
import { call } from '../../api/call.ts'
import { queryClient } from '../../api/queries.ts'
import { useStaleSentence } from '../../shell/stale-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { announceProblem } from './announce-problem.ts'
import styles from './world.module.css'
import { fromLocal, toLocal } from './local-time.ts'

const text = actMessages.announce
const HOUR_MS = 3_600_000

/** A text for every player, with the time in which it is shown. Until the answer it cannot be closed. */
export function AnnounceDialog({ onClose }: { onClose: () => void }) {
  const [announced, setAnnounced] = useState('')
  const [from, setFrom] = useState(() => toLocal(serverClock.now().getTime()))
  const [until, setUntil] = useState(() => toLocal(serverClock.now().getTime() + 24 * HOUR_MS))
  const [problem, setProblem] = useState<string | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const { press, running, resting } = usePressOnce('announce')
  const stale = useStaleSentence()
  const body = useRef<HTMLDivElement>(null)
  useStepFocus(body, done !== null)

  const run = async (): Promise<void> => {
    const [startsAt, endsAt] = [fromLocal(from), fromLocal(until)]
    const cleaned = cleanReason(announced)
    if (cleaned === '') return setProblem(text.missingText)
    if (startsAt === null || endsAt === null || startsAt >= endsAt) return setProblem(text.invalidTimes)
    setProblem(null)
    try {
      setDone((await call(announce, { body: { text: cleaned, startsAt, endsAt } })).outcome)
    } catch (error) {
      setProblem(announceProblem(error))
    } finally {
      void queryClient.invalidateQueries()
    }
  }

  return (
    <Dialog
      title={text.title}
      onClose={running ? () => undefined : onClose}
      actions={
        done === null ? (
          <>
            <Button ariaDisabled={running} onClick={onClose}>
              {actMessages.cancel}
            </Button>
            <Button
              kind="main"
              busy={running}
              resting={resting}
              ariaDisabled={stale !== null}
              onClick={() => press(run)}
            >
              {text.confirm}
            </Button>
          </>
        ) : (
          <Button kind="main" onClick={onClose}>
            {actMessages.close}
          </Button>
        )
      }
    >
      <div className={dialog.body} ref={body} tabIndex={-1}>
        {done === null ? (
          <>
            <TextField
              label={text.text}
              hint={text.textHint}
              value={announced}
              onChange={setAnnounced}
              maxLength={300}
              multiline
              autoFocusInDialog
            />
            <div className={styles.times}>
              <TextField type="datetime-local" label={text.startsAt} value={from} onChange={setFrom} />
              <TextField type="datetime-local" label={text.endsAt} value={until} onChange={setUntil} />
            </div>
          </>
        ) : null}
        <div aria-live="polite" className={dialog.state}>
          {stale && done === null ? <Notice tone="warn">{stale}</Notice> : null}
          {problem ? <Notice tone="bad">{problem}</Notice> : null}
          {done ? <Notice tone="good">{done}</Notice> : null}
        </div>
      </div>
    </Dialog>
  )
}
