import { type ReactNode, useRef, useState } from 'react'
import type { Right } from '#contract/console/rights.ts'
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { useRight } from '../api/session.ts'
import { Button } from '../ui/button.tsx'

type ActTriggerProps = {
  text: string
  needs: Right
  kind?: 'plain' | 'main' | 'danger'
  /** Why it cannot be done now, although the operator has the right. */
  refusal?: string | null
  onOpen: () => void
}

/** A button for an act. Without the right it says which one is missing. */
export function ActTrigger({ text, needs, kind = 'plain', refusal = null, onOpen }: ActTriggerProps) {
  const place = useRef<HTMLSpanElement>(null)
  useFocusFallback(place, 'main')
  const may = useRight(needs)
  const why = may ? refusal : consoleMessages.noRight(consoleMessages.rights[needs])
  return (
    <span ref={place}>
      <Button kind={kind} ariaDisabled={why !== null} title={why ?? undefined} onClick={onOpen}>
        {text}
        {why ? <span className="vh">. {why}</span> : null}
      </Button>
    </span>
  )
}

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
