import { lazy, useState, useTransition } from 'react'
import inbox from '#web/art/icons/inbox.webp'
import magnifier from '#web/art/icons/magnifier.webp'
import outbox from '#web/art/icons/outbox.webp'
import warning from '#web/art/icons/warning.webp'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { LazyPart } from '#web/ui/lazy-part.tsx'
import { Note } from '#web/ui/note.tsx'
import { withdrawalMessages } from '#web/messages/en-withdrawals.ts'
import { profileMessages } from '#web/messages/en-profile.ts'
import { formatMoment } from '#web/messages/locale.ts'
import styles from './profile.module.css'
import { useCheckDeposit } from './use-check-deposit.ts'
import { useWithdrawable } from './use-withdrawals.ts'

const WithdrawDialog = lazy(() =>
  import('./withdraw-dialog.tsx').then((module) => ({ default: module.WithdrawDialog })),
)

type WalletManagementProps = { depositOpen: boolean; onDepositAddress: () => void }

export function WalletManagement({ depositOpen, onDepositAddress }: WalletManagementProps) {
  const [withdrawing, setWithdrawing] = useState(false)
  // Until the code of the dialog is loaded, which takes seconds on a slow network.
  const [opening, startOpening] = useTransition()
  const { check, checking, resting } = useCheckDeposit()
  const pause = useWithdrawable().data?.pause
  return (
    <Panel title={profileMessages.management} tone="info" id="management">
      <div className={styles.managementIn}>
        <div className={styles.actions}>
          <Button
            className={styles.action}
            busy={checking}
            resting={resting}
            icon={<Picture src={magnifier} />}
            onClick={check}
          >
            {checking ? profileMessages.checking : profileMessages.check}
          </Button>
          <Button
            className={styles.action}
            tone={depositOpen ? 'sun' : 'paper'}
            aria-expanded={depositOpen}
            icon={<Picture src={inbox} />}
            onClick={onDepositAddress}
          >
            {profileMessages.getAddress}
          </Button>
          <Button
            movesValue
            className={styles.action}
            busy={opening}
            icon={<Picture src={outbox} />}
            onClick={() => startOpening(() => setWithdrawing(true))}
          >
            {profileMessages.withdraw}
          </Button>
        </div>
        {pause ? (
          <Note tone="bad" picture={warning} className={styles.split}>
            {withdrawalMessages.paused}{' '}
            {withdrawalMessages.pausedReason(pause.reason, formatMoment(pause.since))}
          </Note>
        ) : null}
        <LazyPart className={styles.split}>
          {withdrawing ? <WithdrawDialog onClose={() => setWithdrawing(false)} /> : null}
        </LazyPart>
      </div>
    </Panel>
  )
}

function Picture({ src }: { src: string }) {
  return <img src={src} width="40" height="40" alt="" />
}
