import * as z from 'zod/mini'
import { Continent } from '#contract/parcels.ts'
import { Instant, Success, WorkerTypeName } from '#contract/values.ts'
import { act, read } from './route.ts'
import { Cursor, Exact, pageOf, Reason } from './values.ts'

export const readWorld = read('/api/console/world', {
  summary: 'What the game offers: supply, prices, land that is not for sale, and markets.',
  right: 'view',
  query: z.strictObject({}),
  reply: z.object({
    workers: z.array(
      z.object({
        type: WorkerTypeName,
        name: z.string(),
        price: Exact,
        ratePerHour: z.int(),
        maxSupply: z.int(),
        sold: z.int(),
      }),
    ),
    continents: z.array(
      z.object({
        code: Continent,
        name: z.string(),
        startPrice: Exact,
        price: Exact,
        owned: z.int(),
        /** Parcels that the game offers: all but the excluded ones. */
        offered: z.int(),
        excluded: z.array(z.string()),
        marketOpen: z.boolean(),
        /** Whether an operator has opened the market before `auto` does. */
        openedEarly: z.boolean(),
        activeListings: z.int(),
      }),
    ),
    /** The setting MARKET_MODE. */
    marketMode: z.enum(['auto', 'open', 'closed']),
  }),
})

export const AnnouncementView = z.object({
  id: z.string(),
  text: z.string(),
  startsAt: Instant,
  endsAt: Instant,
  /** `hidden` while five newer ones are shown. */
  state: z.enum(['coming', 'shown', 'hidden', 'over']),
  createdAt: Instant,
  createdBy: z.string(),
})

export const listAnnouncements = read('/api/console/announcements', {
  summary: 'Announcements in the game, newest first.',
  right: 'view',
  query: z.strictObject({ cursor: z.optional(Cursor) }),
  reply: pageOf(AnnouncementView),
})

/** An instant that the database can store. */
const AnnouncedAt = Instant.check(z.refine((at) => at >= '2020-01-01' && at < '2200', 'is out of range'))

export const announce = act('/api/console/announcements', {
  summary: 'Shows a text to every player between two times.',
  right: 'settings',
  body: z.strictObject({ text: Reason, startsAt: AnnouncedAt, endsAt: AnnouncedAt }),
  reply: z.object({ success: Success, outcome: z.string(), id: z.string() }),
  refuses: ['act_refused'],
})

export const endAnnouncement = act('/api/console/announcements/end', {
  summary: 'Ends an announcement now.',
  right: 'settings',
  body: z.strictObject({ id: z.uuid(), reason: Reason }),
  reply: z.object({ success: Success, outcome: z.string() }),
  refuses: ['announcement_not_found'],
})
