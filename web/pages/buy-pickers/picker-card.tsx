import { type CSSProperties, lazy, useState } from 'react'
import { formatCotton, formatCount } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import type { PickerFacts, TypeFacts } from '#web/api/use-worker-types.ts'
import coin from '#web/art/coin.svg'
import basket from '#web/art/icons/basket.webp'
import farmer from '#web/art/icons/farmer.webp'
import { workerArt } from '#web/art/worker-art.ts'
import { Button } from '#web/ui/button.tsx'
import { Frame, ribbonClass } from '#web/ui/frame.tsx'
import { LazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { SupplyBar } from '#web/ui/supply-bar.tsx'
import { showToast } from '#web/ui/toast-store.ts'
import { pickerMessages } from '#web/messages/en-hiring.ts'
import { OwnedCount, StatusTag } from './card-badges.tsx'
import { CardHint } from './card-hint.tsx'
import styles from './buy-pickers.module.css'
import { useHire } from '#web/popups/use-hire.ts'

const MarketPopup = lazy(() =>
  import('#web/popups/market-popup.tsx').then((module) => ({ default: module.MarketPopup })),
)

type PickerCardProps = {
  type: PickerFacts
  isSample: boolean
  /** How many the player owns of this type; undefined while unknown. */
  owned: number | undefined
  /** Whether this is the picker to begin with. */
  isFirst: boolean
}

export function PickerCard({ type, isSample, owned, isFirst }: PickerCardProps) {
  const { workerType, name, price, generationRate, available } = type
  const { walletAddress } = useSession()
  const [hiredBy, setHiredBy] = useState<string | null>(null)
  const { hire, hiring, resting } = useHire(type, (outcome) => {
    setHiredBy(walletAddress)
    showToast(outcome)
  })
  const [detailsOpen, setDetailsOpen] = useState(false)
  const titleId = `picker-${workerType}`
  const isSoldOut = available !== undefined && available <= 0
  return (
    <Frame small className={styles.card} aria-labelledby={titleId}>
      <button
        type="button"
        className={styles.art}
        aria-label={pickerMessages.view(name)}
        aria-haspopup="dialog"
        onClick={() => setDetailsOpen(true)}
      >
        <span
          className={styles.sky}
          style={{ backgroundImage: `url("${workerArt[workerType].portrait}")` }}
        />
        <span
          className={styles.character}
          style={{ '--ch': workerArt[workerType].cardHeight } as CSSProperties}
          data-figure={workerType}
        >
          <img src={workerArt[workerType].figure} width="320" height="400" alt="" />
        </span>
      </button>
      <StatusTag type={type} isFirst={isFirst} />
      <OwnedCount count={owned} />
      <h2 className={ribbonClass(workerArt[workerType].tone, styles.name)} id={titleId}>
        {name}
      </h2>
      <div className={styles.body}>
        <dl>
          <Stat icon={coin} label={pickerMessages.costs}>
            {formatCotton(price)}
          </Stat>
          <Stat
            icon={basket}
            label={
              <>
                {pickerMessages.collects[0]}
                <br />
                {pickerMessages.collects[1]}
              </>
            }
          >
            {formatCount(generationRate)}
          </Stat>
          <Stat icon={farmer} label={pickerMessages.available} className={styles.available}>
            {available === undefined ? '–' : formatCount(available)}
          </Stat>
        </dl>
        <Supply type={type} />
        <Button
          movesValue
          id={`hire-${workerType}`}
          tone={isSoldOut ? 'paper' : 'leaf'}
          block
          className={styles.buy}
          busy={hiring}
          resting={resting}
          disabled={isSample}
          onClick={hire}
        >
          {hiring ? pickerMessages.buying : pickerMessages.buy}
        </Button>
        <CardHint type={type} isSample={isSample} hasHired={hiredBy !== null && hiredBy === walletAddress} />
      </div>
      {detailsOpen && hasSupply(type) ? (
        <LazyPart>
          <MarketPopup worker={{ type, isSample, owned }} onClose={() => setDetailsOpen(false)} />
        </LazyPart>
      ) : null}
    </Frame>
  )
}

const hasSupply = (type: PickerFacts): type is TypeFacts => type.sold !== undefined

function Supply({ type }: { type: PickerFacts }) {
  if (!hasSupply(type)) {
    return (
      <div className={styles.supply}>
        <Skeleton height="26px" borderRadius="14px" />
      </div>
    )
  }
  return (
    <SupplyBar
      className={styles.supply}
      percent={type.progress}
      caption={pickerMessages.sold(type.sold, type.maxSupply)}
      label={pickerMessages.soldLabel(type.name)}
    />
  )
}
