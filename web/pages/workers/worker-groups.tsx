import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { WORKERS, type WorkerType } from '#game/workers.ts'
import { serverClock } from '#web/api/server-clock.ts'
import type { OwnedWorker } from '#web/api/use-owned-workers.ts'
import { useServerNow } from '#web/api/use-server-now.ts'
import { workerArt } from '#web/art/worker-art.ts'
import { ChoiceGroup } from '#web/ui/choice-group.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useInView } from '#web/ui/use-in-view.ts'
import { historyMessages } from '#web/messages/en-history.ts'
import { workersMessages } from '#web/messages/en-workers.ts'
import { firstOf, type Group, groupWorkers, readyOf, SORTS, type Sort } from './group-workers.ts'
import { groupTitleId, WorkerCard } from './worker-card.tsx'
import styles from './workers.module.css'

/** Cards that are rendered at once: more than fit any window. */
const PAGE = 60

/** All pickers of the player, by type. Their order changes with the choice and with new data, not while they work. */
export function WorkerGroups({ workers }: { workers: readonly OwnedWorker[] }) {
  const [sort, setSort] = useState<Sort>('oldest')
  const [only, setOnly] = useState<WorkerType | 'all'>('all')
  const [count, setCount] = useState(PAGE)
  const showMore = useCallback(() => setCount((shown) => shown + PAGE), [])
  const groups = useMemo(() => groupWorkers(workers, sort, serverClock.now()), [workers, sort])
  const chosen = groups.filter(({ type }) => only === 'all' || type === only)
  const total = chosen.reduce((sum, group) => sum + group.workers.length, 0)
  const perHour = workers.reduce((sum, { generationRate }) => sum + generationRate, 0)
  return (
    <section aria-labelledby="your-workers">
      <h2 className={styles.skyTitle} id="your-workers">
        {workersMessages.yours}
      </h2>
      <div className={styles.bar}>
        <p className={styles.summary}>{workersMessages.summary(workers.length, perHour)}</p>
        <ChoiceGroup
          label={workersMessages.show}
          value={only}
          choices={[
            ['all', workersMessages.all],
            ...groups.map((group) => [group.type, groupName(group)] as const),
          ]}
          onChange={setOnly}
        />
        <label className={styles.sort}>
          <span>{workersMessages.sort}</span>
          <SelectField
            value={sort}
            choices={SORTS.map((each) => [each, workersMessages.sorts[each]])}
            onChange={setSort}
          />
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

const groupName = ({ type, workers: { length } }: Group): string =>
  workersMessages.type(WORKERS[type].name, length)

function WorkerGroup({ shown, all }: { shown: Group; all: Group }) {
  const { type } = shown
  return (
    <section className={styles.group} aria-labelledby={groupTitleId(type)}>
      <div className={styles.groupHead}>
        <img src={workerArt[type].face} width="160" height="160" alt="" />
        <h3 id={groupTitleId(type)} tabIndex={-1}>
          {groupName(all)}
        </h3>
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
      <MoreButton rows="h4" onClick={onReach}>
        {historyMessages.more}
      </MoreButton>
    </div>
  )
}
