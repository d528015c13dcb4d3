import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { playEffect } from '#web/audio/sound.ts'
import { createStore, useStore } from '#web/store.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { OUTCOME_ICONS, type OutcomeKind } from '#web/ui/outcome.ts'
import { messages } from '#web/messages/en.ts'

type Alert = {
  kind: OutcomeKind
  text: string
  /** Shown below the text. */
  more?: ReactNode
  /** A way out of the problem. Following it closes the alert. */
  link?: { to: string; text: string }
}

type QueuedAlert = Alert & { id: number; done: () => void }

const queue = createStore<readonly QueuedAlert[]>([])

let lastId = 0

/** Shows an alert. Resolves when the player confirms it. Alerts are shown one at a time. */
export function showAlert(alert: Alert): Promise<void> {
  if (alert.kind !== 'success') playEffect('refuse')
  lastId += 1
  return new Promise((resolve) => {
    const queued: QueuedAlert = {
      ...alert,
      id: lastId,
      done() {
        queue.set(queue.get().filter((each) => each !== queued))
        resolve()
      },
    }
    queue.set([...queue.get(), queued])
  })
}

/** The oldest alert that is not confirmed. */
export function Alerts() {
  const alert = useStore(queue)[0]
  if (!alert) return null
  const { id, kind, text, more, link, done } = alert
  return (
    <Dialog
      key={id}
      role="alertdialog"
      title={text}
      closeButton={false}
      onClose={done}
      art={{ src: OUTCOME_ICONS[kind], width: 128, height: 128, place: 'inside' }}
      actions={
        <>
          {link ? (
            <Link className={buttonClass({ tone: 'sun' })} to={link.to} onClick={done}>
              {link.text}
            </Link>
          ) : null}
          <Button tone={link ? 'paper' : 'leaf'} onClick={done} data-autofocus>
            {messages.ok}
          </Button>
        </>
      }
    >
      {more}
    </Dialog>
  )
}
