import { type Query, useQueryClient } from '@tanstack/react-query'
import { Hourglass, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { readSite } from '#contract/site.ts'
import { call } from '#web/api/call.ts'
import { reach } from '#web/api/reach.ts'
import { useStore } from '#web/store.ts'
import { Note } from '#web/ui/note.tsx'
import { connectionWords } from '#web/messages/en-connection.ts'
import { shownClock } from '#web/messages/locale.ts'
import styles from './offline-note.module.css'
import { useOnline } from './use-online.ts'

const warning = <TriangleAlert aria-hidden="true" />
const waiting = <Hourglass aria-hidden="true" />

/** A single call may fail: only what lasts is worth a word. */
const LASTING_MS = 2_000
const PROBE_EVERY_MS = 3_000

/** Says that what the page shows may be old, why, and since when; and looks out for the end of it. */
export function ConnectionNote() {
  const online = useOnline()
  const { trouble, heardAt } = useStore(reach)
  const lasts = useLasting(trouble !== null)
  useLookout(lasts && online)

  const state = online ? (lasts ? trouble : null) : 'offline'
  return (
    <output className={styles.place}>
      {state ? (
        <Note icon={state === 'busy' ? waiting : warning} className={styles.note}>
          {connectionWords[state]}
          {heardAt ? (
            <small className={styles.heard}>
              {connectionWords.last} <time dateTime={heardAt.toISOString()}>{shownClock(heardAt)}</time>
            </small>
          ) : null}
        </Note>
      ) : null}
    </output>
  )
}

function useLasting(now: boolean): boolean {
  const [lasts, setLasts] = useState(false)
  useEffect(() => {
    if (!now) return
    const timer = setTimeout(() => setLasts(true), LASTING_MS)
    return () => {
      clearTimeout(timer)
      setLasts(false)
    }
  }, [now])
  return lasts
}

/** What was read before the game fell silent. What could never be read is tried again by the page that misses it. */
const wasRead = ({ state }: Query): boolean => state.data !== undefined

/** Asks until the game answers again; then everything on the page is read anew. */
function useLookout(needed: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!needed) return
    const ask = (): void => {
      if (!document.hidden) call(readSite, {}).catch(() => undefined)
    }
    const timer = setInterval(ask, PROBE_EVERY_MS)
    const stop = reach.subscribe(() => {
      if (reach.get().trouble === null) void client.invalidateQueries({ predicate: wasRead })
    })
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [needed, client])
}
