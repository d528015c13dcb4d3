import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { WORKERS, type WorkerType } from '#game/workers.ts'
import { serverClock } from '#web/api/server-clock.ts'
import type { OwnedWorker } from '#web/api/use-owned-workers.ts'
import { useServerNow } from '#web/api/use-server-now.ts'
import { workerArt } from '#web/art/worker-art.ts'
import { Button } from '#web/ui/button.tsx'
import { useInView } from '#web/ui/use-in-view.ts'
import { historyMessages } from '#web/messages/en-history.ts'
import { messages } from '#web/messages/en.ts'
import { workersMessages } from '#web/messages/en-workers.ts'
import { firstOf, type Group, groupWorkers, readyOf, SORTS, type Sort } from './group-workers.ts'
import { WorkerCard } from './worker-card.tsx'
import styles from './workers.module.css'

/** Cards that are rendered at once: more than fit any window. */
const PAGE = 60

/** All pickers of the player, by type. Their order changes with the choice and with new data, not while they work. */
export function WorkerGroups({ workers }: { workers: readonly OwnedWorker[] }) {
  const [sort, setSort] = useState<Sort>('oldest')
  const [only, setOnly] = useState<WorkerType | null>(null)
  const [count, setCount] = useState(PAGE)
  const showMore = useCallback(() => setCount((shown) => shown + PAGE), [])
  const groups = useMemo(() => groupWorkers(workers, sort, serverClock.now()), [workers, sort])
  const chosen = groups.filter(({ type }) => only === null || type === only)
  const total = chosen.reduce((sum, group) => sum + group.workers.length, 0)
  const perHour = workers.reduce((sum, { generationRate }) => sum + generationRate, 0)
  return (
    <section aria-labelledby="your-workers">
      <h2 className={styles.skyTitle} id="your-workers">
        {messages.workers.yours}
      </h2>
      <div className={styles.bar}>
        <p className={styles.summary}>{workersMessages.summary(workers.length, perHour)}</p>
        <fieldset className={styles.types} aria-label={workersMessages.show}>
          <Button
            size="sm"
            tone={only === null ? 'sun' : 'paper'}
            aria-pressed={only === null}
            onClick={() => setOnly(null)}
          >
            {workersMessages.all}
          </Button>
          {groups.map(({ type, workers: { length } }) => (
            <Button
              key={type}
              size="sm"
              tone={only === type ? 'sun' : 'paper'}
              aria-pressed={only === type}
              onClick={() => setOnly(type)}
            >
              {workersMessages.type(WORKERS[type].name, length)}
            </Button>
          ))}
        </fieldset>
        <label className={styles.sort}>
          <span>{workersMessages.sort}</span>
          <select
            value={sort}
            onChange={(event) => setSort(SORTS.find((each) => each === event.target.value) ?? sort)}
          >
            {SORTS.map((each) => (
              <option key={each} value={each}>
                {workersMessages.sorts[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {firstOf(chosen, count).map((shown) => (
        <WorkerGroup
          key={shown.type}
          shown={shown}
          all={groups.find(({ type }) => type === shown.type) ?? shown}
        />
      ))}
      {count < total ? <More key={count} onReach={showMore} /> : null}
    </section>
  )
}

function WorkerGroup({ shown, all }: { shown: Group; all: Group }) {
  const { type } = shown
  return (
    <section className={styles.group} aria-labelledby={`group-${type}`}>
      <div className={styles.groupHead}>
        <img src={workerArt[type].face} width="160" height="160" alt="" />
        <h3 id={`group-${type}`}>{workersMessages.type(WORKERS[type].name, all.workers.length)}</h3>
        <GroupReady group={all} />
      </div>
      <div className={styles.cards}>
        {shown.workers.map((worker) => (
          <WorkerCard key={worker.workerId} worker={worker} />
        ))}
      </div>
    </section>
  )
}

function GroupReady({ group }: { group: Group }) {
  const place = useRef<HTMLParagraphElement>(null)
  const now = useServerNow(useInView(place))
  return (
    <p className={`${styles.groupReady} num`} ref={place}>
      {workersMessages.ready(readyOf(group.workers, now))}
    </p>
  )
}

/** The end of the list. More cards follow when it scrolls into view or is pressed. */
function More({ onReach }: { onReach: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const reached = useInView(place)
  useEffect(() => {
    if (reached) startTransition(onReach)
  }, [reached, onReach])
  return (
    <div className={styles.more} ref={place}>
      <Button onClick={onReach}>{historyMessages.more}</Button>
    </div>
  )
}
