import type { ReactNode } from 'react'
import info from '#web/art/icons/info.webp'
import { playEffect } from '#web/audio/sound.ts'
import { createStore, useStore } from '#web/store.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { messages } from '#web/messages/en.ts'

type WaitingAlert = { text: string; more: ReactNode; done: () => void }

const waiting = createStore<readonly WaitingAlert[]>([])

/** Shows a sentence that must be confirmed with OK, `more` under it; resolves when it was. Several wait for their turn. */
export function showAlert(text: string, more: ReactNode = null): Promise<void> {
  playEffect('refuse')
  return new Promise((resolve) => {
    const alert: WaitingAlert = {
      text,
      more,
      done() {
        waiting.set(waiting.get().filter((each) => each !== alert))
        resolve()
      },
    }
    waiting.set([...waiting.get(), alert])
  })
}

/** The alert whose turn it is. */
export function Alerts() {
  const alert = useStore(waiting)[0]
  if (!alert) return null
  return (
    <Dialog
      key={alert.text}
      role="alertdialog"
      title={alert.text}
      closeButton={false}
      onClose={alert.done}
      art={{ src: info, width: 128, height: 128, place: 'inside' }}
      actions={
        <Button tone="leaf" onClick={alert.done} data-autofocus>
          {messages.ok}
        </Button>
      }
    >
      {alert.more}
    </Dialog>
  )
}
