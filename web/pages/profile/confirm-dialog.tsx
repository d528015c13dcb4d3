import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type ConfirmProps = {
  title: string
  text: string
  action: string
  back: string
  /** The dialog closes when it has ended. */
  confirm: () => Promise<void>
  onClose: () => void
}

/** Says what an action does, and asks before it does it. Meanwhile it cannot be closed, as if nothing were done. */
export function ConfirmDialog({ title, text, action, back, confirm, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false)
  const act = async (): Promise<void> => {
    setBusy(true)
    await confirm()
    onClose()
  }
  return (
    <Dialog
      title={title}
      text={text}
      role="alertdialog"
      onClose={busy ? () => undefined : onClose}
      actions={
        <>
          <Button disabled={busy} data-autofocus onClick={onClose}>
            {back}
          </Button>
          <Button tone="berry" busy={busy} onClick={() => void act()}>
            {action}
          </Button>
        </>
      }
    />
  )
}
