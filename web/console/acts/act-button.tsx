import { type ReactNode, useState } from 'react'
import type { Right } from '#contract/console/rights.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { useRight } from '../api/session.ts'
import { Button } from '../ui/button.tsx'

type ActButtonProps = {
  text: string
  needs: Right
  kind?: 'plain' | 'main' | 'danger'
  /** Why it cannot be done now, although the operator has the right. */
  refusal?: string | null
  /** False once the act has nothing to do. Its open dialog stays, because it shows what was done. */
  shown?: boolean
  /** The dialog of the act. */
  children: (close: () => void) => ReactNode
}

/** A button that opens the dialog of an act. Without the right it says which one is missing. */
export function ActButton({
  text,
  needs,
  kind = 'plain',
  refusal = null,
  shown = true,
  children,
}: ActButtonProps) {
  const [open, setOpen] = useState(false)
  const may = useRight(needs)
  const why = may ? refusal : consoleMessages.noRight(consoleMessages.rights[needs])
  return (
    <>
      {shown ? (
        <Button
          kind={kind}
          ariaDisabled={why !== null}
          title={why ?? undefined}
          onClick={() => setOpen(true)}
        >
          {text}
          {why ? <span className="vh">. {why}</span> : null}
        </Button>
      ) : null}
      {open ? children(() => setOpen(false)) : null}
    </>
  )
}
