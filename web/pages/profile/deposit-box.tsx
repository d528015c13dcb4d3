import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useSendDeposit } from '#web/deposits/use-send-deposit.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { Panel } from '#web/ui/frame.tsx'
import { DepositAddress } from './deposit-address.tsx'
import { DepositArrived } from './deposit-arrived.tsx'
import { SendDeposit } from './send-deposit.tsx'

/** A deposit: from the connected wallet first, and below it the address for any other wallet. */
export function DepositBox({ onClose }: { onClose: () => void }) {
  const { deposit, dismiss } = useSendDeposit()
  const location = useLocation()
  // Again whenever a link or button leads here. The skip link leads elsewhere.
  useEffect(() => {
    if (location.hash !== '') return
    const title = document.getElementById('deposit-title')
    title?.scrollIntoView({ block: 'start' })
    title?.focus({ preventScroll: true })
  }, [location])

  return (
    <Panel title={depositMessages.title} id="deposit">
      {deposit.step === 'arrived' ? (
        <DepositArrived amount={deposit.amount} onMore={dismiss} />
      ) : (
        <SendDeposit />
      )}
      <DepositAddress onClose={onClose} />
    </Panel>
  )
}
