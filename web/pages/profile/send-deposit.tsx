import { type FormEvent, useState } from 'react'
import { type Cotton, cotton, LARGEST_REQUEST, smallerOf, ZERO, formatExact } from '#game/cotton.ts'
import { useWalletBalance } from '#web/api/use-wallet-balance.ts'
import hourglass from '#web/art/icons/hourglass.webp'
import { AmountField } from '#web/ui/amount-field.tsx'
import { formatInput, formatAmount, parseAmount } from '#web/messages/amount.ts'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { messages } from '#web/messages/en.ts'
import styles from './profile.module.css'
import { useSendDeposit } from './use-send-deposit.ts'

/** The form for a deposit from the connected wallet. */
export function SendDeposit() {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { data: inWallet, refetch } = useWalletBalance()
  const { send, step, resting, waitingFor, slow } = useSendDeposit(() => setTyped(''))

  const validateAmount = async (amount: Cotton | null): Promise<string | null> => {
    if (amount === null) return messages.deposit.badAmount
    if (inWallet === undefined || amount <= inWallet) return null
    // The wallet may have received tokens since its balance was read.
    const { data: walletBalance = amount } = await refetch()
    return amount > walletBalance ? messages.deposit.tooMuch(formatAmount(walletBalance)) : null
  }

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const amount = parseAmount(typed)
    const problem = await validateAmount(amount)
    setProblem(problem)
    if (amount !== null && problem === null) send(amount)
  }

  const label = {
    idle: messages.deposit.send,
    preparing: messages.deposit.preparing,
    signing: messages.deposit.signing,
    sending: messages.deposit.sending,
  }[step]
  return (
    <div className={styles.fromWallet}>
      <form className={styles.fromWalletIn} onSubmit={(event) => void submit(event)} noValidate>
        <p className={styles.strong}>{messages.deposit.fromWallet}</p>
        <AmountField
          label={messages.deposit.amount}
          value={typed}
          onChange={setTyped}
          error={problem}
          disabled={step !== 'idle'}
        >
          <Button
            size="sm"
            disabled={!inWallet || step !== 'idle'}
            onClick={() => setTyped(formatInput(smallerOf(inWallet ?? ZERO, cotton(LARGEST_REQUEST))))}
          >
            {messages.withdraw.max}
          </Button>
        </AmountField>
        {inWallet === undefined ? null : (
          <p className={styles.inWallet}>{messages.deposit.inWallet(formatAmount(inWallet))}</p>
        )}
        <Button type="submit" tone="sun" block busy={step !== 'idle'} resting={resting}>
          {label}
        </Button>
      </form>
      <output className={styles.output}>
        {waitingFor === null ? null : (
          <Note tone="info" picture={hourglass} className={styles.split}>
            {slow ? messages.deposit.slow : messages.deposit.waiting(formatExact(waitingFor))}
          </Note>
        )}
      </output>
    </div>
  )
}
