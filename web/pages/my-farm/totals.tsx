import type { ReactNode } from 'react'
import { type Cotton, cotton, formatCount } from '#game/cotton.ts'
import coin from '#web/art/coin.svg'
import basket from '#web/art/icons/basket.webp'
import farmer from '#web/art/icons/farmer.webp'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { CottonFigure } from '#web/ui/cotton-figure.tsx'
import { farmMessages } from '#web/messages/en-farm.ts'
import { messages } from '#web/messages/en.ts'
import type { Plot } from './plots.ts'
import styles from './totals.module.css'
import type { FarmClaim } from './use-claim.ts'

type TotalsProps = { plots: readonly Plot[]; ready: Cotton; everything: FarmClaim }

/** What is owned, what comes in, and what is ready, with one button that claims all of it. */
export function Totals({ plots, ready, everything }: TotalsProps) {
  const owned = plots.reduce((sum, plot) => sum + plot.count, 0)
  const perHour = plots.reduce((sum, plot) => sum + plot.ratePerHour, 0)
  const { claim, claiming, resting, harvest } = everything
  return (
    <ul className={styles.totals} aria-label={farmMessages.totals}>
      <Total picture={farmer} label={farmMessages.owned}>
        <span>{formatCount(owned)}</span>
      </Total>
      <Total picture={basket} label={farmMessages.collecting}>
        <CottonFigure amount={cotton(Math.floor(perHour))} /> <small>{farmMessages.perHour}</small>
      </Total>
      <Total
        className={styles.ready}
        picture={coin}
        label={farmMessages.ready}
        action={
          owned > 0 ? (
            <Button
              movesValue
              tone={ready > 0n || claiming ? 'sun' : 'paper'}
              size="sm"
              className={styles.claimAll}
              busy={claiming}
              ariaDisabled={ready === 0n && !claiming}
              resting={resting}
              onClick={claim}
            >
              {claiming ? farmMessages.claimingAll : farmMessages.claimAll}
            </Button>
          ) : null
        }
      >
        <CottonFigure amount={ready} /> <small>{messages.unit}</small>
        {harvest ? (
          <span key={harvest.id} className={styles.gain} aria-hidden="true">
            {farmMessages.gain(harvest.amount ?? null)}
          </span>
        ) : null}
      </Total>
    </ul>
  )
}

type TotalProps = {
  picture: string
  label: string
  action?: ReactNode
  className?: string
  children: ReactNode
}

function Total({ picture, label, action, className, children }: TotalProps) {
  return (
    <li className={classNames(styles.total, className)}>
      <img src={picture} width="44" height="44" alt="" />
      <dl>
        <dt>{label}</dt>
        <dd className="num">{children}</dd>
      </dl>
      {action}
    </li>
  )
}
