import * as z from 'zod/mini'
import { Continent } from './parcels.ts'
import { get } from './route.ts'
import { Instant } from './values.ts'

export const readSite = get('/api/site', {
  summary: 'What the operator set for this site: its links and its market.',
  reply: z.object({
    product: z.string(),
    xUrl: z.nullable(z.url()),
    tokenUrl: z.nullable(z.url()),
    /** Whether players may trade land right now. */
    marketOpen: z.boolean(),
    /** On which continents. */
    openContinents: z.array(Continent),
  }),
})

/** A piece of a line. `href` is a web address, a mail address or a path of this site; never anything that runs. */
export const TextRun = z.object({ text: z.string(), strong: z.boolean(), href: z.nullable(z.string()) })

/** A heading and a paragraph have one line; a list has one for each item. */
export const TextBlock = z.object({
  kind: z.enum(['heading', 'paragraph', 'list']),
  lines: z.array(z.array(TextRun)),
})

export const readTerms = get('/api/terms', {
  summary: 'The terms and risks of this game, as the operator wrote them.',
  reply: z.object({
    blocks: z.array(TextBlock),
    /** When the operator's file changed last; null for the text that the game brings along. */
    changedAt: z.nullable(Instant),
  }),
})
