import { type Query, useQueryClient } from '@tanstack/react-query'
import Hourglass from 'lucide-react/icons/hourglass'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useState } from 'react'
import { readSite } from '#contract/site.ts'
import { call } from '#web/api/call.ts'
import { reachability } from '#web/api/reachability.ts'
import { useStore } from '#web/store.ts'
import { Note } from '#web/ui/note.tsx'
import { connectionMessages } from '#web/messages/en-connection.ts'
import { formatTime } from '#web/messages/locale.ts'
import styles from './offline-note.module.css'
import { useOnline } from '#web/use-online.ts'

const warning = <TriangleAlert aria-hidden="true" />
const waiting = <Hourglass aria-hidden="true" />

/** Shorter outages, such as one failed call, are not shown. */
const OUTAGE_DELAY_MS = 2_000
const PROBE_EVERY_MS = 3_000

/**
 * The one message of an outage: the page's data may be outdated, why, and since when. Meanwhile the page is greyed. It
 * probes until the outage ends. A page that has nothing to show says so itself; it is marked with `data-outage`.
 */
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
          <span>{connectionMessages[state]}</span>
          {lastResponseAt ? (
            <small className={styles.asOf}>
              {connectionMessages.asOf}{' '}
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
    const timer = setTimeout(() => setIsLasting(true), OUTAGE_DELAY_MS)
    return () => {
      clearTimeout(timer)
      setIsLasting(false)
    }
  }, [now])
  return isLasting
}

/** Queries whose page waits for nothing at the moment. A first read that is under way answers by itself. */
const hasSettled = ({ state }: Query): boolean => state.status !== 'pending'

/** Probes the server until it responds again; then all data on the page is refetched. */
function useRecoveryProbe(needed: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!needed) return
    const probe = (): void => {
      if (!document.hidden) call(readSite, {}).catch(() => undefined)
    }
    const timer = setInterval(probe, PROBE_EVERY_MS)
    const stop = reachability.subscribe(() => {
      if (reachability.get().outage === null) void client.invalidateQueries({ predicate: hasSettled })
    })
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [needed, client])
}
