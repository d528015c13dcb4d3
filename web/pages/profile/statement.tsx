import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { exportStatement, readStatement } from '#contract/history.ts'
import type { ReplyOf } from '#contract/route.ts'
import { baseUnits, type Cotton } from '#game/cotton.ts'
import type { Amounts } from '#web/api/amounts.ts'
import { call } from '#web/api/call.ts'
import { complete, UNKNOWN_AMOUNT } from '#web/api/complete.ts'
import { HISTORY_KEY } from '#web/api/history-key.ts'
import { serverClock } from '#web/api/server-clock.ts'
import { useSession } from '#web/api/session.ts'
import { formatAmount } from '#web/messages/amount.ts'
import { statementMessages } from '#web/messages/en-statements.ts'
import { messages } from '#web/messages/en.ts'
import { Button } from '#web/ui/button.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { nameOfKind } from './history-label.ts'
import { ListFailed } from './list-failed.tsx'
import styles from './security.module.css'
import { useDownload } from './use-download.ts'

type Statement = Amounts<ReplyOf<typeof readStatement>>['statement']

const CLASSES = { deposited: UNKNOWN_AMOUNT, earned: UNKNOWN_AMOUNT }
const STATEMENT: Statement = {
  month: '–',
  firstMonth: '–',
  opening: CLASSES,
  lines: [{ kind: 'adjustment', ...CLASSES }],
  closing: CLASSES,
}

/** The statement of a month; with `isRead: false` only what another component has read of it. */
function useStatement(month: string, { isRead = true } = {}) {
  const { walletAddress } = useSession()
  return useQuery({
    queryKey: [...HISTORY_KEY, walletAddress, 'statement', month],
    queryFn: async ({ signal }) =>
      complete({ statement: STATEMENT }, await call(readStatement, { query: { month }, signal })).statement,
    enabled: isRead && walletAddress !== null,
  })
}

/** Opening balance, sums of each kind, and closing balance of a month. */
export function MonthlyStatement() {
  const thisMonth = new Date(serverClock.now()).toISOString().slice(0, 7)
  const [month, setMonth] = useState(thisMonth)
  const statement = useStatement(month)
  // It was read first, and names the first month also while another one is read, or cannot be.
  const { data: present } = useStatement(thisMonth, { isRead: false })
  const { save, busy } = useDownload()
  const first = (statement.data ?? present)?.firstMonth ?? month
  return (
    <>
      <div className={styles.lock}>
        <label className={styles.field}>
          <span>{statementMessages.month}</span>
          <select value={month} onChange={({ target }) => setMonth(target.value)}>
            {monthsFrom(first < month ? first : month, thisMonth).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <Button
          size="sm"
          busy={busy}
          onClick={() => void save(`${exportStatement.path}?month=${month}`, `cotton-farm-${month}.csv`)}
        >
          {busy ? statementMessages.downloading : statementMessages.download}
        </Button>
      </div>
      {statement.isPending ? <Loading text={messages.loading} /> : null}
      {statement.isError && !statement.data ? (
        <ListFailed text={statementMessages.failed} retry={statement.refetch} />
      ) : null}
      {statement.data ? <Sums statement={statement.data} isOver={month < thisMonth} /> : null}
      <p className={styles.text}>{statementMessages.note}</p>
    </>
  )
}

function Sums({ statement: { opening, lines, closing }, isOver }: { statement: Statement; isOver: boolean }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{statementMessages.what}</th>
          <th scope="col">{statementMessages.deposited}</th>
          <th scope="col">{statementMessages.earned}</th>
        </tr>
      </thead>
      <tbody>
        <Sum name={statementMessages.opening} sums={opening} />
        {lines.map((line) => (
          <Sum key={line.kind} name={nameOfKind(line.kind)} sums={line} isChange />
        ))}
        <Sum name={isOver ? statementMessages.closing : statementMessages.soFar} sums={closing} />
      </tbody>
    </table>
  )
}

type SumProps = {
  name: string
  sums: { deposited: Cotton | null; earned: Cotton | null }
  isChange?: boolean
}

function Sum({ name, sums: { deposited, earned }, isChange = false }: SumProps) {
  const show = (amount: Cotton | null): string => {
    if (amount === null || !isChange || amount === 0n) return formatAmount(amount)
    return amount > 0n ? `+${formatAmount(amount)}` : `−${formatAmount(baseUnits(-amount))}`
  }
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="num">{show(deposited)}</td>
      <td className="num">{show(earned)}</td>
    </tr>
  )
}

/** The months from the newest to the first, at most ten years. */
function monthsFrom(first: string, last: string): string[] {
  const months: string[] = []
  for (let at = new Date(`${last}-01T00:00:00Z`); months.length < 120; at.setUTCMonth(at.getUTCMonth() - 1)) {
    const month = at.toISOString().slice(0, 7)
    if (month < first) break
    months.push(month)
  }
  return months
}
