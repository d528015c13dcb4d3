import type { CSSProperties, SyntheticEvent } from 'react'
import { formatCotton, formatCount } from '#game/cotton.ts'
import type { WorkerType } from '#game/workers.ts'
import coin from '#web/art/coin.svg'
import { beds } from '#web/art/beds.ts'
import { FarmScene, SCENE } from '#web/art/farm-scene.tsx'
import { workerArt } from '#web/art/worker-art.ts'
import scarecrow from '#web/art/scarecrow.svg'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { CottonFigure } from '#web/ui/cotton-figure.tsx'
import { isLarge } from '#web/messages/amount.ts'
import { farmMessages } from '#web/messages/en-farm.ts'
import styles from './farm.module.css'
import { HarvestAnimation } from './harvest-animation.tsx'
import { HireInvitation } from './hire-invitation.tsx'
import { type Plot, ripeness } from './plots.ts'
import { type FarmClaim, useClaim } from './use-claim.ts'

/** Replaces an image that fails to load with the scarecrow (S-46). */
function showFallback({ currentTarget }: SyntheticEvent<HTMLImageElement>): void {
  if (!currentTarget.src.endsWith(scarecrow)) currentTarget.src = scarecrow
}

/** The height of the tallest stage. The heights of the figures are given for it. */
const STAGE_PX = 300
const COLUMN = SCENE.width / 4

type FieldProps = { plot: Plot; column: number; everything: FarmClaim }

/** One field. Its button covers bubble and pickers too, so that a tap on them claims. */
export function Field({ plot, column, everything }: FieldProps) {
  const { type, count } = plot
  const own = useClaim(plot)
  const isShared = everything.types.includes(type)
  const shared = isShared ? everything.harvest : null
  const harvest = own.harvest ?? (shared ? { id: -shared.id, amount: undefined } : null)
  const ready = plot.claimable > 0n
  // Also while the summary of an absence claims everything. Workers that are read meanwhile may have nothing left.
  const claiming = own.claiming || (everything.claiming && (ready || isShared))
  const titleId = `field-${type}`
  return (
    <article
      className={classNames(styles.plot, count === 0 && styles.vacant, ready && styles.claimable)}
      style={{ '--lh': `${(workerArt[type].fieldHeightPx / STAGE_PX) * 100}%` } as CSSProperties}
      aria-labelledby={titleId}
    >
      <FarmScene
        className={styles.vignette}
        viewBox={`${column * COLUMN} 60 ${COLUMN} ${SCENE.height - 60}`}
      />
      <div className={styles.stage}>
        <div
          className={classNames(styles.bubble, ready ? styles.ready : styles.none, harvest && styles.picked)}
        >
          <span className={styles.bubbleLabel}>{farmMessages.claimable}</span>
          <span className={styles.bubbleAmount}>
            <img src={coin} width="24" height="24" alt="" />
            <b className="num">
              {claiming ? farmMessages.claiming : <CottonFigure amount={plot.claimable} />}
            </b>
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
            {plot.name}
          </h2>
          <span className={classNames(styles.own, 'num')}>
            <span>{farmMessages.count(count)}</span>
            <span className="vh">{farmMessages.countHint}</span>
          </span>
        </div>
        {count === 0 ? (
          <HireInvitation type={type} />
        ) : (
          <ClaimButton plot={plot} claiming={claiming} resting={own.resting} claim={own.claim} />
        )}
      </div>
    </article>
  )
}

type ClaimButtonProps = { plot: Plot; claiming: boolean; resting: boolean; claim: () => void }

function ClaimButton({ plot, claiming, resting, claim }: ClaimButtonProps) {
  const { type, claimable, ratePerHour } = plot
  const ready = claimable > 0n
  return (
    <>
      <Button
        movesValue
        id={`claim-${type}`}
        tone={ready || claiming ? 'sun' : 'paper'}
        block
        className={styles.claim}
        title={isLarge(claimable) ? formatCotton(claimable) : undefined}
        busy={claiming}
        ariaDisabled={!ready && !claiming}
        resting={resting}
        onClick={claim}
      >
        {claiming ? farmMessages.claiming : ready ? farmMessages.claim : farmMessages.noClaim}
      </Button>
      <p className={styles.rate}>{farmMessages.rate(formatCount(ratePerHour))}</p>
    </>
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
