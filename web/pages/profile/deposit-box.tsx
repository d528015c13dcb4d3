import { useEffect } from 'react'
import warning from '#web/art/icons/warning.webp'
import { CopyButton } from '#web/popups/copy-button.tsx'
import { Button } from '#web/ui/button.tsx'
import { CodeBox } from '#web/ui/code-box.tsx'
import { Panel } from '#web/ui/frame.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { Note } from '#web/ui/note.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { messages } from '#web/messages/en.ts'
import styles from './profile.module.css'
import { SendDeposit } from './send-deposit.tsx'
import { useDepositAddress } from './use-deposit-address.ts'

export function DepositBox({ onClose }: { onClose: () => void }) {
  const address = useDepositAddress()
  useEffect(() => {
    const title = document.getElementById('deposit-title')
    title?.scrollIntoView({ block: 'center' })
    title?.focus({ preventScroll: true })
  }, [])

  return (
    <Panel title={messages.deposit.title} id="deposit">
      {address.data ? (
        <div className={styles.deposit}>
          <QrCode text={address.data} label={messages.deposit.qr} />
          <div>
            <p className={styles.strong}>{messages.deposit.sendTo}</p>
            <CodeBox className={styles.address}>
              <span className={styles.grow}>{address.data}</span>
              <CopyButton text={address.data} label={messages.profile.copyAddress} iconOnly />
            </CodeBox>
            <Note picture={warning}>{messages.deposit.only}</Note>
            <div className={styles.foot}>
              <Button block onClick={onClose}>
                {messages.close}
              </Button>
            </div>
          </div>
        </div>
      ) : (
        <div className={styles.list}>
          {address.isError ? (
            <Note tone="bad" picture={warning} role="alert">
              {messages.profile.addressFailed}
            </Note>
          ) : (
            <Loading text={messages.loading} />
          )}
          <div className={styles.foot}>
            {address.isError ? (
              <Button block onClick={() => void address.refetch()}>
                {messages.tryAgain}
              </Button>
            ) : null}
            <Button block onClick={onClose}>
              {messages.close}
            </Button>
          </div>
        </div>
      )}
      <SendDeposit />
    </Panel>
  )
}
