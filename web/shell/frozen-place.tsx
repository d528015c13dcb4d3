import { type ComponentType, useEffect, useState } from 'react'
import { useStore } from '#web/store.ts'
import { walletFreeze, type WalletFreeze } from '#web/wallet-freeze.ts'

/** Where a frozen player reads why. The place is a live region from the start; the note is loaded for frozen players only. */
export function FrozenPlace({ className }: { className?: string }) {
  const freeze = useStore(walletFreeze)
  const isFrozen = freeze !== null
  const [Loaded, setLoaded] = useState<ComponentType<WalletFreeze>>()
  useEffect(() => {
    // Without a network the next page that loads in full shows it. A refused action says the reason, too.
    if (isFrozen)
      import('./frozen-note.tsx').then(
        (module) => setLoaded(() => module.FrozenNote),
        () => {},
      )
  }, [isFrozen])
  return <output className={className}>{freeze && Loaded ? <Loaded {...freeze} /> : null}</output>
}
