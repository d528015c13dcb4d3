/**
 * What an operator may do. view: read every page. decide: approve and reject withdrawals, pause, freeze, end sessions.
 * adjust: move credit, fund the pool. settings: markets, announcements. `view` is implied by any other right.
 */
export const RIGHTS = ['view', 'decide', 'adjust', 'settings'] as const

export type Right = (typeof RIGHTS)[number]

/** Whether an operator with these rights has this one. */
export const hasRight = (rights: readonly Right[], right: Right): boolean =>
  right === 'view' ? rights.length > 0 : rights.includes(right)
