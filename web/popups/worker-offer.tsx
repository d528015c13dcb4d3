import { formatCotton, formatCount } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useBalance } from '#web/api/use-balance.ts'
import type { TypeFacts } from '#web/api/use-worker-types.ts'
import coin from '#web/art/coin.svg'
import basket from '#web/art/icons/basket.webp'
import farmer from '#web/art/icons/farmer.webp'
import { workerArt } from '#web/art/worker-art.ts'
import { useHire } from './use-hire.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { SupplyBar } from '#web/ui/supply-bar.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import { messages } from '#web/messages/en.ts'
import { PurchaseNotice } from './purchase-notice.tsx'
import styles from './worker-offer.module.css'

type WorkerOfferProps = { type: TypeFacts; isSample: boolean; onClose: () => void }

/** The details of a picker (S-21). Its button shows at once if the credit is insufficient (S-22). */
export function WorkerOffer({ type, isSample, onClose }: WorkerOfferProps) {
  const { workerType, name, price, generationRate, sold, maxSupply, progress } = type
  const { hire, hiring, resting } = useHire(type)
  const { loggedIn } = useSession()
  const balance = useBalance()
  const notEnough = loggedIn && balance !== undefined && balance < price && !hiring
  const { offer } = marketMessages
  return (
    <Dialog
      title={<span className="vh">{name}</span>}
      ribbon={{ text: name, tone: workerArt[workerType].tone }}
      picture={
        <div className={styles.window}>
          <img className={styles.sky} src={workerArt[workerType].portrait} alt="" />
          <img className={styles.figure} src={workerArt[workerType].figure} width="320" height="400" alt="" />
        </div>
      }
      onClose={onClose}
      actions={
        <Button
          tone="leaf"
          busy={hiring}
          ariaDisabled={notEnough}
          resting={resting}
          disabled={isSample}
          data-autofocus={isSample ? undefined : true}
          onClick={hire}
        >
          {hiring ? offer.purchasing : notEnough ? offer.notEnough : offer.purchase(price)}
        </Button>
      }
    >
      <dl className={styles.facts}>
        <Stat icon={coin} label={offer.price}>
          {formatCotton(price)} <small>{messages.unit}</small>
        </Stat>
        <Stat icon={basket} label={offer.generation}>
          {formatCount(generationRate)} <small>{offer.perHour}</small>
        </Stat>
        <Stat icon={farmer} label={offer.supply}>
          {formatCount(sold)} <small>/ {formatCount(maxSupply)}</small>
        </Stat>
      </dl>
      <SupplyBar
        percent={progress}
        caption={messages.pickers.sold(sold, maxSupply)}
        label={messages.pickers.soldLabel(name)}
      />
      <PurchaseNotice text={marketMessages.offer.purchaseNotice} onFollow={onClose} />
      {isSample ? <p className={styles.sample}>{messages.pickers.sample}</p> : null}
    </Dialog>
  )
}
