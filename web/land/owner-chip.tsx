import Crown from 'lucide-react/icons/crown'
import Sprout from 'lucide-react/icons/sprout'
import User from 'lucide-react/icons/user'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { landMessages } from '#web/messages/en-land.ts'
import type { LandState } from './land-state.ts'
import styles from './owner-chip.module.css'

/** The owner of a parcel: `Free`, `You`, or the short address of the player. */
const ownerOf = ({ ownerWallet }: Pick<LandParcel, 'ownerWallet'>, state: LandState): string => {
  if (state === 'available') return landMessages.owners.free
  if (state === 'mine') return landMessages.owners.you
  return ownerWallet ? shortAddress(ownerWallet) : landMessages.states.owned
}

const PICTURES = { available: Sprout, owned: User, mine: Crown }

type OwnerChipProps = { parcel: Pick<LandParcel, 'ownerWallet'>; state: LandState }

export function OwnerChip({ parcel, state }: OwnerChipProps) {
  const Picture = PICTURES[state]
  return (
    <span className={styles.owner}>
      <Picture aria-hidden="true" />
      <span>{ownerOf(parcel, state)}</span>
    </span>
  )
}
