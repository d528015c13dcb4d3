import * as z from 'zod/mini'
import { Instant } from './values.ts'

/** A text of the operator that everybody in the game reads until it ends. */
export const Announcement = z.object({ id: z.string(), text: z.string(), until: Instant })
export type Announcement = z.output<typeof Announcement>
