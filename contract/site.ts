import * as z from 'zod/mini'
import { get } from './route.ts'

export const readSite = get('/api/site', {
  summary: 'What the operator set for this site: its links and its market.',
  reply: z.object({
    product: z.string(),
    xUrl: z.nullable(z.url()),
    tokenUrl: z.nullable(z.url()),
    /** Whether players may trade land right now. */
    marketOpen: z.boolean(),
  }),
})
