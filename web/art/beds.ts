import bed0 from './bed-0.svg'
import bed1 from './bed-1.svg'
import bed2 from './bed-2.svg'

/** A field without cotton, with some cotton, and ripe. */
export const beds = [bed0, bed1, bed2] as const
