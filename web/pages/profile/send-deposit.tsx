import { type FormEvent, useState } from 'react'
import { LARGEST_REQUEST } from '#game/cotton.ts'
import { useWalletBalance } from '#web/api/use-wallet-balance.ts'
import hourglass from '#web/art/icons/hourglass.webp'
import { AmountField } from '#web/ui/amount-field.tsx'
import { asTyped, exact, shownOrExact, typedAmount } from '#web/messages/amount.ts'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { words } from '#web/messages/en.ts'
import styles from './profile.module.css'
import { useSendDeposit } from './use-send-deposit.ts'

/** A deposit without leaving the game: an amount, a signature in the wallet, and the wait for the chain. */
export function SendDeposit() {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { data: inWallet, refetch } = useWalletBalance()
  const { send, step, resting, waitingFor, slow } = useSendDeposit(() => setTyped(''))

  const problemWith = async (amount: number | null): Promise<string | null> => {
    if (amount === null) return words.deposit.badAmount
    if (inWallet === undefined || amount <= inWallet) return null
    // Tokens may have come since the wallet was last looked into.
    const { data: held = amount } = await refetch()
    return amount > held ? words.deposit.tooMuch(shownOrExact(held)) : null
  }

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const amount = typedAmount(typed)
    const problem = await problemWith(amount)
    setProblem(problem)
    if (amount !== null && problem === null) send(amount)
  }

  const label = {
    idle: words.deposit.send,
    preparing: words.deposit.preparing,
    signing: words.deposit.signing,
    sending: words.deposit.sending,
  }[step]
  return (
    <div className={styles.fromWallet}>
      <form className={styles.fromWalletIn} onSubmit={(event) => void submit(event)} noValidate>
        <p className={styles.strong}>{words.deposit.fromWallet}</p>
        <AmountField
          label={words.deposit.amount}
          value={typed}
          onChange={setTyped}
          error={problem}
          disabled={step !== 'idle'}
        >
          <Button
            size="sm"
            disabled={!inWallet || step !== 'idle'}
            onClick={() => setTyped(asTyped(Math.min(inWallet ?? 0, LARGEST_REQUEST)))}
          >
            {words.withdraw.max}
          </Button>
        </AmountField>
        {inWallet === undefined ? null : (
          <p className={styles.inWallet}>{words.deposit.inWallet(shownOrExact(inWallet))}</p>
        )}
        <Button type="submit" tone="sun" block busy={step !== 'idle'} resting={resting}>
          {label}
        </Button>
      </form>
      <output className={styles.output}>
        {waitingFor === null ? null : (
          <Note tone="info" picture={hourglass} className={styles.split}>
            {slow ? words.deposit.slow : words.deposit.waiting(exact(waitingFor))}
          </Note>
        )}
      </output>
    </div>
  )
}
