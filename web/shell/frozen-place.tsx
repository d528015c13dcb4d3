import { useStore } from '#web/store.ts'
import { LoadedPart } from '#web/ui/loaded-part.tsx'
import { walletFreeze } from '#web/wallet-freeze.ts'

const loadNote = () => import('./frozen-note.tsx').then((module) => module.FrozenNote)

/**
 * Where a frozen player reads why. The place is a live region from the start; the note is loaded for frozen players only. A refused
 * action says the reason, too.
 */
export function FrozenPlace({ className }: { className?: string }) {
  const freeze = useStore(walletFreeze)
  return (
    <output className={className}>
      <LoadedPart load={loadNote} props={freeze} />
    </output>
  )
}
