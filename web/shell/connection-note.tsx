import { type Query, useQueryClient } from '@tanstack/react-query'
import { Hourglass, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { readSite } from '#contract/site.ts'
import { call } from '#web/api/call.ts'
import { reachability } from '#web/api/reachability.ts'
import { useStore } from '#web/store.ts'
import { Note } from '#web/ui/note.tsx'
import { connectionMessages } from '#web/messages/en-connection.ts'
import { formatTime } from '#web/messages/locale.ts'
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
  const { outage, lastResponseAt } = useStore(reachability)
  const isLasting = useDelayedFlag(outage !== null)
  useRecoveryProbe(isLasting && online)

  const state = online ? (isLasting ? outage : null) : 'offline'
  return (
    <output className={styles.place}>
      {state ? (
        <Note icon={state === 'busy' ? waiting : warning} className={styles.note}>
          {connectionMessages[state]}
          {lastResponseAt ? (
            <small className={styles.lastUpdate}>
              {connectionMessages.last}{' '}
              <time dateTime={lastResponseAt.toISOString()}>{formatTime(lastResponseAt)}</time>
            </small>
          ) : null}
        </Note>
      ) : null}
    </output>
  )
}

function useDelayedFlag(now: boolean): boolean {
  const [isLasting, setIsLasting] = useState(false)
  useEffect(() => {
    if (!now) return
    const timer = setTimeout(() => setIsLasting(true), LASTING_MS)
    return () => {
      clearTimeout(timer)
      setIsLasting(false)
    }
  }, [now])
  return isLasting
}

/** What was read before the game fell silent. What could never be read is tried again by the page that misses it. */
const hasData = ({ state }: Query): boolean => state.data !== undefined

/** Asks until the game answers again; then everything on the page is read anew. */
function useRecoveryProbe(needed: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!needed) return
    const probe = (): void => {
      if (!document.hidden) call(readSite, {}).catch(() => undefined)
    }
    const timer = setInterval(probe, PROBE_EVERY_MS)
    const stop = reachability.subscribe(() => {
      if (reachability.get().outage === null) void client.invalidateQueries({ predicate: hasData })
    })
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [needed, client])
}
