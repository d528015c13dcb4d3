import { formatCotton, formatCount, sumOf } from '#game/cotton.ts'
import type { OwnedWorker } from '#web/api/use-owned-workers.ts'
import coin from '#web/art/coin.svg'
import basket from '#web/art/icons/basket.webp'
import farmer from '#web/art/icons/farmer.webp'
import { HarvestBoard } from '#web/goals/harvest-board.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { messages } from '#web/messages/en.ts'
import styles from './farm.module.css'
import { Field } from './field.tsx'
import totalStyles from './totals.module.css'
import { type Plot, plotsAt } from './plots.ts'
import { useServerNow } from '#web/api/use-server-now.ts'

/** The totals and the fields. They are computed by the rules of the game every second, in the server's time. */
export function Farm({ workers }: { workers: readonly OwnedWorker[] }) {
  const plots = plotsAt(workers, useServerNow())
  return (
    <>
      <Totals plots={plots} />
      <Frame className={styles.farm} aria-label={messages.farm.fields}>
        <div className={styles.scene}>
          {plots.map((plot) => (
            <Field key={plot.type} plot={plot} />
          ))}
        </div>
      </Frame>
      <HarvestBoard />
    </>
  )
}

function Totals({ plots }: { plots: readonly Plot[] }) {
  const owned = plots.reduce((sum, plot) => sum + plot.count, 0)
  const perHour = plots.reduce((sum, plot) => sum + plot.ratePerHour, 0)
  const ready = sumOf(plots.map((plot) => plot.claimable))
  return (
    <ul className={totalStyles.totals} aria-label={messages.farm.totals}>
      <Total picture={farmer} label={messages.farm.owned} amount={formatCount(owned)} />
      <Total
        picture={basket}
        label={messages.farm.collecting}
        amount={formatCount(perHour)}
        unit={messages.farm.perHour}
      />
      <Total picture={coin} label={messages.farm.ready} amount={formatCotton(ready)} unit={messages.unit} />
    </ul>
  )
}

function Total({
  picture,
  label,
  amount,
  unit,
}: {
  picture: string
  label: string
  amount: string
  unit?: string
}) {
  return (
    <li className={totalStyles.total}>
      <img src={picture} width="44" height="44" alt="" />
      <dl>
        <dt>{label}</dt>
        <dd className="num">
          <span>{amount}</span> {unit ? <small>{unit}</small> : null}
        </dd>
      </dl>
    </li>
  )
}
