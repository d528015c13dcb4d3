import { type FormEvent, useId, useRef, useState } from 'react'
import type { Cotton } from '#game/cotton.ts'
import { session } from '#web/api/session.ts'
import { useWalletBalance } from '#web/api/use-wallet-balance.ts'
import { isRunning } from '#web/deposits/deposit-state.ts'
import { useSendDeposit } from '#web/deposits/use-send-deposit.ts'
import { formatAmount, formatInput, parseAmount } from '#web/messages/amount.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './deposit.module.css'
import { DepositProgress } from './deposit-progress.tsx'
import { QuickAmounts } from './quick-amounts.tsx'
import { useSuggestedDeposit } from './use-suggested-deposit.ts'
import { WalletToGame } from './wallet-to-game.tsx'

/**
 * The form for a deposit from the connected wallet. It starts with an amount that the player can change. After a deposit
 * that failed or was cancelled that is the one that was tried.
 */
export function SendDeposit() {
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)
  const wallet = useWalletBalance({ often: true })
  const suggested = useSuggestedDeposit(wallet.data)
  const { send, deposit, resting, dismiss, cancel } = useSendDeposit()
  const sendButtonId = useId()
  const busy = isRunning(deposit) && !(deposit.step === 'waiting' && deposit.slow)
  const tried = deposit.step === 'idle' ? null : deposit.amount
  const wasTried = deposit.step === 'failed' || deposit.step === 'cancelled'
  const start = wasTried ? tried : (suggested ?? null)
  const value = busy ? formatInput(tried) : (typed ?? formatInput(start))
  const amount = parseAmount(value)
  // Counts the changes of the amount.
  const changes = useRef(0)

  const change = (next: string): void => {
    changes.current += 1
    setTyped(next)
    setProblem(null)
    setReading(false)
    if (wasTried) dismiss()
  }
  const validateAmount = async (amount: Cotton | null): Promise<string | null> => {
    if (amount === null) return depositMessages.badAmount
    if (wallet.data === undefined || amount <= wallet.data) return null
    // The wallet may have received tokens since its balance was read.
    setReading(true)
    const { data: inWallet = amount } = await wallet.refetch()
    return amount > inWallet ? depositMessages.tooMuch(formatAmount(inWallet)) : null
  }
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    const { walletAddress } = session.get()
    const before = changes.current
    // The same error is announced again.
    setProblem(null)
    const found = await validateAmount(amount)
    // While the wallet was read, the player has entered another amount.
    if (before !== changes.current) return
    setReading(false)
    // Or has closed the form, or another one has logged in.
    if (!form.isConnected || session.get().walletAddress !== walletAddress) return
    setProblem(found)
    if (amount === null || found !== null) return
    // Also after Enter in the field, which is disabled from now on.
    document.getElementById(sendButtonId)?.focus({ preventScroll: true })
    send(amount)
    setTyped(null)
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <WalletToGame inWallet={wallet.data} failed={wallet.isError} />
      <QuickAmounts amount={amount} inWallet={wallet.data} disabled={busy} onChoose={change} />
      <AmountField
        label={depositMessages.amount}
        value={value}
        onChange={change}
        error={problem}
        disabled={busy}
      />
      <Button type="submit" id={sendButtonId} tone="sun" block busy={busy || isReading} resting={resting}>
        {busy
          ? depositMessages.steps[deposit.step]
          : isReading
            ? depositMessages.reading
            : depositMessages.send(amount)}
      </Button>
      <DepositProgress deposit={deposit} onCancel={cancel} sendButtonId={sendButtonId} />
    </form>
  )
}
