import { type ReactNode, useRef, useState } from 'react'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { usePressOnce } from '#web/ui/press-once.ts'
import { ConsoleError } from '../api/console-error.ts'
import { queryClient } from '../api/queries.ts'
import { useStaleSentence } from '../shell/stale-notice.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { readFailure } from './read-failure.ts'
import { cleanReason } from './reason.ts'
import styles from './sign-dialog.module.css'
import { useStepFocus } from './use-step-focus.ts'

type ConfirmDialogProps = {
  title: string
  text: string
  confirm: string
  danger?: boolean
  reasonHint: string
  children?: ReactNode
  /** Does it, and gives the sentence about what was done. */
  act: (reason: string) => Promise<{ outcome: string }>
  onClose: () => void
}

type Ended = { tone: 'good' | 'bad' | 'warn'; text: string }

/**
 * Asks for a reason and does what needs no signature, because it only stops something. Until the answer it cannot be closed, as
 * if nothing were done.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, confirm, danger, reasonHint, children, act, onClose } = props
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [ended, setEnded] = useState<Ended | null>(null)
  const { press, running, resting } = usePressOnce(`act ${title}`)
  const stale = useStaleSentence()
  const body = useRef<HTMLDivElement>(null)
  useStepFocus(body, ended !== null)

  const run = async (): Promise<void> => {
    const cleaned = cleanReason(reason)
    setProblem(cleaned === '' ? actMessages.reasonMissing : null)
    if (cleaned === '') return
    try {
      setEnded({ tone: 'good', text: (await act(cleaned)).outcome })
    } catch (error) {
      if (error instanceof ConsoleError && error.code === 'malformed') setProblem(error.message)
      else setEnded(readFailure(error))
    } finally {
      void queryClient.invalidateQueries()
    }
  }

  return (
    <Dialog
      title={title}
      text={text}
      onClose={running ? () => undefined : onClose}
      actions={
        ended ? (
          <Button kind="main" onClick={onClose}>
            {actMessages.close}
          </Button>
        ) : (
          <>
            <Button ariaDisabled={running} onClick={onClose}>
              {actMessages.cancel}
            </Button>
            <Button
              kind={danger ? 'danger' : 'main'}
              busy={running}
              resting={resting}
              ariaDisabled={stale !== null}
              onClick={() => press(run)}
            >
              {confirm}
            </Button>
          </>
        )
      }
    >
      <div className={styles.body} ref={body} tabIndex={-1}>
        {ended ? null : (
          <>
            {children}
            <TextField
              label={actMessages.reason}
              hint={reasonHint}
              error={problem}
              value={reason}
              onChange={setReason}
              maxLength={300}
              multiline
              autoFocusInDialog
            />
          </>
        )}
        <div aria-live="polite" className={styles.state}>
          {stale && !ended ? <Notice tone="warn">{stale}</Notice> : null}
          {ended ? <Notice tone={ended.tone}>{ended.text}</Notice> : null}
        </div>
      </div>
    </Dialog>
  )
}
