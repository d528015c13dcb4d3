import { CONTINENT_NAMES, CONTINENTS, type ContinentCode, isContinentCode } from '#game/continents.ts'
import { marketIn } from '#server/market/market-mode.ts'
import { readOpenedEarly, writeOpenedEarly } from '#server/market/open-early.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import type { Command, Desk } from './desk.ts'
import { actLogged } from './operator-log.ts'
import type { Arguments } from './read-arguments.ts'

export const market: Command = {
  usage:
    'status | open <continent> --by <name> [--reason <text>] | close <continent> --by <name> [--reason <text>]',
  does: 'opens the land market of one continent before all land is sold, or closes it again. Takes effect within seconds, only with MARKET_MODE=auto',
  words: { least: 1, most: 2 },
  options: ['by', 'reason'],
  run(desk, given) {
    const [what, code] = given.words
    if (what === 'status' && code === undefined) return showMarket(desk)
    if (what !== 'open' && what !== 'close') {
      throw new StartProblem(
        `The market knows status, open <continent> and close <continent>, not "${what}".`,
      )
    }
    return change(desk, { what, code: continentOf(code), given })
  },
}

type Change = { what: 'open' | 'close'; code: ContinentCode; given: Arguments }

function change(desk: Desk, { what, code, given }: Change): Promise<void> {
  const name = CONTINENT_NAMES[code]
  return actLogged(
    desk,
    { command: 'market', arguments: { what, continent: code }, given },
    async (tx, { now }) => {
      const before = await readOpenedEarly(tx)
      const isOpen = before.includes(code)
      if (what === 'open' && isOpen) throw new StartProblem(`The market of ${name} was opened early already.`)
      if (what === 'close' && !isOpen) throw new StartProblem(`The market of ${name} was not opened early.`)
      const codes = CONTINENTS.filter((each) => (each === code ? what === 'open' : before.includes(each)))
      await writeOpenedEarly(tx, { codes, now })
      return what === 'open'
        ? `The market of ${name} is open, while MARKET_MODE is auto.`
        : `The market of ${name} opens with all others, when everything is sold. Listings stay, and can be cancelled.`
    },
  )
}

async function showMarket({ db, say }: Desk): Promise<void> {
  const early = await readOpenedEarly(db)
  const open = await marketIn('auto').openContinents(db)
  const names = early.map((code) => CONTINENT_NAMES[code]).join(', ')
  say(`opened early by an operator: ${names || 'none'}`)
  say(
    open.size === CONTINENTS.length
      ? 'The market is open everywhere, unless MARKET_MODE is closed.'
      : 'Elsewhere it opens when the game has sold all land that it offers, unless MARKET_MODE says otherwise.',
  )
}

function continentOf(code: string | undefined): ContinentCode {
  if (code !== undefined && isContinentCode(code)) return code
  throw new StartProblem(`Name a continent: it is one of ${CONTINENTS.join(', ')}.`)
}
