import { useState } from 'react'
import { Link } from 'react-router'
import { cotton, formatCotton, formatCount } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { useKnownBalance } from '#web/api/use-balance.ts'
import type { TypeFacts } from '#web/api/use-worker-types.ts'
import coin from '#web/art/coin.svg'
import basket from '#web/art/icons/basket.webp'
import farmer from '#web/art/icons/farmer.webp'
import tractor from '#web/art/icons/tractor.webp'
import { workerArt } from '#web/art/worker-art.ts'
import { paths } from '#web/paths.ts'
import { useHire } from './use-hire.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { DialogResult, useDialogResult } from '#web/ui/dialog-result.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { SupplyBar } from '#web/ui/supply-bar.tsx'
import { hiringMessages, pickerMessages } from '#web/messages/en-hiring.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { messages } from '#web/messages/en.ts'
import { PurchaseNotice } from './purchase-notice.tsx'
import styles from './worker-offer.module.css'

const HOURS_A_DAY = 24

type WorkerOfferProps = {
  type: TypeFacts
  isSample: boolean
  /** How many the player owns; undefined while unknown. */
  owned: number | undefined
  onClose: () => void
}

/** The close-up of a picker (S-21). Its button shows at once if the credit is insufficient (S-22). */
export function WorkerOffer({ type, isSample, owned, onClose }: WorkerOfferProps) {
  const { workerType, name, price, available } = type
  const { hire, hiring, resting, hasHired, result } = useHireInDialog(type)
  const { loggedIn } = useSession()
  const balance = useKnownBalance()
  const notEnough = loggedIn && balance !== undefined && balance < price && !hiring
  const { offer } = marketMessages
  return (
    <Dialog
      wide
      title={name}
      ribbon={{ text: name, tone: workerArt[workerType].tone }}
      onClose={onClose}
      actions={
        <>
          {hasHired ? (
            <Link className={buttonClass({ tone: 'sun' })} to={paths.myFarm}>
              <img src={tractor} width="26" height="26" alt="" />
              {hiringMessages.seeOnFarm(name)}
            </Link>
          ) : notEnough ? (
            <Link className={buttonClass({ tone: 'sun' })} to={paths.deposit}>
              {hiringMessages.deposit}
            </Link>
          ) : null}
          <Button
            movesValue
            tone={available <= 0 ? 'paper' : 'leaf'}
            busy={hiring}
            ariaDisabled={notEnough}
            resting={resting}
            disabled={isSample}
            data-autofocus={isSample ? undefined : true}
            onClick={hire}
          >
            {hiring ? offer.purchasing : notEnough ? offer.notEnough : offer.purchase(price)}
          </Button>
        </>
      }
    >
      <div className={styles.columns}>
        <div className={styles.portrait}>
          <img className={styles.sky} src={workerArt[workerType].portrait} alt="" />
          <img
            className={styles.figure}
            src={workerArt[workerType].figure}
            width="320"
            height="400"
            alt=""
            data-figure={workerType}
          />
        </div>
        <div>
          <p className={styles.about}>{hiringMessages.about[workerType]}</p>
          <Figures type={type} owned={owned} />
          <SupplyBar
            percent={type.progress}
            caption={hiringMessages.left(available)}
            label={pickerMessages.soldLabel(name)}
          />
          <DialogResult result={result}>
            <PurchaseNotice text={offer.purchaseNotice} onFollow={onClose} />
          </DialogResult>
          {isSample ? <p className={styles.sample}>{pickerMessages.sample}</p> : null}
        </div>
      </div>
    </Dialog>
  )
}

/** Hires, and shows the result until the next press. The way to the farm stays, so that the button does not move. */
function useHireInDialog(type: TypeFacts) {
  const { result, show, clear } = useDialogResult()
  const [hasHired, setHasHired] = useState(false)
  const { hire, ...state } = useHire(type, (outcome) => {
    setHasHired(true)
    show(outcome)
  })
  const press = (): void => {
    clear()
    hire()
  }
  return { ...state, hire: press, hasHired, result }
}

function Figures({ type, owned }: { type: TypeFacts; owned: number | undefined }) {
  const { price, generationRate, sold, maxSupply } = type
  const { offer } = marketMessages
  return (
    <dl>
      <Stat icon={coin} label={offer.price}>
        {formatCotton(price)} <small>{messages.unit}</small>
      </Stat>
      <Stat icon={basket} label={offer.generation}>
        {formatCount(generationRate)} <small>{offer.perHour}</small>
        {Number.isFinite(generationRate) ? (
          <small className={styles.day}>{hiringMessages.perDay(dailyRate(generationRate))}</small>
        ) : null}
      </Stat>
      <Stat icon={tractor} label={hiringMessages.yours}>
        {owned === undefined ? '–' : formatCount(owned)}
      </Stat>
      <Stat icon={farmer} label={offer.supply}>
        <span>{formatCount(sold)}</span> <small>/ {formatCount(maxSupply)}</small>
      </Stat>
    </dl>
  )
}

const dailyRate = (perHour: number) => cotton(Math.floor(perHour * HOURS_A_DAY))
