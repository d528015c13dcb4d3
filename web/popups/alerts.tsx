import type { ReactNode } from 'react'
import info from '#web/art/icons/info.webp'
import { playEffect } from '#web/audio/sound.ts'
import { createStore, useStore } from '#web/store.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { messages } from '#web/messages/en.ts'

type QueuedAlert = { text: string; more: ReactNode; done: () => void }

const queue = createStore<readonly QueuedAlert[]>([])

/** Shows an alert with `more` below its text. Resolves when the player confirms it. Alerts are shown one at a time. */
export function showAlert(text: string, more: ReactNode = null): Promise<void> {
  playEffect('refuse')
  return new Promise((resolve) => {
    const alert: QueuedAlert = {
      text,
      more,
      done() {
        queue.set(queue.get().filter((each) => each !== alert))
        resolve()
      },
    }
    queue.set([...queue.get(), alert])
  })
}

/** The oldest alert that is not confirmed. */
export function Alerts() {
  const alert = useStore(queue)[0]
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
