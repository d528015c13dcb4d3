/** A mutant that no test finds: in a line of a file, the code and what replaced it, and why that is right. */
type Survivor = { file: string; line: string; from: string; to: string; why: string }

/** What tells a mutant from others. Line numbers change; long code is cut. */
export function nameOf({ file, line, from, to }: Omit<Survivor, 'why'>): string {
  const short = (code: string): string => code.replaceAll(/\s+/g, ' ').slice(0, 60)
  return `${file}: ${line} | ${short(from)} → ${short(to)}`
}

export const SURVIVORS: readonly Survivor[] = [
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
  {
    file: 'server/ledger/journal-id.ts',
    line: 'if (used === pool.length) {',
    from: 'used === pool.length',
    to: 'true',
    why: 'Equivalent but slower: each id fetches random bytes of its own.',
  },
  {
    file: 'server/ledger/ledger.ts',
    line: 'journal.entries.reduce((sum, each) => sum + each.amount, 0n) === 0n,',
    from: 'sum + each.amount',
    to: 'sum - each.amount',
    why: 'Equivalent: the negative sum is zero for the same entries.',
  },
  {
    file: 'server/ledger/ledger.ts',
    line: 'for (const account of settled) account.touched = false',
    from: 'false',
    to: 'true',
    why: 'Equivalent: a second write stores the same balance again.',
  },
  {
    file: 'server/workers/claim.ts',
    line: ': claims.flatMap((each) => each.workerType ?? [])',
    from: '[]',
    to: '["Stryker was here"]',
    why: 'A default for the type checker: every request names a type here.',
  },
  {
    file: 'server/workers/claim.ts',
    line: 'const mine = (byWallet.get(wallet) ?? []).filter(',
    from: '[]',
    to: '["Stryker was here"]',
    why: 'Equivalent: a string has no amount that could be paid.',
  },
  {
    file: 'server/workers/claim.ts',
    line: 'const paid: Paid[] = []',
    from: '[]',
    to: '["Stryker was here"]',
    why: 'Equivalent: a row without a worker updates nothing.',
  },
  {
    file: 'server/workers/claim.ts',
    line: 'const types = claims.some((each) => each.workerType === null)',
    from: 'each.workerType === null',
    to: 'true',
    why: 'Equivalent but slower: workers of all types are read and then filtered.',
  },
  {
    file: 'server/workers/claim.ts',
    line: 'if (paid.length > 0) tx.send(updateClaimed, { paid })',
    from: 'paid.length > 0',
    to: 'true',
    why: 'Equivalent but slower: a statement that updates nothing.',
  },
  {
    file: 'server/workers/claim.ts',
    line: 'if (paid.length > 0) tx.send(updateClaimed, { paid })',
    from: 'paid.length > 0',
    to: 'paid.length >= 0',
    why: 'Equivalent but slower: a statement that updates nothing.',
  },
  {
    file: 'server/workers/hire.ts',
    line: "assert(stock, 'the database has every worker type')",
    from: "assert(stock, 'the database has every worker type')",
    to: ';',
    why: 'Never fails: the api does not start on such a database.',
  },
  {
    file: 'server/workers/hire.ts',
    line: 'if (hired.length > 0) {',
    from: 'hired.length > 0',
    to: 'true',
    why: 'Equivalent but slower: two statements that change nothing.',
  },
  {
    file: 'server/workers/hire.ts',
    line: 'if (hired.length > 0) {',
    from: 'hired.length > 0',
    to: 'hired.length >= 0',
    why: 'Equivalent but slower: two statements that change nothing.',
  },
  {
    file: 'server/workers/routes.ts',
    line: '{ revalidates: true },',
    from: '{ revalidates: true }',
    to: '{}',
    why: 'Equivalent but slower: the session is read from the database before.',
  },
  {
    file: 'server/workers/routes.ts',
    line: '{ revalidates: true },',
    from: 'true',
    to: 'false',
    why: 'Equivalent but slower: the session is read from the database before.',
  },
]
