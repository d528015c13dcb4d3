import { useState } from 'react'
import type { readBooks } from '#contract/console/books.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { baseUnits, sumOf, toDecimal } from '#game/cotton.ts'
import { fromExact } from '#contract/console/values.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { ActButton } from '../../acts/act-button.tsx'
import { ReasonAct } from '../../acts/reason-act.tsx'
import { formatAmount } from '../../exact.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ChoiceField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './books.module.css'
import { WalletLink } from '../../ui/wallet-link.tsx'

type Restored = ConsoleReply<typeof readBooks>['restored']

const text = pageMessages.books

const COLUMNS: readonly Column<Restored[number]>[] = [
  { head: text.wallet, cell: ({ wallet }) => <WalletLink wallet={wallet} />, names: true },
  { head: text.paid, cell: ({ amount }) => formatAmount(amount), figure: true },
  { head: text.stillOpen, cell: ({ open }) => formatAmount(open), figure: true },
  {
    head: text.transaction,
    cell: ({ signature }) => (
      <span className="mono" title={signature}>
        {shortAddress(signature)}
      </span>
    ),
  },
  { head: text.act, cell: (row) => <Acknowledge payout={row} /> },
]

/** Payouts that the chain shows and the restored books do not. */
export function RestoredPanel({ restored }: { restored: Restored }) {
  const amount = toDecimal(baseUnits(sumOf(restored.map(({ open }) => fromExact(open)))))
  const payouts = String(restored.length)
  return (
    <Panel
      title={text.restored}
      flush
      actions={
        <ActButton text={actMessages.takeBack.action} needs="adjust">
          {(close) => (
            <ReasonAct
              title={actMessages.takeBack.title}
              text={actMessages.takeBack.text}
              version={`${payouts} ${amount}`}
              makeAct={(reason) => ({ act: { kind: 'take-back', payouts, amount, reason } })}
              onClose={close}
            />
          )}
        </ActButton>
      }
    >
      <p className={styles.text}>{text.restoredText}</p>
      <DataTable
        caption={text.restored}
        columns={COLUMNS}
        rows={restored}
        keyOf={({ signature }) => signature}
        empty={text.noReserve}
      />
    </Panel>
  )
}

const DEBTS = [
  ['none', actMessages.acknowledge.debts.none],
  ['pool', actMessages.acknowledge.debts.pool],
] as const

function Acknowledge({ payout: { signature, open } }: { payout: Restored[number] }) {
  const [debt, setDebt] = useState<(typeof DEBTS)[number][0]>('none')
  return (
    <ActButton text={actMessages.acknowledge.action} needs="adjust">
      {(close) => (
        <ReasonAct
          title={actMessages.acknowledge.title}
          text={actMessages.acknowledge.text}
          version={open}
          makeAct={(reason) => ({
            act: { kind: 'acknowledge', transaction: signature, amount: open, debt, reason },
          })}
          onClose={close}
        >
          <ChoiceField label={actMessages.acknowledge.debt} value={debt} choices={DEBTS} onChange={setDebt} />
        </ReasonAct>
      )}
    </ActButton>
  )
}
