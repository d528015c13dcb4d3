// Writes docs/security/access.md: who may call which route, from the contract and the rules that tests/access executes.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CONSOLE_ROUTES } from '../contract/console/routes.ts'
import { ROUTES } from '../contract/routes.ts'
import { CALLERS, refusalFor } from '../tests/access/access-rules.ts'

export const ACCESS_PAGE = resolve(import.meta.dirname, '../docs/security/access.md')

const INTRODUCTION = `# Access

Who may call which route. \`npm run docs:access\` generates this page from the contract, and \`tests/access/game-access.test.ts\`
and \`server/console/access.test.ts\` make every call of it.

A cell with \`yes\` is served. \`own\` is served with the caller's own data, and acts for the caller only. Any other cell is the code
of the refusal; a refused call changes nothing and shows nothing.

## The game

A session has ended by a logout, by the player's list of logins, by an operator, after a day without use, or after a week. An
operator's session belongs to the console. Another player calls with the ids and the wallet of the owner. A frozen player calls
for themself.
`

const CONSOLE = `## Sockets

A socket has no session, whatever it sends. It carries what everybody may read: prices, supplies, who owns land, how many
listings are active, announcements.

## The operators' console

A session that has ended, a player's session and nobody are refused with \`not_logged_in\`, and an operator whom the file no longer
names with \`not_an_operator\`. Without the right, a call is refused with \`right_missing\`. An act needs its own right.
`

/** The page as the contract has it today. */
export function writeAccess() {
  const game = sortByPath(Object.entries(ROUTES)).map(([name, { method, path }]) => {
    const cells = CALLERS.map((caller) => cellOf(/** @type {keyof typeof ROUTES} */ (name), caller))
    return `| \`${method} ${path}\` | ${cells.join(' | ')} |`
  })
  const console = sortByPath(Object.entries(CONSOLE_ROUTES)).map(
    ([, { method, path, right }]) =>
      `| \`${method} ${path}\` | ${right === 'by_act' ? 'the act’s' : right} |`,
  )
  return [
    INTRODUCTION,
    tableOf(['Route', ...CALLERS], game),
    CONSOLE,
    tableOf(['Route', 'needs the right'], console),
  ].join('\n')
}

/**
 * @template {{ method: string, path: string }} Route
 * @param {[string, Route][]} routes
 */
const sortByPath = (routes) =>
  routes.toSorted(([, a], [, b]) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))

/**
 * @param {keyof typeof ROUTES} name
 * @param {(typeof CALLERS)[number]} caller
 */
function cellOf(name, caller) {
  const refusal = refusalFor(name, caller)
  if (refusal !== null) return `\`${refusal}\``
  return ROUTES[name].auth === 'player' && caller === 'another player' ? 'own' : 'yes'
}

/**
 * @param {readonly string[]} head
 * @param {readonly string[]} rows
 */
const tableOf = (head, rows) =>
  [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows, ''].join('\n')

if (import.meta.main) writeFileSync(ACCESS_PAGE, writeAccess())
