import type { ComponentProps, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import boll from '#web/art/boll.svg'
import { messages } from '#web/messages/en.ts'
import { useStore } from '#web/store.ts'
import { FREEZE_NOTE_ID, walletFreeze } from '#web/wallet-freeze.ts'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { showToast } from './toast-store.ts'

type ButtonStyle = {
  tone?: 'paper' | 'leaf' | 'sun' | 'plum' | 'sky' | 'berry' | 'wood'
  size?: 'sm' | 'lg' | 'icon'
  block?: boolean
}

/** The classes of a button, for links that look like one. */
export function buttonClass({ tone = 'paper', size, block }: ButtonStyle, extra?: string): string {
  return classNames(
    styles.button,
    tone !== 'paper' && styles[tone],
    size && styles[size],
    block && styles.block,
    extra,
  )
}

type ButtonProps = ComponentProps<'button'> &
  ButtonStyle & {
    busy?: boolean
    /** Lets presses through while `busy`, where what takes so long can be cancelled. */
    pressableWhileBusy?: boolean
    /** Cannot be pressed for now. Unlike `disabled`, it does not lose the focus. */
    ariaDisabled?: boolean
    /** Moves value, which the player of a frozen wallet cannot. A press then leads to the reason. */
    movesValue?: boolean
    /** Ignores presses during the cooldown of its action, without a change of appearance. */
    resting?: boolean
    icon?: ReactNode
  }

/**
 * A button. While `busy` or `ariaDisabled` it stays focusable, exposes that state, and ignores presses. A text is alone in
 * an element: the translator of a browser replaces text nodes, beside which React could insert and remove nothing.
 */
export function Button({
  tone,
  size,
  block,
  busy = false,
  pressableWhileBusy = false,
  ariaDisabled = false,
  resting = false,
  movesValue = false,
  icon,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isFrozen = useStore(walletFreeze) !== null && movesValue
  const isOff = ariaDisabled || isFrozen
  const ignoresPresses = isOff || resting || (busy && !pressableWhileBusy)
  return (
    <button
      type="button"
      onKeyDown={ignoreRepeats}
      {...rest}
      {...(isFrozen && { title: messages.frozen, 'aria-describedby': FREEZE_NOTE_ID })}
      className={buttonClass(
        { tone, size, block },
        classNames(busy && styles.busy, resting && !isOff && styles.resting, className),
      )}
      aria-busy={busy || undefined}
      aria-disabled={isOff || resting || undefined}
      onClick={isFrozen ? showReason : ignoresPresses ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <img className={styles.boll} src={boll} alt="" width="24" height="24" /> : icon}
      {typeof children === 'string' ? <span>{children}</span> : children}
    </button>
  )
}

/**
 * A key that stays down presses once. Its repeats would buy again after each answer, and confirm the dialog that the first
 * press has opened.
 */
function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
}

function showReason(event: MouseEvent): void {
  event.preventDefault()
  const note = document.getElementById(FREEZE_NOTE_ID)
  if (note) note.click()
  // Its code failed to load.
  else showToast({ kind: 'warning', text: messages.frozen })
}
