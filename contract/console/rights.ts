/**
 * What an operator may do. view: read every page. decide: approve and reject withdrawals, pause, resume, freeze, unfreeze, end
 * sessions. adjust: move credit, fund the pool, settle payouts that a restored backup had forgotten. settings: markets,
 * announcements. `view` is implied by any other right.
 */
export const RIGHTS = ['view', 'decide', 'adjust', 'settings'] as const

export type Right = (typeof RIGHTS)[number]

/** Whether an operator with these rights has this one. */
export const hasRight = (rights: readonly Right[], right: Right): boolean =>
  right === 'view' ? rights.length > 0 : rights.includes(right)
