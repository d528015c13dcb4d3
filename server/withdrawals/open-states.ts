import type { WithdrawalState } from './read-withdrawals.ts'

/** The states of a withdrawal that is neither paid nor refunded, in their order. */
export const OPEN_STATES = ['requested', 'review', 'approved', 'signed', 'sent'] as const

const openStates = new Set<WithdrawalState>(OPEN_STATES)

/** Whether a withdrawal in this state is neither paid nor refunded. */
export const isOpen = (state: WithdrawalState): boolean => openStates.has(state)
