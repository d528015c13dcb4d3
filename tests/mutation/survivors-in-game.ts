import type { Survivor } from './survivor.ts'

export const SURVIVORS_IN_GAME: readonly Survivor[] = [
  {
    file: 'game/cotton.ts',
    line: "const [, whole = '', fraction = ''] = digits",
    from: "''",
    to: '"Stryker was here!"',
    why: 'A default for the type checker: the group always matches.',
  },
  {
    file: 'game/cotton.ts',
    line: 'const size = amount < 0n ? -amount : amount',
    from: 'amount < 0n',
    to: 'amount <= 0n',
    why: 'Equivalent: -0n is 0n.',
  },
  {
    file: 'game/cotton.ts',
    line: 'return a < b ? a : b',
    from: 'a < b',
    to: 'a <= b',
    why: 'Equivalent: the two are equal.',
  },
  {
    file: 'game/credit.ts',
    line: 'earned: smallerOf(balances.earned, budgetLeft > 0n ? budgetLeft : ZERO),',
    from: 'budgetLeft > 0n',
    to: 'budgetLeft >= 0n',
    why: 'Equivalent: both give zero.',
  },
  {
    file: 'game/credit.ts',
    line: 'return left > 0n ? left : ZERO',
    from: 'left > 0n',
    to: 'left >= 0n',
    why: 'Equivalent: both give zero.',
  },
  {
    file: 'game/milestones.ts',
    line: 'return have >= need ? 1 : Number((have * 10_000n) / need) / 10_000',
    from: 'have >= need',
    to: 'have > need',
    why: 'Equivalent: if the two are equal, the division gives 1 as well.',
  },
  {
    file: 'game/next-hire.ts',
    line: "const workerType = WORKER_TYPES.find((type) => (missing[type] ?? 0) > 0) ?? 'kid'",
    from: "'kid'",
    to: '""',
    why: 'A default for the type checker: a milestone that is not reached misses workers.',
  },
  {
    file: 'game/workers.ts',
    line: 'return open > 0n ? wholeOf(open) : ZERO',
    from: 'open > 0n',
    to: 'open >= 0n',
    why: 'Equivalent: both give zero.',
  },
  {
    file: 'game/world.ts',
    line: 'if (!whole) return []',
    from: '[]',
    to: '["Stryker was here"]',
    why: 'Never happens: the table has Antarctica.',
  },
  {
    file: 'game/world.ts',
    line: 'if (!whole) return []',
    from: '!whole',
    to: 'false',
    why: 'Never happens: the table has Antarctica.',
  },
]
