import type { Wallet } from '@wallet-standard/base'
import Drawing from 'lucide-react/icons/wallet'
import { useState } from 'react'

type WalletIconProps = Pick<Wallet, 'icon'> & { size: number; className?: string }

/** The icon that a wallet brings along, or a drawing if it has none that can be shown. */
export function WalletIcon({ icon, size, className }: WalletIconProps) {
  const [broken, setBroken] = useState(!icon.startsWith('data:image/'))
  if (broken) return <Drawing className={className} aria-hidden="true" />
  return (
    <img className={className} src={icon} width={size} height={size} alt="" onError={() => setBroken(true)} />
  )
}
