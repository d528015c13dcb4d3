import { formatCotton } from '#game/cotton.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { type Sale, useSales } from '#web/land/use-listings.ts'
import warning from '#web/art/icons/warning.webp'
import { Skeleton } from '#web/ui/loading.tsx'
import { Note } from '#web/ui/note.tsx'
import { TransientButton } from '#web/ui/transient-button.tsx'
import { marketMessages } from '#web/messages/en-market.ts'
import { messages } from '#web/messages/en.ts'
import { formatShort } from '#web/messages/amount.ts'
import { dateFormat, formatInstant } from '#web/messages/locale.ts'
import { formatPastMoment } from '#web/messages/past-moment.ts'
import { toBars, CHART } from './price-bars.ts'
import styles from './price-history.module.css'

const TITLE_ID = 'price-history-title'

/** The sale prices of a parcel: one as a sentence, more as bars and as a table for screen readers. */
export function PriceHistory({ parcelId, name }: { parcelId: string; name: string }) {
  const { data: sales, isError, refetch } = useSales(parcelId)
  if (sales?.length === 0) return null
  const only = sales?.length === 1 ? sales[0] : undefined
  const sentence = only && sentenceOf(only)
  return (
    <figure className={styles.history}>
      <figcaption className={styles.title} id={TITLE_ID} tabIndex={-1}>
        {marketMessages.history}
      </figcaption>
      {sentence ? (
        <p className={styles.only}>{sentence}</p>
      ) : sales ? (
        <>
          <Bars sales={sales} />
          <Table sales={sales} name={name} />
        </>
      ) : isError ? (
        <Note tone="bad" picture={warning} role="alert">
          {marketMessages.historyFailed}{' '}
          <TransientButton size="sm" focusAfter={TITLE_ID} onClick={() => void refetch()}>
            {messages.tryAgain}
          </TransientButton>
        </Note>
      ) : (
        <Skeleton height={`${CHART.height}px`} />
      )}
    </figure>
  )
}

/** An only sale as a sentence; undefined for a seller that only a newer server knows. */
const sentenceOf = ({ by, price, at }: Sale): string | undefined =>
  marketMessages.onlySale[by]?.(formatCotton(price), formatPastMoment(at, serverClock.now()))

const day = dateFormat({ day: 'numeric', month: 'short' })
const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

function Bars({ sales }: { sales: readonly Sale[] }) {
  const bars = toBars(sales)
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
          <title>{`${formatInstant(moment, sale.at)}: ${formatCotton(sale.price)} ${marketMessages.tokens}`}</title>
          <rect className={styles[sale.by]} x={x} y={y} width={CHART.bar} height={height} rx="6" />
          <text className={styles.amount} x={x + CHART.bar / 2} y={y - 7}>
            {formatShort(sale.price, 1)}
          </text>
          <text className={styles.day} x={x + CHART.bar / 2} y={CHART.height - 4}>
            {formatInstant(day, sale.at)}
          </text>
        </g>
      ))}
      <path className={styles.baseline} d={`M0 ${CHART.baseline}H${width}`} />
    </svg>
  )
}

function Table({ sales, name }: { sales: readonly Sale[]; name: string }) {
  return (
    <table className="vh">
      <caption>{marketMessages.historyOf(name)}</caption>
      <thead>
        <tr>
          <th scope="col">{marketMessages.historyDate}</th>
          <th scope="col">{marketMessages.historyPrice}</th>
          <th scope="col">{marketMessages.historyBy}</th>
        </tr>
      </thead>
      <tbody>
        {sales.map(({ price, at, by }) => (
          <tr key={`${at} ${price}`}>
            <td>{formatInstant(moment, at)}</td>
            <td>{formatCotton(price)}</td>
            <td>{marketMessages.by[by] ?? by}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
