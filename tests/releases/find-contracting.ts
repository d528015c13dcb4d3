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
  return CONTRACTS.flatMap(([pattern, what]) => (pattern.test(code) ? [what] : []))
}
