import { Link } from 'react-router'
import { formatCotton } from '#game/cotton.ts'
import { WORKERS, type WorkerType } from '#game/workers.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { useWorkerTypes } from '#web/api/use-worker-types.ts'
import coin from '#web/art/coin.svg'
import { hirePath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { farmMessages } from '#web/messages/en-farm.ts'
import styles from './farm.module.css'
import { type Offer, offerOf } from './offer.ts'

/** On a field without pickers: leads to the picker on Buy Pickers, or says why none can be hired. */
export function HireInvitation({ type }: { type: WorkerType }) {
  const balance = useBalance()
  const { types, isSample } = useWorkerTypes()
  const { name, price } = WORKERS[type]
  const facts = isSample ? undefined : types?.find(({ workerType }) => workerType === type)
  const offer = offerOf(facts ?? { price }, balance)
  return (
    <>
      {offer.kind === 'sold-out' ? (
        <p className={styles.soldOut}>{farmMessages.soldOut}</p>
      ) : (
        <Link
          className={buttonClass(
            { tone: offer.kind === 'hire' ? 'leaf' : 'paper', size: 'sm', block: true },
            styles.hire,
          )}
          to={hirePath(type)}
        >
          <span>{farmMessages.hire(name)}</span> <OfferText offer={offer} />
        </Link>
      )}
      <button type="button" className={styles.noClaim} disabled>
        {farmMessages.noClaim}
      </button>
    </>
  )
}

function OfferText({ offer }: { offer: Exclude<Offer, { kind: 'sold-out' }> }) {
  if (offer.kind === 'too-dear') return <small>{farmMessages.missing(offer.missing)}</small>
  return (
    <small className="num">
      <img src={coin} width="18" height="18" alt="" />
      <span>{formatCotton(offer.price)}</span>
    </small>
  )
}
