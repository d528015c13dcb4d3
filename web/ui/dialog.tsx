import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { messages } from '#web/messages/en.ts'
import { classNames } from './class-names.ts'
import { CloseButton } from './close-button.tsx'
import styles from './dialog.module.css'
import { focusIfLost } from './focus-if-lost.ts'
import { ribbonClass, type RibbonTone } from './frame.tsx'
import { registerDialog } from './open-dialogs.ts'
import { DialogToasts } from './toasts.tsx'

type DialogProps = {
  /** The accessible name of the dialog, shown below the `ribbon`. */
  title: ReactNode
  ribbon?: { text: string; tone?: RibbonTone }
  /** `pop` overlaps the panel's top edge, `inside` is placed above the title. */
  art?: { src: string; width: number; height: number; place: 'pop' | 'inside' }
  /** Content above the title, where `art` needs more than one image. */
  picture?: ReactNode
  role?: 'alertdialog'
  /** Wide enough for two columns. A title that repeats the ribbon is then visually hidden. */
  wide?: boolean
  onClose: () => void
  /** False for alerts, which have only the button that confirms them. */
  closeButton?: boolean
  text?: ReactNode
  /** The ids of what is decided in the dialog. A screen reader reads it after the `text`, before the focused button. */
  describedBy?: readonly string[]
  children?: ReactNode
  actions: ReactNode
}

/** A modal `<dialog>`. It traps the focus, closes on Escape, and returns the focus when it closes. */
export function Dialog(props: DialogProps) {
  const { title, ribbon, art, role, onClose, closeButton = true, text, children, actions } = props
  const { wide = false, picture, describedBy = [] } = props
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const textId = useId()

  // Before the paint, so that toasts move into the dialog without a gap.
  useLayoutEffect(() => registerDialog(titleId), [titleId])

  useEffect(() => {
    const dialog = element.current
    if (!dialog) return
    const opener = document.activeElement
    open(dialog)
    return () => {
      dialog.close()
      focusIfLost(opener)
    }
  }, [])

  // A browser may close a dialog without asking: at a second Escape, for example. One that is busy opens again.
  const onClosed = (): void => {
    const dialog = element.current
    if (!dialog || dialog.open) return
    flushSync(onClose)
    if (dialog.isConnected) open(dialog)
  }

  return (
    <dialog
      ref={element}
      className={styles.scrim}
      role={role}
      aria-modal="true"
      aria-labelledby={titleId}
      aria-describedby={[...(text ? [textId] : []), ...describedBy].join(' ') || undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={onClosed}
    >
      <div className={classNames(styles.panel, wide && styles.wide, art?.place === 'pop' && styles.withPop)}>
        {ribbon ? (
          <span className={ribbonClass(ribbon.tone, styles.ribbonPlace)} aria-hidden="true">
            {ribbon.text}
          </span>
        ) : null}
        {closeButton ? (
          <CloseButton label={messages.close} className={styles.closePlace} onClick={onClose} />
        ) : null}
        <div className={styles.body}>
          {art ? (
            <img
              className={art.place === 'pop' ? styles.popArt : styles.art}
              src={art.src}
              width={art.width}
              height={art.height}
              alt=""
            />
          ) : null}
          {picture}
          <h2 className={wide && title === ribbon?.text ? 'vh' : styles.title} id={titleId}>
            {title}
          </h2>
          {text ? (
            <p className={styles.text} id={textId}>
              {text}
            </p>
          ) : null}
          {children}
          <div className={styles.acts}>{actions}</div>
        </div>
      </div>
      <DialogToasts dialog={titleId} />
    </dialog>
  )
}

function open(dialog: HTMLDialogElement): void {
  dialog.showModal()
  dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
}
