import { createContext, type ReactNode, useContext, useId, useRef, useState } from 'react'
import type { Right } from '#contract/console/rights.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { useRight } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import styles from './act-button.module.css'

type ActTriggerProps = {
  text: string
  needs: Right
  kind?: 'plain' | 'main' | 'danger'
  /** Why it cannot be done now, although the operator has the right. */
  refusal?: string | null
  onOpen: () => void
}

/** A button for an act. While that cannot be done, a line says why: below the button, or once for its `ActGroup`. */
export function ActTrigger({ text, needs, kind = 'plain', refusal = null, onOpen }: ActTriggerProps) {
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, 'main')
  const ownId = useId()
  const group = useContext(GroupContext)
  const missing = useMissingRight(needs)
  const why = missing ?? refusal
  const sharedId = missing === null || group === null ? null : group.id
  return (
    <div ref={place} className={styles.act}>
      <Button
        kind={kind}
        ariaDisabled={why !== null}
        aria-describedby={why === null ? undefined : (sharedId ?? ownId)}
        title={why ?? undefined}
        onClick={onOpen}
      >
        {text}
      </Button>
      {why !== null && sharedId === null ? (
        <p className={styles.why} id={ownId}>
          {why}
        </p>
      ) : null}
    </div>
  )
}

/** The missing right of a group, with the id of its line; null outside of groups and with the right. */
const GroupContext = createContext<{ id: string; missing: string } | null>(null)

/** Buttons for acts that all need the same right. It contains one `GroupReason`. */
export function ActGroup({ needs, children }: { needs: Right; children: ReactNode }) {
  const id = useId()
  const missing = useMissingRight(needs)
  return <GroupContext value={missing === null ? null : { id, missing }}>{children}</GroupContext>
}

/** The line that names the missing right for all buttons of its group, in a panel without padding. */
export function GroupReason() {
  const group = useContext(GroupContext)
  if (group === null) return null
  return (
    <p className={classNames(styles.why, styles.flush)} id={group.id}>
      {group.missing}
    </p>
  )
}

const useMissingRight = (needs: Right): string | null =>
  useRight(needs) ? null : consoleMessages.noRight(consoleMessages.rights[needs])

type ActButtonProps = Omit<ActTriggerProps, 'onOpen'> & {
  /** False once the act has nothing to do. Its open dialog stays, because it shows what was done. */
  shown?: boolean
  /** The dialog of the act. */
  children: (close: () => void) => ReactNode
}

/** A button that opens the dialog of an act. */
export function ActButton({ shown = true, children, ...trigger }: ActButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      {shown ? <ActTrigger {...trigger} onOpen={() => setOpen(true)} /> : null}
      {open ? children(() => setOpen(false)) : null}
    </>
  )
}
