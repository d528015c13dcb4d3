import { readUser } from '#contract/account.ts'
import { readHistory } from '#contract/history.ts'
import { listParcel, purchaseListing, readListings } from '#contract/market.ts'
import { purchaseParcel, readContinentStats, readParcels } from '#contract/parcels.ts'
import {
  claimAllWorkers,
  claimWorker,
  purchaseWorker,
  readOwnedWorkers,
  readWorkerSupply,
  readWorkerTypes,
} from '#contract/workers.ts'
import { CONTINENTS } from '#game/continents.ts'
import { BUYERS } from '../parcels/buyers.ts'
import { LAND } from '../parcels/continent.ts'
import { walletOf, workerOf } from '../players.ts'
import { getRequest, postRequest } from '../requests.ts'

/** One request, and what is to be known of its answer. */
type Asked = { request: string; learn?(answer: string, status: number): void }

/** What players ask for, in so many of a hundred requests. */
export type Kind = { name: string; share: number; ask(): Asked }

const TOLD_LISTINGS = 200

/**
 * The requests of a lively evening: most of them read, a third of what is left claims. What is refused because
 * somebody else was quicker is part of it.
 */
export function eveningOf({ owners }: { owners: ReadonlyMap<string, string> }): Kind[] {
  return [
    { name: 'what everybody reads', share: 34, ask: readShared() },
    { name: 'own workers', share: 12, ask: () => read(readOwnedWorkers.path, somebody()) },
    { name: 'balance', share: 14, ask: readBalance },
    { name: 'history', share: 4, ask: () => read(`${readHistory.path}?limit=20`, somebody()) },
    { name: 'claim', share: 22, ask: claimOne },
    { name: 'claim-all', share: 4, ask: () => act(claimAllWorkers.path, somebody(), {}) },
    { name: 'hire', share: 5, ask: hireOne },
    { name: 'parcel', share: 1, ask: buyParcel },
    ...trade(owners),
  ]
}

/** Gives one kind after the other by chance, as often as their shares say. */
export function chosenFrom(kinds: readonly Kind[]): () => Kind {
  const bag = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))
  return () => oneOf(bag)
}

const oneOf = <Each>(all: readonly Each[]): Each => all[Math.floor(Math.random() * all.length)]!

const somebody = (): number => 1 + Math.floor(Math.random() * BUYERS)

/** Half of the readers have an older answer already, as browsers do. */
function readShared(): Kind['ask'] {
  const tags = new Map<string, string>()
  const paths = [
    readWorkerTypes.path,
    readWorkerSupply.path,
    readContinentStats.path,
    readListings.path,
    ...CONTINENTS.map((code) => `${readParcels.path}?regionId=${code}`),
  ]
  return () => {
    const path = oneOf(paths)
    const tag = Math.random() < 0.5 ? tags.get(path) : undefined
    const known = tag === undefined ? [] : [`if-none-match: ${tag}`]
    return {
      request: ['GET ' + path + ' HTTP/1.1', 'host: bench.test', ...known, '', ''].join('\r\n'),
      learn(answer) {
        const found = /^etag: (.*)\r$/im.exec(answer.slice(0, answer.indexOf('\r\n\r\n') + 1))?.[1]
        if (found !== undefined) tags.set(path, found)
      },
    }
  }
}

function readBalance(): Asked {
  const player = somebody()
  return read(readUser.path.replace(':address', walletOf(player)), player)
}

function claimOne(): Asked {
  const player = somebody()
  return act(claimWorker.path, player, { workerId: workerOf(player) })
}

function hireOne(): Asked {
  const player = somebody()
  return act(purchaseWorker.path, player, { workerType: 'kid', walletAddress: walletOf(player) })
}

function buyParcel(): Asked {
  const player = somebody()
  return act(purchaseParcel.path, player, { parcelId: oneOf(LAND), walletAddress: walletOf(player) })
}

/** Owners offer their land, others buy it. */
function trade(owners: ReadonlyMap<string, string>): Kind[] {
  const players = new Map(Array.from({ length: BUYERS }, (_, at) => [walletOf(at + 1), at + 1]))
  const quiet = [...owners].map(([parcelId, wallet]) => ({ parcelId, player: players.get(wallet)! }))
  const offered: { listingId: string; parcelId: string; seller: number }[] = []
  const offer = (): Asked => {
    const [land] = quiet.splice(Math.floor(Math.random() * quiet.length), 1)
    // All land is on the market: the same question, and it is refused.
    const { parcelId, player } = land ?? { parcelId: LAND[0]!, player: somebody() }
    return act(
      listParcel.path,
      player,
      { parcelId, price: 1_000, walletAddress: walletOf(player) },
      (answer, status) => {
        const listingId = /"id":"([^"]+)"/.exec(answer)?.[1]
        if (status === 200 && listingId !== undefined) offered.push({ listingId, parcelId, seller: player })
        else if (land) quiet.push(land)
      },
    )
  }
  const buy = (): Asked => {
    const some = offered.splice(0, 1)[0]
    if (!some) return offer()
    let player = somebody()
    // Nobody buys from themselves.
    while (player === some.seller) player = somebody()
    const asked = { listingId: some.listingId, walletAddress: walletOf(player) }
    return act(purchaseListing.path, player, asked, (_answer, status) => {
      if (status === 200) quiet.push({ parcelId: some.parcelId, player })
      else offered.push(some)
    })
  }
  return [
    { name: 'offer on the market', share: 2, ask: () => (offered.length < TOLD_LISTINGS ? offer() : buy()) },
    { name: 'purchase on the market', share: 2, ask: buy },
  ]
}

const read = (path: string, player: number): Asked => ({ request: getRequest(path, player) })

const act = (path: string, player: number, asked: object, learn?: Asked['learn']): Asked => ({
  request: postRequest(path, player, asked),
  ...(learn ? { learn } : {}),
})
