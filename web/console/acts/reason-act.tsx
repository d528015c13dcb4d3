import { type ReactNode, useState } from 'react'
import type { Act } from '#contract/console/acts.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { TextField } from '../ui/field.tsx'
import { cleanSignedReason } from './reason.ts'
import { SignDialog } from './sign-dialog.tsx'

type ReasonActProps = {
  title: string
  text: string
  danger?: boolean
  reasonHint?: string
  /** Fields and facts above the reason. */
  children?: ReactNode
  /** The act with this reason, or what is wrong with a field. */
  makeAct: (reason: string) => { act: Act } | { problem: string }
  version?: string
  onClose: () => void
}

/** A signed act that needs a reason. */
export function ReasonAct({
  reasonHint = actMessages.reasonForLog,
  children,
  makeAct,
  ...dialog
}: ReasonActProps) {
  const [reason, setReason] = useState('')
  return (
    <SignDialog
      {...dialog}
      readAct={() => {
        const cleaned = cleanSignedReason(reason)
        return cleaned === '' ? { problem: actMessages.reasonMissing } : makeAct(cleaned)
      }}
    >
      {children}
      <TextField
        label={actMessages.reason}
        hint={reasonHint}
        value={reason}
        onChange={setReason}
        maxLength={300}
        multiline
        autoFocusInDialog
      />
    </SignDialog>
  )
}
