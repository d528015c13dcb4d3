import type { FastifyInstance } from 'fastify'
import { CONTINENTS } from '#game/continents.ts'
import { type AnnouncementView, openAnnouncementView } from '#server/announcements/announcement-view.ts'
import { type ListingView, openListingView } from '#server/market/listing-view.ts'
import type { Market } from '#server/market/market-mode.ts'
import { channelOf, type LandView, openLandView } from '#server/parcels/land-view.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { callerKeyOf } from '#server/platform/http/caller-address.ts'
import type { Log } from '#server/platform/log.ts'
import { type Changes, openChanges, type ChangeSource } from '#server/realtime/changes.ts'
import { type Channel, serveSockets } from '#server/realtime/sockets.ts'
import { openSupplyView, type SupplyView } from '#server/workers/supply-view.ts'

/** The state that all players see: the views that serve requests, and the changes that go to the sockets. */
export type WorldState = {
  land: LandView
  supply: SupplyView
  listings: ListingView
  announcements: AnnouncementView
  changes: Changes
}

type WorldStateOptions = {
  db: Db
  clock: Clock
  market: Market
  publicUrl: string
  log: Log
  /** The database over which processes exchange changes; null for a single process. */
  busDatabaseUrl: string | null
}

/**
 * Opens the views of the world and connects them to the sockets of an HTTP server and to the other processes, until the
 * server closes.
 */
export async function openWorldState(app: FastifyInstance, options: WorldStateOptions): Promise<WorldState> {
  const { db, market } = options
  const [land, supply, listings, announcements] = await Promise.all([
    openLandView(db),
    openSupplyView(db),
    openListingView(db, market),
    openAnnouncementView(options),
  ])
  const sockets = serveSockets(app.server, {
    ...options,
    ...app.socketLimits,
    callerOf: (request) => callerKeyOf(app.callerOf(request)),
    channels: createChannels({ land, supply, listings, announcements }),
  })
  const sources = new Map<string, ChangeSource>([
    ['land', land],
    ['supply', supply],
    ['market', listings],
    ['announcements', announcements],
  ])
  const changes = openChanges({ ...options, sources, announce: sockets.announce })
  app.moveSockets = sockets.move
  // The server waits for its connections to end. Sockets must be closed here.
  app.addHook('preClose', () => sockets.close())
  // After the last request, so that its change is still published.
  app.addHook('onClose', () => changes.stop())
  return { land, supply, listings, announcements, changes }
}

function createChannels({
  land,
  supply,
  listings,
  announcements,
}: Omit<WorldState, 'changes'>): Map<string, Channel> {
  const toEveryone = (frame: () => Buffer): Channel => ({
    audience: 'everyone',
    snapshot: () => [frame()],
    changeFrames: () => [frame()],
  })
  const ofContinents = CONTINENTS.map((code): [string, Channel] => [
    channelOf(code),
    {
      audience: 'subscribers',
      snapshot: () => [land.statusFrame(code)],
      changeFrames: () => [land.statusFrame(code), land.updateFrame(code)],
    },
  ])
  return new Map([
    ['prices', toEveryone(land.pricesFrame)],
    ['supply', toEveryone(supply.frame)],
    ['market', toEveryone(listings.frame)],
    ['announcements', toEveryone(announcements.frame)],
    ...ofContinents,
  ])
}
