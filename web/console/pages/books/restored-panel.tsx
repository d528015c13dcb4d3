import { useState } from 'react'
import { MOST_RESTORED, type readBooks } from '#contract/console/books.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { ActGroup, ActTrigger, GroupReason } from '../../acts/act-button.tsx'
import { ReasonAct } from '../../acts/reason-act.tsx'
import { formatAmount } from '../../exact.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ChoiceField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './books.module.css'
import { WalletLink } from '../../ui/wallet-link.tsx'

type Books = Pick<ConsoleReply<typeof readBooks>, 'restored' | 'takeBack'>
type Payout = Books['restored'][number]

const text = pageMessages.books

const columnsOf = (acknowledge: (payout: Payout) => void): readonly Column<Payout>[] => [
  {
    head: text.wallet,
    cell: ({ wallet }) => (wallet === '' ? text.noSingleWallet : <WalletLink wallet={wallet} />),
    names: true,
  },
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
  {
    head: text.act,
    cell: (payout) => (
      <ActTrigger text={actMessages.acknowledge.action} needs="adjust" onOpen={() => acknowledge(payout)} />
    ),
  },
]

/**
 * Payouts that the chain shows and the restored books do not. The dialogs are outside of the table: what they have settled
 * is no longer in it.
 */
export function RestoredPanel({ restored, takeBack }: Books) {
  const [acknowledged, setAcknowledged] = useState<Payout | null>(null)
  const [taking, setTaking] = useState(false)
  return (
    <>
      {restored.length > 0 ? (
        <ActGroup needs="adjust">
          <Panel
            title={restored.length < MOST_RESTORED ? text.restored : text.moreRestored(restored.length)}
            flush
            actions={
              takeBack.payouts > 0 ? (
                <ActTrigger
                  text={actMessages.takeBack.action}
                  needs="adjust"
                  onOpen={() => setTaking(true)}
                />
              ) : null
            }
          >
            <p className={styles.text}>{text.restoredText}</p>
            <GroupReason />
            <DataTable
              caption={text.restored}
              columns={columnsOf(setAcknowledged)}
              rows={restored}
              keyOf={({ signature }) => signature}
              empty={text.noReserve}
            />
          </Panel>
        </ActGroup>
      ) : null}
      {taking ? <TakeBack {...takeBack} onClose={() => setTaking(false)} /> : null}
      {acknowledged ? (
        <Acknowledge
          payout={acknowledged}
          open={restored.find(({ signature }) => signature === acknowledged.signature)?.open ?? ''}
          onClose={() => setAcknowledged(null)}
        />
      ) : null}
    </>
  )
}

function TakeBack({ payouts: count, amount, onClose }: Books['takeBack'] & { onClose: () => void }) {
  const payouts = String(count)
  return (
    <ReasonAct
      title={actMessages.takeBack.title}
      text={actMessages.takeBack.text}
      version={`${payouts} ${amount}`}
      makeAct={(reason) => ({ act: { kind: 'take-back', payouts, amount, reason } })}
      onClose={onClose}
    />
  )
}

const DEBTS = [
  ['none', actMessages.acknowledge.debts.none],
  ['pool', actMessages.acknowledge.debts.pool],
] as const

type AcknowledgeProps = {
  payout: Payout
  /** What is open of it now. */
  open: string
  onClose: () => void
}

function Acknowledge({ payout: { signature, open: amount }, open, onClose }: AcknowledgeProps) {
  const [debt, setDebt] = useState<(typeof DEBTS)[number][0]>('none')
  return (
    <ReasonAct
      title={actMessages.acknowledge.title}
      text={actMessages.acknowledge.text}
      version={open}
      makeAct={(reason) => ({ act: { kind: 'acknowledge', transaction: signature, amount, debt, reason } })}
      onClose={onClose}
    >
      <ChoiceField label={actMessages.acknowledge.debt} value={debt} choices={DEBTS} onChange={setDebt} />
    </ReasonAct>
  )
}
