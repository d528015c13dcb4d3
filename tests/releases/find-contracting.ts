/** What the program of the release before may still use. */
const CONTRACTS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\bdrop\s+(table|column|view|type|function|schema)\b/, 'drops something'],
  [/\balter\s+table\s+\S+\s+(drop|rename)\b/, 'drops or renames something'],
  [/\brename\s+(to|column|value)\b/, 'renames something'],
  [/\balter\s+(column\s+)?\S+\s+(set\s+data\s+)?type\b/, 'changes the type of a column'],
  [/\bset\s+not\s+null\b/, 'requires a value that was optional'],
  [
    /\badd\s+(column\s+)?(if\s+not\s+exists\s+)?\w+\s+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)(?<!\bdefault\b[^,;]*)/,
    'adds a required column without a default',
  ],
  [/\brevoke\b(?![^;]*\bfrom\s+public\b)/, 'takes a right away'],
  [/\b(truncate|delete\s+from)\b/, 'deletes rows'],
]

const CREATES = /\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/g

/** The table of which a statement refuses rows that were allowed. */
const RESTRICTS = [
  /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)\b[^;]*\badd\s+(?:constraint|check|unique|primary\s+key|foreign\s+key|exclude)\b/g,
  /\bcreate\s+unique\s+index\b[^;]*?\bon\s+(?:only\s+)?(\w+)/g,
]

const DECLARED = /^-- contract: unused since \d+\.\d+\.\d+\n/

/**
 * What a migration takes away from the program of the release before, which runs beside this one during a rolling restart.
 * Empty if the first line of the migration declares since which release nothing uses it.
 */
export function findContracting(sql: string): string[] {
  if (DECLARED.test(sql)) return []
  const code = sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
  const tablesOf = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, table]) => table)
  const created = new Set(tablesOf(CREATES))
  const isRestricted = RESTRICTS.flatMap((pattern) => tablesOf(pattern)).some((table) => !created.has(table))
  return [
    ...CONTRACTS.flatMap(([pattern, what]) => (pattern.test(code) ? [what] : [])),
    ...(isRestricted ? ['refuses rows that were allowed'] : []),
  ]
}
