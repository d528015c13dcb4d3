import { baseUnits, formatExact } from '#game/cotton.ts'
import { serverClock } from '#web/api/server-clock.ts'
import inbox from '#web/art/icons/inbox.webp'
import { Panel } from '#web/ui/frame.tsx'
import { shortAddress } from '#web/ui/short-address.ts'
import { uncreditedMessages } from '#web/messages/en-uncredited.ts'
import { messages } from '#web/messages/en.ts'
import { NUMBER_LOCALE } from '#web/messages/locale.ts'
import { formatPastMoment } from '#web/messages/past-moment.ts'
import { ListFailed } from './list-failed.tsx'
import { ShowMore } from './show-more.tsx'
import styles from './profile.module.css'
import { TransactionLink } from './transaction-link.tsx'
import { type Uncredited, useUncredited } from './use-uncredited.ts'

const LAMPORTS_OF_A_SOL = 1e9

/** Uncredited receipts with their reasons. Hidden while there are none. */
export function UncreditedList() {
  const list = useUncredited()
  const { data, isError, refetch, hasNextPage } = list
  const unclaimed = data?.filter(({ state }) => state === 'unclaimed') ?? []
  if (unclaimed.length === 0 && !hasNextPage && !(isError && !data)) return null
  return (
    <Panel title={uncreditedMessages.title} id="uncredited">
      {data ? (
        <div className={styles.list}>
          <p className={styles.plain}>{uncreditedMessages.intro}</p>
          <ul aria-labelledby="uncredited-title" aria-live="polite">
            {unclaimed.map((item) => (
              <Row key={`${item.signature} ${item.asset} ${item.mint}`} item={item} />
            ))}
          </ul>
          <ShowMore list={list} />
        </div>
      ) : (
        <ListFailed text={uncreditedMessages.failed} retry={refetch} />
      )}
    </Panel>
  )
}

function Row({ item }: { item: Uncredited }) {
  return (
    <li className={styles.tx}>
      <img src={inbox} width="42" height="42" alt="" />
      <div>
        <b>{describeAsset(item)}</b>
        {item.mint === null ? null : (
          <small title={item.mint}>
            {uncreditedMessages.units(digits(item.amount), shortAddress(item.mint))}
          </small>
        )}
        <small>
          <time dateTime={item.at}>{formatPastMoment(item.at, serverClock.now())}</time>
        </small>
        {item.why === null ? null : <small>{item.why}</small>}
        <TransactionLink signature={item.signature} />
      </div>
    </li>
  )
}

function describeAsset({ asset, amount }: Uncredited): string {
  if (!isDigits(amount)) return uncreditedMessages.otherToken
  if (asset === 'cotton') return `${formatExact(baseUnits(BigInt(amount)))} ${messages.unit}`
  if (asset !== 'sol') return uncreditedMessages.otherToken
  const sol = Number(amount) / LAMPORTS_OF_A_SOL
  return uncreditedMessages.sol(sol.toLocaleString(NUMBER_LOCALE, { maximumFractionDigits: 9 }))
}

const isDigits = (amount: string): boolean => /^\d+$/.test(amount)

const digits = (amount: string): string =>
  isDigits(amount) ? BigInt(amount).toLocaleString(NUMBER_LOCALE) : amount
