import * as z from 'zod/mini'
import { Announcement } from './announcements.ts'
import { Continent } from './parcels.ts'
import { get } from './route.ts'
import { Instant } from './values.ts'

export const readSite = get('/api/site', {
  summary:
    'What the operator says about this site: its links, its market and the announcements that last now.',
  reply: z.object({
    product: z.string(),
    xUrl: z.nullable(z.url()),
    tokenUrl: z.nullable(z.url()),
    /** Whether players may trade land right now. */
    marketOpen: z.boolean(),
    /** The continents whose markets are open. */
    openContinents: z.array(Continent),
    announcements: z.array(Announcement),
  }),
})

/** A part of a line. `href` is a web URL, a mail address or a path of this site. It can never run code. */
export const TextRun = z.object({ text: z.string(), strong: z.boolean(), href: z.nullable(z.string()) })

/** A heading or a paragraph has one line; a list has one line for each item. */
export const TextBlock = z.object({
  kind: z.enum(['heading', 'paragraph', 'list']),
  lines: z.array(z.array(TextRun)),
})

export const readTerms = get('/api/terms', {
  summary: 'The terms and risks of this game, as the operator wrote them.',
  reply: z.object({
    blocks: z.array(TextBlock),
    /** When the operator's file was last modified. Null for the built-in text. */
    changedAt: z.nullable(Instant),
  }),
})
