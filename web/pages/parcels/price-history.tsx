import { shown } from '#game/cotton.ts'
import { type Sale, useSales } from '#web/land/use-listings.ts'
import warning from '#web/art/icons/warning.webp'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Note } from '#web/ui/note.tsx'
import { marketWords } from '#web/messages/en-market.ts'
import { words } from '#web/messages/en.ts'
import { DATES, NUMBERS, write } from '#web/messages/locale.ts'
import { barsOf, CHART } from './price-bars.ts'
import styles from './price-history.module.css'

/** What a parcel was sold for so far: bars to look at, and a table to listen to. */
export function PriceHistory({ parcelId, name }: { parcelId: string; name: string }) {
  const { data: sales, isError, refetch } = useSales(parcelId)
  if (sales?.length === 0) return null
  return (
    <figure className={styles.history}>
      <figcaption className={styles.title}>{marketWords.history}</figcaption>
      {sales ? (
        <>
          <Bars sales={sales} />
          <Table sales={sales} name={name} />
        </>
      ) : isError ? (
        <Note tone="bad" picture={warning} role="alert">
          {marketWords.historyFailed}{' '}
          <Button size="sm" onClick={() => void refetch()}>
            {words.tryAgain}
          </Button>
        </Note>
      ) : (
        <Skeleton height={`${CHART.height}px`} />
      )}
    </figure>
  )
}

const compact = new Intl.NumberFormat(NUMBERS, { notation: 'compact', maximumFractionDigits: 1 })
const day = new Intl.DateTimeFormat(DATES, { day: 'numeric', month: 'short' })
const moment = new Intl.DateTimeFormat(DATES, { dateStyle: 'medium', timeStyle: 'short' })

function Bars({ sales }: { sales: readonly Sale[] }) {
  const bars = barsOf(sales)
  const width = bars.length * CHART.slot
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${width} ${CHART.height}`}
      width={width}
      height={CHART.height}
      aria-hidden="true"
    >
      {bars.map(({ sale, x, y, height }) => (
        <g key={`${sale.at} ${sale.price}`}>
          <title>{`${write(moment, sale.at)}: ${shown(sale.price)} ${marketWords.tokens}`}</title>
          <rect className={styles[sale.by]} x={x} y={y} width={CHART.bar} height={height} rx="6" />
          <text className={styles.amount} x={x + CHART.bar / 2} y={y - 7}>
            {compact.format(sale.price)}
          </text>
          <text className={styles.day} x={x + CHART.bar / 2} y={CHART.height - 4}>
            {write(day, sale.at)}
          </text>
        </g>
      ))}
      <path className={styles.ground} d={`M0 ${CHART.ground}H${width}`} />
    </svg>
  )
}

function Table({ sales, name }: { sales: readonly Sale[]; name: string }) {
  return (
    <table className="vh">
      <caption>{marketWords.historyOf(name)}</caption>
      <thead>
        <tr>
          <th scope="col">{marketWords.historyDate}</th>
          <th scope="col">{marketWords.historyPrice}</th>
          <th scope="col">{marketWords.historyBy}</th>
        </tr>
      </thead>
      <tbody>
        {sales.map(({ price, at, by }) => (
          <tr key={`${at} ${price}`}>
            <td>{write(moment, at)}</td>
            <td>{shown(price)}</td>
            <td>{marketWords.by[by]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
