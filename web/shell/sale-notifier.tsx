import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSession } from '#web/api/session.ts'
import { type Listing, useMyListings } from '#web/land/use-listings.ts'
import { playEffect } from '#web/audio/sound.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { marketMessages } from '#web/messages/en-market.ts'
import { findNewlySold } from './find-newly-sold.ts'

const SOLD_MS = 8_000

/** Notifies a seller on any page that a listing was sold. */
export function SaleNotifier() {
  const client = useQueryClient()
  const { walletAddress } = useSession()
  const { data: listings } = useMyListings()
  const before = useRef<readonly Listing[]>(undefined)

  useEffect(() => {
    const sold = findNewlySold(before.current, listings)
    before.current = listings
    if (sold.length === 0) return
    playEffect('sold')
    for (const { countryName, sellerReceives } of sold) {
      const text = marketMessages.sold(countryName, sellerReceives)
      showToast({ kind: 'success', title: marketMessages.soldTitle, text, durationMs: SOLD_MS })
    }
    void client.invalidateQueries({ queryKey: ['user', walletAddress] })
  }, [client, listings, walletAddress])
  return null
}
