import { explainMissingOrder, type Step } from './find-order.ts'
import { type Segment, units } from './history.ts'
import { nameOperation, type Operation } from './operations.ts'

/** The id is null if no reply names it. */
type Listing = { id: string | null; seller: string; price: bigint }

type Parcel = { owner: string | null; listing: Listing | null }

type Change = { canFollow(parcel: Parcel): boolean; apply(parcel: Parcel): Parcel }

/** Each parcel has one owner at a time, who alone can list it, and each listing is sold once or cancelled. */
export function checkLand(
  { before, after }: Pick<Segment, 'before' | 'after'>,
  operations: readonly Operation[],
): string[] {
  const byParcel = Map.groupBy(operations, ({ args }) => ('parcelId' in args ? args.parcelId : null))
  byParcel.delete(null)
  const parcels = new Set([...byParcel.keys(), ...Object.keys(before.owners), ...Object.keys(after.owners)])
  return [...parcels].flatMap((parcelId) => {
    if (parcelId === null) return []
    const steps = (byParcel.get(parcelId) ?? []).map((operation): Step<Parcel> => ({
      name: nameOperation(operation),
      from: operation.from,
      to: operation.to,
      isOptional: operation.outcome === 'maybe',
      ...changeOf(operation),
    }))
    const end = readParcel(after, parcelId)
    steps.push({
      name: `the stored parcel: ${describeParcel(end)}`,
      from: after.at,
      to: after.at,
      isOptional: false,
      canFollow: ({ owner, listing }) => owner === end.owner && isSameListing(listing, end.listing),
      apply: (parcel) => parcel,
    })
    const reason = explainMissingOrder(readParcel(before, parcelId), steps, describeParcel)
    return reason ? [`The owners of ${parcelId} are wrong. ${reason}`] : []
  })
}

function changeOf(operation: Operation): Change {
  const { wallet } = operation
  switch (operation.action) {
    case 'buy-parcel':
      return { canFollow: ({ owner }) => owner === null, apply: () => ({ owner: wallet, listing: null }) }
    case 'list': {
      const price = units(operation.args.price)
      const listing = { id: operation.reply?.listingId ?? null, seller: wallet, price }
      return {
        canFollow: (parcel) => parcel.owner === wallet && parcel.listing === null,
        apply: ({ owner }) => ({ owner, listing }),
      }
    }
    case 'buy-listing': {
      const { listingId: id, seller, price } = operation.args
      const sold = { id, seller, price: units(price) }
      return {
        canFollow: ({ owner, listing }) =>
          owner === seller && listing !== null && isSameListing(listing, sold),
        apply: () => ({ owner: wallet, listing: null }),
      }
    }
    case 'cancel': {
      const { listingId: id, price } = operation.args
      const cancelled = { id, seller: wallet, price: units(price) }
      return {
        canFollow: ({ listing }) => listing !== null && isSameListing(listing, cancelled),
        apply: ({ owner }) => ({ owner, listing: null }),
      }
    }
    case 'read-owner': {
      const { reply } = operation
      return { canFollow: ({ owner }) => owner === reply?.owner, apply: (parcel) => parcel }
    }
    default:
      throw new Error(`${operation.action} changes no parcel.`)
  }
}

function isSameListing(a: Listing | null, b: Listing | null): boolean {
  if (a === null || b === null) return a === b
  return (a.id === null || b.id === null || a.id === b.id) && a.seller === b.seller && a.price === b.price
}

function readParcel({ owners, listings }: Segment['before'], parcelId: string): Parcel {
  const active = listings.find((listing) => listing.parcelId === parcelId && listing.state === 'active')
  return {
    owner: owners[parcelId] ?? null,
    listing: active ? { id: active.id, seller: active.seller, price: units(active.price) } : null,
  }
}

function describeParcel({ owner, listing }: Parcel): string {
  if (owner === null) return 'no owner'
  if (listing === null) return `owner ${owner}, not listed`
  return `owner ${owner}, listed as ${listing.id ?? 'an unknown id'} by ${listing.seller} for ${listing.price / 1_000_000n}`
}
