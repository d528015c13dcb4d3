import { useState } from 'react'
import { baseUnits, type Cotton, formatExact } from '#game/cotton.ts'
import { serverClock } from '#web/api/server-clock.ts'
import basket from '#web/art/icons/basket.webp'
import farmer from '#web/art/icons/farmer.webp'
import flag from '#web/art/icons/flag.webp'
import hourglass from '#web/art/icons/hourglass.webp'
import inbox from '#web/art/icons/inbox.webp'
import outbox from '#web/art/icons/outbox.webp'
import scroll from '#web/art/icons/scroll.webp'
import { formatAmount } from '#web/messages/amount.ts'
import { Empty } from '#web/ui/empty.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { historyMessages } from '#web/messages/en-history.ts'
import { statementMessages } from '#web/messages/en-statements.ts'
import { messages } from '#web/messages/en.ts'
import { formatPastMoment } from '#web/messages/past-moment.ts'
import { historyLabel, historyReason } from './history-label.ts'
import { HistoryFilterBar } from './history-filter.tsx'
import { ListFailed } from './list-failed.tsx'
import { ShowMore } from './show-more.tsx'
import styles from './profile.module.css'
import { type HistoryItem, isFiltering, NO_FILTER, useHistory } from './use-history.ts'
import { useUncredited } from './use-uncredited.ts'

const PICTURES: Readonly<Record<HistoryItem['kind'], string>> = {
  deposit: inbox,
  claim: basket,
  hire: farmer,
  parcel: flag,
  resale: flag,
  withdrawal: outbox,
  refund: inbox,
  adjustment: scroll,
  cancellation: inbox,
}

export function HistoryList() {
  return (
    <Panel title={historyMessages.title} tone="neutral" id="history">
      <Content />
    </Panel>
  )
}

function Content() {
  const [filter, setFilter] = useState(NO_FILTER)
  const history = useHistory(filter)
  const isFiltered = isFiltering(filter)
  // From the first choice on the filter stays, because it may have the focus.
  const wasFiltered = filter !== NO_FILTER
  const { data: uncredited = [] } = useUncredited()
  if (history.isPending && !wasFiltered) return <Loading text={messages.loading} />
  if (!history.data && !wasFiltered) {
    return <ListFailed text={historyMessages.failed} retry={history.refetch} />
  }

  const pages = history.data?.pages ?? []
  const items = pages.flatMap((page) => page.items)
  const pending = isFiltered ? [] : (pages[0]?.pending ?? [])
  const isEmpty = items.length === 0 && pending.length === 0
  if (!wasFiltered && isEmpty) {
    return (
      <Empty
        picture={<img src={scroll} width="128" height="128" alt="" />}
        title={historyMessages.empty}
        text={historyMessages.emptyText}
      />
    )
  }
  return (
    <>
      <div className={styles.filter}>
        <HistoryFilterBar filter={filter} onChange={setFilter} />
        {history.isPending ? <Loading text={messages.loading} /> : null}
        {wasFiltered && history.isError && !history.isFetchNextPageError ? (
          <ListFailed text={historyMessages.failed} retry={history.refetch} />
        ) : null}
        {history.data && isEmpty ? (
          <output className={styles.output}>{statementMessages.nothing}</output>
        ) : null}
      </div>
      <ul className={styles.list} aria-labelledby="history-title">
        {pending.map(({ signature, amount, at }) => (
          <Row
            key={signature}
            picture={hourglass}
            label={historyMessages.pending}
            at={at}
            amount={amount}
            reason={uncredited.find((item) => item.signature === signature)?.why}
          />
        ))}
        {items.map((item) => (
          <Row
            key={item.id}
            picture={PICTURES[item.kind]}
            {...historyLabel(item)}
            at={item.at}
            amount={item.amount}
            reason={historyReason(item)}
          />
        ))}
      </ul>
      <ShowMore list={history} />
    </>
  )
}

function Row({
  picture,
  label,
  id,
  at,
  amount,
  reason,
}: {
  picture: string
  label: string
  /** The id behind the label's name. */
  id?: string | null
  at: string
  amount: Cotton | null
  reason?: string | null
}) {
  const up = amount !== null && amount >= 0n
  const size = amount === null || up ? amount : baseUnits(-amount)
  const figure = formatAmount(size)
  return (
    <li className={styles.tx}>
      <img src={picture} width="42" height="42" alt="" />
      <div>
        <b>{label}</b>
        <small>
          <time dateTime={at}>{formatPastMoment(at, serverClock.now())}</time>
          {id ? ` · ${id}` : null}
          {figure === formatExact(size) ? null : ` · ${historyMessages.exactly(formatExact(size))}`}
          {reason ? <span>{` · ${reason}`}</span> : null}
        </small>
      </div>
      <span className={`num ${up ? styles.plus : styles.minus}`}>
        {amount === null ? '' : up ? '+' : '−'}
        {figure}
      </span>
    </li>
  )
}
