import { formatCotton } from '#game/cotton.ts'
import type { Transparency } from '#web/api/use-transparency.ts'
import check from '#web/art/icons/check.webp'
import hourglass from '#web/art/icons/hourglass.webp'
import magnifier from '#web/art/icons/magnifier.webp'
import outbox from '#web/art/icons/outbox.webp'
import scroll from '#web/art/icons/scroll.webp'
import warning from '#web/art/icons/warning.webp'
import { classNames } from '#web/ui/class-names.ts'
import { Empty } from '#web/ui/empty.tsx'
import { frameBody, Panel } from '#web/ui/frame.tsx'
import { Note } from '#web/ui/note.tsx'
import { transparencyMessages as text } from '#web/messages/en-transparency.ts'
import { formatMoment } from '#web/messages/locale.ts'
import styles from './transparency.module.css'

type Waiting = Transparency['queue'][number]

const PICTURES: Record<Waiting['state'], string> = {
  requested: hourglass,
  review: magnifier,
  signed: scroll,
  sent: outbox,
  finalized: check,
  refunded: check,
}

/** Open withdrawals, and the reason of a pause. */
export function QueuePanel({ queue, pause }: Pick<Transparency, 'queue' | 'pause'>) {
  return (
    <Panel title={text.queue} id="queue" tone="attention">
      <div className={classNames(frameBody, styles.list)}>
        {pause ? (
          <Note tone="bad" picture={warning} role="alert" className={styles.reason}>
            {text.paused(formatMoment(pause.since))} {pause.reason}
          </Note>
        ) : null}
        {queue.length === 0 ? (
          <Empty
            picture={<img src={check} width="128" height="128" alt="" />}
            title={text.queueEmpty}
            text={text.queueEmptyText}
          />
        ) : (
          <dl>
            {queue.map((waiting) => (
              <Row waiting={waiting} key={waiting.state} />
            ))}
          </dl>
        )}
      </div>
    </Panel>
  )
}

function Row({ waiting: { state, count, amount, oldest } }: { waiting: Waiting }) {
  return (
    <div className={styles.item}>
      <dt>
        <img src={PICTURES[state] ?? hourglass} width="42" height="42" alt="" />
        <span>
          <b>{text.states[state] ?? state}</b>
          <small>
            {text.count(count)}, {text.oldest(formatMoment(oldest))}
          </small>
        </span>
      </dt>
      <dd className="num">{formatCotton(amount)}</dd>
    </div>
  )
}
