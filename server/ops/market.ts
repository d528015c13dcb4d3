import { CONTINENT_NAMES, CONTINENTS, type ContinentCode, isContinentCode } from '#game/continents.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { readEarlyMarkets } from '#server/market/early-markets.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Command, CommandContext } from './command.ts'
import { required } from './read-arguments.ts'
import { runAct, SIGNING_OPTIONS, SIGNING_USAGE } from './sign-act.ts'

export const market: Command = {
  usage: `status | open <continent> --reason <text> ${SIGNING_USAGE} | close <continent>, with the same options`,
  description:
    'opens the land market of one continent before all land is sold, or closes it again. Takes effect within seconds, only with MARKET_MODE=auto',
  positionals: { min: 1, max: 2 },
  options: ['reason', ...SIGNING_OPTIONS],
  run(context, given) {
    const [what, code] = given.positionals
    if (what === 'status' && code === undefined) return showMarket(context)
    if (what !== 'open' && what !== 'close') {
      throw new StartupError(
        `The subcommands of market are status, open <continent> and close <continent>, not "${what}".`,
      )
    }
    const continent = requireContinent(code)
    return runAct(context, given, { kind: 'market', what, continent, reason: required(given, 'reason') })
  },
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
