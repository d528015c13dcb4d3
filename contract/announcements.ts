import * as z from 'zod/mini'
import { Instant } from './values.ts'

/** What the operator tells everybody for a while. */
export const Announcement = z.object({ id: z.string(), text: z.string(), until: Instant })
export type Announcement = z.output<typeof Announcement>
