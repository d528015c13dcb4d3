import { lazy, useState } from 'react'
import { getErrorMessage } from '#web/api/call-error.ts'
import warning from '#web/art/icons/warning.webp'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { profileMessages } from '#web/messages/en-profile.ts'
import { messages } from '#web/messages/en.ts'
import { CopyButton } from '#web/popups/copy-button.tsx'
import { CodeBox } from '#web/ui/code-box.tsx'
import { LazyPart } from '#web/ui/lazy-part.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { Note } from '#web/ui/note.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { TransientButton } from '#web/ui/transient-button.tsx'
import styles from './deposit.module.css'
import { useDepositAddress } from './use-deposit-address.ts'

const ScanToPay = lazy(() => import('./scan-to-pay.tsx').then((module) => ({ default: module.ScanToPay })))

/** The address for a deposit from any wallet (S-27), and on request the QR code of a payment to it. */
export function DepositAddress({ onClose }: { onClose: () => void }) {
  const address = useDepositAddress()
  return (
    <div className={styles.other}>
      <h3 className={styles.heading}>{depositMessages.otherWallet}</h3>
      {address.data ? (
        <Address address={address.data} />
      ) : address.isError ? (
        <Note tone="bad" picture={warning} role="alert">
          {getErrorMessage(address.error, profileMessages.addressFailed)}
        </Note>
      ) : (
        <Loading text={messages.loading} />
      )}
      <div className={styles.foot}>
        {address.isError && !address.data ? (
          <RetryButton block onClick={() => void address.refetch()} />
        ) : null}
        <TransientButton block focusAfter="management-title" onClick={onClose}>
          {messages.close}
        </TransientButton>
      </div>
    </div>
  )
}

function Address({ address }: { address: string }) {
  const [showsQr, setShowsQr] = useState(false)
  return (
    <>
      <p>{depositMessages.sendTo}</p>
      <CodeBox>
        <span className={styles.code}>{address}</span>
        <CopyButton text={address} label={profileMessages.copyAddress} iconOnly />
      </CodeBox>
      <Note picture={warning}>{depositMessages.only}</Note>
      <details className={styles.qr} onToggle={(event) => setShowsQr(event.currentTarget.open)}>
        <summary>{depositMessages.showQr}</summary>
        {showsQr ? (
          <LazyPart>
            <ScanToPay address={address} />
          </LazyPart>
        ) : null}
      </details>
      <p className={styles.hint}>{depositMessages.checkHint}</p>
    </>
  )
}
