import { type ReactNode, useRef, useState } from 'react'
import type { Act } from '#contract/console/acts.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { formatMoment } from '#web/messages/locale.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { usePressOnce } from '#web/ui/press-once.ts'
import { useStaleSentence } from '../shell/stale-notice.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { scrollArea } from '../ui/scroll-area.ts'
import styles from './sign-dialog.module.css'
import { isBusy, type Phase } from './signing-phase.ts'
import { useSignedAct } from './use-signed-act.ts'
import { useStepFocus } from './use-step-focus.ts'

type SignDialogProps = {
  title: string
  /** One or two sentences: what the act does. */
  text: string
  danger?: boolean
  /** What is decided, from the page; the fields of the act. */
  children?: ReactNode
  /** The act as the fields have it, or what is wrong with a field. */
  readAct: () => { act: Act } | { problem: string }
  /** What the act is about, as text. When it changes, nothing is signed any more. */
  version?: string
  onClose: () => void
}

/**
 * Asks for what the act needs, shows the exact message, has it signed, and follows it until the signer has executed it. While the
 * signature is submitted it cannot be closed, as if nothing were done.
 */
export function SignDialog(props: SignDialogProps) {
  const { title, text, children, version = '', onClose } = props
  const { phase, prepare, sign, check, back } = useSignedAct()
  const [opened] = useState(version)
  const body = useRef<HTMLDivElement>(null)
  useStepFocus(body, phase.name)
  const stale = useStaleSentence()
  const isOpen = phase.name === 'form' || phase.name === 'message'
  const blocked = isOpen ? (version === opened ? stale : actMessages.changed) : null
  return (
    <Dialog
      title={title}
      text={text}
      onClose={phase.name === 'submitting' ? () => undefined : onClose}
      actions={<Actions {...props} {...{ phase, prepare, sign, check, back, blocked }} />}
    >
      <div className={styles.body} ref={body} tabIndex={-1}>
        <div hidden={phase.name !== 'form' && phase.name !== 'preparing'} className={styles.fields}>
          {children}
        </div>
        {'prepared' in phase ? (
          <div className={styles.message}>
            <h3>{actMessages.messageTitle}</h3>
            <pre {...scrollArea(actMessages.messageTitle)}>{phase.prepared.message}</pre>
            <p>{actMessages.expires(formatMoment(phase.prepared.expiresAt))}</p>
            {phase.prepared.waiting ? <Notice tone="warn">{phase.prepared.waiting}</Notice> : null}
          </div>
        ) : null}
        <div aria-live="polite" className={styles.state}>
          {blocked ? <Notice tone="warn">{blocked}</Notice> : null}
          <PhaseNotice phase={phase} />
        </div>
      </div>
    </Dialog>
  )
}

const BUSY_TEXTS: Partial<Record<Phase['name'], string>> = {
  preparing: actMessages.preparing,
  signing: actMessages.signing,
  submitting: actMessages.submitting,
}

const OUTCOME_TONES = { done: 'good', refused: 'bad', submitted: 'note' } as const

/** What happens now, and what became of the act. */
function PhaseNotice({ phase }: { phase: Phase }) {
  switch (phase.name) {
    case 'form':
    case 'message':
      return phase.problem ? <Notice tone="bad">{phase.problem}</Notice> : null
    case 'executing':
      return phase.why === null ? (
        <Notice tone="note">
          <strong>{actMessages.executing}</strong>
          <p>{actMessages.executingText}</p>
        </Notice>
      ) : (
        <Notice tone="warn">
          <strong>{actMessages.waits(phase.why)}</strong>
          <p>{actMessages.waitsText}</p>
        </Notice>
      )
    case 'in-doubt':
      return <Notice tone="warn">{actMessages.inDoubt}</Notice>
    case 'ended':
      return (
        <Notice tone={OUTCOME_TONES[phase.outcome]}>
          <strong>{actMessages[phase.outcome]}</strong>
          <p>{phase.text}</p>
        </Notice>
      )
    default:
      return <p className="soft">{BUSY_TEXTS[phase.name]}</p>
  }
}

type ActionsProps = SignDialogProps &
  Omit<ReturnType<typeof useSignedAct>, 'phase'> & { phase: Phase; blocked: string | null }

function Actions({
  phase,
  prepare,
  sign,
  check,
  back,
  blocked,
  danger,
  readAct,
  onClose,
  title,
}: ActionsProps) {
  const [problem, setProblem] = useState<string | null>(null)
  // One name for all steps: the second click of a double click must not press the button that takes the first one's place.
  const { press, running, resting } = usePressOnce(`act ${title}`)
  const kind = danger ? 'danger' : 'main'
  const next = (): void => {
    const read = readAct()
    setProblem('problem' in read ? read.problem : null)
    if ('act' in read) press(() => prepare(read.act))
  }
  switch (phase.name) {
    case 'form':
    case 'preparing':
      return (
        <>
          {problem ? (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          ) : null}
          <Button onClick={onClose}>{actMessages.cancel}</Button>
          <Button kind="main" busy={running} resting={resting} ariaDisabled={blocked !== null} onClick={next}>
            {actMessages.next}
          </Button>
        </>
      )
    case 'message':
    case 'signing':
    case 'submitting':
      return (
        <>
          <Button ariaDisabled={isBusy(phase)} onClick={back}>
            {actMessages.back}
          </Button>
          <Button
            kind={kind}
            busy={isBusy(phase)}
            resting={resting}
            ariaDisabled={blocked !== null}
            onClick={() => press(() => sign(phase.prepared))}
          >
            {isBusy(phase) ? BUSY_TEXTS[phase.name] : actMessages.sign}
          </Button>
        </>
      )
    case 'in-doubt':
      return (
        <>
          <Button onClick={onClose}>{actMessages.close}</Button>
          <Button
            kind="main"
            busy={running}
            resting={resting}
            onClick={() => press(() => check(phase.prepared))}
          >
            {actMessages.checkAgain}
          </Button>
        </>
      )
    default:
      return (
        <Button kind="main" onClick={onClose}>
          {actMessages.close}
        </Button>
      )
  }
}
