import type { ReactNode } from 'react'
import { baseUnits, type Cotton, formatCotton } from '#game/cotton.ts'
import { largestDeposit } from '#web/deposits/suggest-deposit.ts'
import { formatInput } from '#web/messages/amount.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { classNames } from '#web/ui/class-names.ts'
import styles from './deposit.module.css'
import { useCheapestPicker } from './use-cheapest-picker.ts'

const COUNTS = [1, 5]

type QuickAmountsProps = {
  amount: Cotton | null
  inWallet: Cotton | undefined
  disabled: boolean
  onChoose: (value: string) => void
}

/** Amounts that buy a number of pickers, and the whole wallet. */
export function QuickAmounts({ amount, inWallet, disabled, onChoose }: QuickAmountsProps) {
  const picker = useCheapestPicker()
  const { price } = picker
  const most = inWallet && largestDeposit(inWallet)
  return (
    <fieldset className={styles.quick}>
      <legend className="vh">{depositMessages.quick}</legend>
      {COUNTS.map((count) => {
        const cost = baseUnits(price * BigInt(count))
        return (
          <Chip
            key={count}
            chosen={amount === cost}
            disabled={disabled || (inWallet !== undefined && inWallet < cost)}
            onClick={() => onChoose(formatInput(cost))}
          >
            {depositMessages.quickPickers(count, picker)} <small>{formatCotton(cost)}</small>
          </Chip>
        )
      })}
      <Chip
        chosen={most !== undefined && amount === most}
        disabled={disabled || !most}
        onClick={() => most && onChoose(formatInput(most))}
      >
        {depositMessages.max}
      </Chip>
    </fieldset>
  )
}

type ChipProps = { chosen: boolean; disabled: boolean; onClick: () => void; children: ReactNode }

function Chip({ chosen, children, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      className={classNames(styles.chip, chosen && styles.chosen)}
      aria-pressed={chosen}
      {...rest}
    >
      {children}
    </button>
  )
}
