import { CONTINENT_NAMES, CONTINENTS, type ContinentCode, isContinentCode } from '#game/continents.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { readEarlyMarkets, writeEarlyMarkets } from '#server/market/early-markets.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Command, CommandContext } from './command.ts'
import { runLogged } from './operator-log.ts'
import type { Arguments } from './read-arguments.ts'

export const market: Command = {
  usage:
    'status | open <continent> --by <name> [--reason <text>] | close <continent> --by <name> [--reason <text>]',
  description:
    'opens the land market of one continent before all land is sold, or closes it again. Takes effect within seconds, only with MARKET_MODE=auto',
  positionals: { min: 1, max: 2 },
  options: ['by', 'reason'],
  run(context, given) {
    const [what, code] = given.positionals
    if (what === 'status' && code === undefined) return showMarket(context)
    if (what !== 'open' && what !== 'close') {
      throw new StartupError(
        `The market knows status, open <continent> and close <continent>, not "${what}".`,
      )
    }
    return change(context, { what, code: continentOf(code), given })
  },
}

type Change = { what: 'open' | 'close'; code: ContinentCode; given: Arguments }

function change(context: CommandContext, { what, code, given }: Change): Promise<void> {
  const name = CONTINENT_NAMES[code]
  return runLogged(
    context,
    { command: 'market', arguments: { what, continent: code }, given },
    async (tx, { now }) => {
      const before = await readEarlyMarkets(tx)
      const isOpen = before.includes(code)
      if (what === 'open' && isOpen) throw new StartupError(`The market of ${name} was opened early already.`)
      if (what === 'close' && !isOpen) throw new StartupError(`The market of ${name} was not opened early.`)
      const codes = CONTINENTS.filter((each) => (each === code ? what === 'open' : before.includes(each)))
      await writeEarlyMarkets(tx, { codes, now })
      return what === 'open'
        ? `The market of ${name} is open, while MARKET_MODE is auto.`
        : `The market of ${name} opens with all others, when everything is sold. Listings stay, and can be cancelled.`
    },
  )
}

async function showMarket({ db, say }: CommandContext): Promise<void> {
  const early = await readEarlyMarkets(db)
  const open = await createMarket('auto').openContinents(db)
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
  throw new StartupError(`Name a continent: it is one of ${CONTINENTS.join(', ')}.`)
}
