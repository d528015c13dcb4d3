import type { CSSProperties, SyntheticEvent } from 'react'
import { formatCotton } from '#game/cotton.ts'
import type { WorkerType } from '#game/workers.ts'
import coin from '#web/art/coin.svg'
import { beds } from '#web/art/beds.ts'
import { workerArt } from '#web/art/worker-art.ts'
import scarecrow from '#web/art/scarecrow.svg'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { messages } from '#web/messages/en.ts'
import styles from './farm.module.css'
import { HarvestAnimation } from './harvest-animation.tsx'
import { type Plot, ripeness } from './plots.ts'
import { useClaim } from './use-claim.ts'

/** Replaces a picture that fails to load with the scarecrow (S-46). */
function showFallback({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  if (!currentTarget.src.endsWith(scarecrow)) currentTarget.src = scarecrow
}

export function Field({ plot }: { plot: Plot }) {
  const { type, name, count } = plot
  const { claim, claiming, resting, harvest } = useClaim(plot)
  const ready = plot.claimable > 0n
  const titleId = `field-${type}`
  return (
    <article
      className={styles.plot}
      style={{ '--lh': `${workerArt[type].fieldHeightPx}px` } as CSSProperties}
      aria-labelledby={titleId}
    >
      <div className={styles.stage}>
        <div
          className={classNames(styles.bubble, ready ? styles.ready : styles.none, harvest && styles.picked)}
        >
          <span className={styles.bubbleLabel}>{messages.farm.claimable}</span>
          <span className={styles.bubbleAmount}>
            <img src={coin} width="24" height="24" alt="" />
            <b className="num">{claiming ? messages.farm.claiming : formatCotton(plot.claimable)}</b>
          </span>
        </div>
        <img
          className={styles.bed}
          src={beds[harvest ? 0 : ripeness(plot)]}
          width="480"
          height="196"
          alt=""
        />
        <Crew type={type} count={count} />
        {harvest ? <HarvestAnimation key={harvest.id} amount={harvest.amount} /> : null}
      </div>
      <div className={styles.sign}>
        <div className={styles.row}>
          <h2 className={styles.name} id={titleId}>
            {name}
          </h2>
          <span className={classNames(styles.own, 'num')}>
            {messages.farm.count(count)}
            <span className="vh">{messages.farm.countHint}</span>
          </span>
        </div>
        <Button
          tone={ready || claiming ? 'sun' : 'paper'}
          block
          busy={claiming}
          ariaDisabled={!ready && !claiming}
          resting={resting}
          onClick={claim}
        >
          {claiming ? messages.farm.claiming : ready ? messages.farm.claim : messages.farm.noClaim}
        </Button>
      </div>
    </article>
  )
}

/** One worker in front, and up to two behind. */
function Crew({ type, count }: { type: WorkerType; count: number }) {
  const picture = count > 0 ? workerArt[type].figure : scarecrow
  return (
    <div className={styles.crew} aria-hidden="true">
      {count > 1 ? (
        <img className={styles.b1} src={picture} width="320" height="400" alt="" onError={showFallback} />
      ) : null}
      {count > 2 ? (
        <img className={styles.b2} src={picture} width="320" height="400" alt="" onError={showFallback} />
      ) : null}
      <img className={styles.lead} src={picture} width="320" height="400" alt="" onError={showFallback} />
    </div>
  )
}
