import type { Survivor } from './survivor.ts'

export const SURVIVORS_IN_WITHDRAWALS: readonly Survivor[] = [
  {
    file: 'server/withdrawals/request-withdrawal.ts',
    line: 'needBudget.length > 0 ? await readWalletsWithoutDeposit(tx, needBudget) : new Set<string>()',
    from: 'needBudget.length > 0',
    to: 'true',
    why: 'Equivalent but slower: of no wallets none is found.',
  },
  {
    file: 'server/withdrawals/request-withdrawal.ts',
    line: 'needBudget.length > 0 ? await readWalletsWithoutDeposit(tx, needBudget) : new Set<string>()',
    from: 'needBudget.length > 0',
    to: 'needBudget.length >= 0',
    why: 'Equivalent but slower: of no wallets none is found.',
  },
  {
    file: 'server/withdrawals/request-withdrawal.ts',
    line: 'if (newWithdrawals.length === 0) return',
    from: 'newWithdrawals.length === 0',
    to: 'false',
    why: 'Equivalent but slower: two statements that change nothing.',
  },
  {
    file: 'server/withdrawals/reward-day.ts',
    line: 'if (amount === ZERO) return',
    from: 'amount === ZERO',
    to: 'false',
    why: 'Equivalent but slower: two statements that subtract zero.',
  },
  {
    file: 'server/withdrawals/withdrawal-lock.ts',
    line: 'if (nextHours === null || nextAt === null) return { hours, next: null }',
    from: 'nextHours === null || nextAt === null',
    to: 'nextHours === null && nextAt === null',
    why: 'Equivalent: the table requires both or neither.',
  },
  {
    file: 'server/withdrawals/withdrawal-lock.ts',
    line: 'if (nextHours === null || nextAt === null) return { hours, next: null }',
    from: 'nextHours === null',
    to: 'false',
    why: 'Equivalent: the table requires both or neither.',
  },
  {
    file: 'server/withdrawals/withdrawal-lock.ts',
    line: 'if (nextHours === null || nextAt === null) return { hours, next: null }',
    from: 'nextAt === null',
    to: 'false',
    why: 'Equivalent: the table requires both or neither.',
  },
  {
    file: 'server/withdrawals/withdrawal-lock.ts',
    line: 'if (changed.length > 0) tx.send(writeLocks, { changed })',
    from: 'changed.length > 0',
    to: 'true',
    why: 'Equivalent but slower: a statement that changes nothing.',
  },
  {
    file: 'server/withdrawals/withdrawal-lock.ts',
    line: 'if (changed.length > 0) tx.send(writeLocks, { changed })',
    from: 'changed.length > 0',
    to: 'changed.length >= 0',
    why: 'Equivalent but slower: a statement that changes nothing.',
  },
  {
    file: 'server/withdrawals/open-withdrawals.ts',
    line: 'first === undefined ? null : WITHDRAWAL_REASONS[first]',
    from: 'first === undefined',
    to: 'false',
    why: 'Equivalent: without a reason the text is undefined, which is stored as null.',
  },
]
