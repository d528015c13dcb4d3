import { CONTINENT_NAMES, CONTINENTS, type ContinentCode, isContinentCode } from '#game/continents.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { readEarlyMarkets, writeEarlyMarkets } from '#server/market/early-markets.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Arguments, Command, CommandContext } from './command.ts'
import { runLogged } from './operator-log.ts'

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
        `The subcommands of market are status, open <continent> and close <continent>, not "${what}".`,
      )
    }
    return change(context, { what, code: requireContinent(code), given })
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
      if (what === 'open' && isOpen) throw new StartupError(`The market of ${name} is already open early.`)
      if (what === 'close' && !isOpen) throw new StartupError(`The market of ${name} is not open early.`)
      const codes = CONTINENTS.filter((each) => (each === code ? what === 'open' : before.includes(each)))
      await writeEarlyMarkets(tx, { codes, now })
      return what === 'open'
        ? `The market of ${name} is open as long as MARKET_MODE is auto.`
        : `The market of ${name} will open with all others, once everything is sold. Its listings stay and can be cancelled.`
    },
  )
}

async function showMarket({ db, say }: CommandContext): Promise<void> {
  const early = await readEarlyMarkets(db)
  const open = await createMarket('auto').openContinents(db)
  const names = early.map((code) => CONTINENT_NAMES[code]).join(', ')
  say(`Opened early by an operator: ${names || 'none'}`)
  say(
    open.size === CONTINENTS.length
      ? 'All markets are open, unless MARKET_MODE is closed.'
      : 'The other markets open once the game has sold all the land that it offers, unless MARKET_MODE is not auto.',
  )
}

function requireContinent(code: string | undefined): ContinentCode {
  if (code !== undefined && isContinentCode(code)) return code
  throw new StartupError(`Name a continent: one of ${CONTINENTS.join(', ')}.`)
}
