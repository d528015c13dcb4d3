import * as z from 'zod/mini'
import { Announcement } from './announcements.ts'
import { Continent } from './parcels.ts'
import { CottonOnWire, Wallet } from './values.ts'
import { WorkerTypeOnWire } from './workers.ts'

/** The version of the messages below. A test compares a hash of their schemas with this version. */
export const REALTIME_VERSION = 4

/** A topic: the changes of one continent. */
const Topic = z.templateLiteral(['continent:', Continent])

/** The largest frame that the server reads, in bytes. */
export const LARGEST_FRAME_BYTES = 4_096

/** Messages from the client. A repeated subscribe sends the snapshot of the topic again. */
export const ClientMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('subscribe'), topic: Topic }),
  z.strictObject({ type: z.literal('unsubscribe'), topic: Topic }),
])

const frame = <Type extends string, Data extends z.ZodMiniType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), data })

/**
 * Messages from the server. `parcelStatus` and `parcelUpdate` go to the subscribers of the continent, an `error` to the socket
 * that caused it, and all others to every socket. Each carries the full state, or says that there is a newer one, so lost and
 * repeated frames are harmless. A client applies a state only if its version is newer than those of the same connection.
 */
export const ServerMessageSchema = z.discriminatedUnion('type', [
  frame(
    'continentPrices',
    z.array(z.object({ continentCode: Continent, currentPrice: CottonOnWire, version: z.int() })),
  ),
  frame(
    'parcelStatus',
    z.object({
      continentCode: Continent,
      total: z.int(),
      owned: z.int(),
      parcels: z.array(
        z.object({ parcelId: z.string(), owned: z.boolean(), ownerWallet: z.nullable(Wallet) }),
      ),
      version: z.int(),
    }),
  ),
  frame('parcelUpdate', z.object({ regionId: Continent, version: z.int() })),
  frame('workerUpdate', z.partialRecord(z.string(), WorkerTypeOnWire)),
  frame(
    'listingUpdate',
    z.object({ open: z.boolean(), openContinents: z.array(Continent), active: z.int() }),
  ),
  frame('announcements', z.array(Announcement)),
  frame('error', z.object({ code: z.enum(['malformed', 'topic_unknown', 'too_fast']), message: z.string() })),
])

export type ServerMessage = z.output<typeof ServerMessageSchema>
export type ClientMessage = z.output<typeof ClientMessageSchema>
