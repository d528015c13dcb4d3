import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { sumOf } from '#game/cotton.ts'
import { useSession } from '#web/api/session.ts'
import { type Listing, useMyListings } from '#web/land/use-listings.ts'
import { playEffect } from '#web/audio/sound.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { useIsHidden } from '#web/ui/use-is-hidden.ts'
import { awayMessages } from '#web/messages/en-away.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { findNewlySold } from './find-newly-sold.ts'
import { findAbsenceStart } from './last-seen.ts'

const SOLD_MS = 8_000

/** More names than these do not fit a toast. */
const MAX_NAMES = 3

/** Notifies a seller on any page that listings were sold. */
export function SaleNotifier() {
  const client = useQueryClient()
  const { walletAddress } = useSession()
  const { data: listings } = useMyListings()
  const before = useRef<readonly Listing[]>(undefined)
  const isHidden = useIsHidden()

  useEffect(() => {
    // What is sold in the background is reported in one toast when the player is back.
    if (isHidden || walletAddress === null) return
    const sold = findNewlySold(before.current, listings)
    before.current = listings
    if (sold.length === 0) return
    void client.invalidateQueries({ queryKey: ['user', walletAddress] })
    // The summary of an absence lists what was sold.
    if (findAbsenceStart(walletAddress, Date.now()) !== null) return
    playEffect('sold')
    // One toast for all of them: the newest hides those before it.
    const text = soldText(sold)
    showToast({ kind: 'success', title: marketMessages.soldTitle, text, durationMs: SOLD_MS })
  }, [client, isHidden, listings, walletAddress])
  return null
}

function soldText(sold: readonly Listing[]): string {
  const names = sold.map(({ countryName }) => countryName)
  const shownNames = awayMessages.soldText(names.slice(0, MAX_NAMES), Math.max(0, names.length - MAX_NAMES))
  const amounts = sold.map(({ sellerReceives }) => sellerReceives)
  const amount = amounts.every((each) => each !== null) ? sumOf(amounts) : null
  return marketMessages.sold(shownNames, names.length, amount)
}
