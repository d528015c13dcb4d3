import { useState } from 'react'
import { useChain } from '#web/api/use-chain.ts'
import { solanaPayLink } from '#web/deposits/solana-pay.ts'
import { formatInput, parseAmount } from '#web/messages/amount.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { scanToPayMessages } from '#web/messages/en-scan-to-pay.ts'
import { messages } from '#web/messages/en.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { isHandheld } from '#web/wallet/wallet-apps.ts'
import styles from './deposit.module.css'
import { useCheapestPicker } from './use-cheapest-picker.ts'

/** A Solana Pay request to the player's deposit address, as a QR code and, on a phone, as a link into a wallet app. */
export function ScanToPay({ address }: { address: string }) {
  const mint = useChain()?.mint
  const { price } = useCheapestPicker()
  const [typed, setTyped] = useState<string | null>(null)
  const value = typed ?? formatInput(price)
  const amount = parseAmount(value)
  if (!mint) return <Loading text={messages.loading} />
  const { label, message } = scanToPayMessages
  const link = solanaPayLink({ recipient: address, mint, amount, label, message })
  return (
    <>
      <AmountField
        label={scanToPayMessages.amount}
        value={value}
        onChange={setTyped}
        error={amount === null && value !== '' ? depositMessages.badAmount : null}
      />
      <QrCode text={link} label={scanToPayMessages.code} />
      {isHandheld() ? (
        <a className={buttonClass({ tone: 'plum', block: true })} href={link}>
          {scanToPayMessages.open}
        </a>
      ) : null}
      <p className={styles.hint}>{scanToPayMessages.text}</p>
    </>
  )
}
